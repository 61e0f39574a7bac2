/* context.h - switching between stacks
 *
 * A context is a stack whose function is suspended. On x86-64 and arm64 Satin's own code switches:
 * it saves the registers that the calling convention asks for and the floating-point control, but
 * no signal mask. Other processors use ucontext. Each switch is announced to the sanitizers.
 *
 * Threads: a context is entered by the thread that made it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

typedef struct _Context Context;

/* Makes a context for the stack on which the calling thread runs already, so that fibers can switch
 * back to that stack. */
Context *context_new_here (void);

/**
 * context_new:
 * @stack_bytes: size of the stack, rounded up to whole pages
 * @is_guarded: puts a guard below the stack: at least 64 KiB that cannot be read or written
 * @main: runs when the context is first entered; it never returns
 *
 * Returns: (transfer full) (nullable): %NULL when there is no memory
 */
Context *context_new (gsize stack_bytes, gboolean is_guarded, void (*main) (gpointer data),
                      gpointer data);
/* Frees a context that is not running. */
void context_free (Context *self);

/* Leaves @from, which is running, and continues in @to. Returns when another context switches back
 * to @from. */
void context_switch (Context *from, Context *to);

void context_get_stack (const Context *self, char **ret_low, gsize *ret_n_bytes);
/* Whether @address lies in the guard below the stack. A signal handler may call it. */
gboolean context_is_guard (const Context *self, gconstpointer address);
