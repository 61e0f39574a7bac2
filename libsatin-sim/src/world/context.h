/* context.h - switching between stacks
 *
 * A context is a stack that was left in the middle of a function. Own code for
 * x86-64 and arm64 (a switch saves what the calling convention wants kept, the
 * rounding mode with it, and nothing else, no signal mask), ucontext elsewhere. The sanitizers are
 * told of each switch.
 *
 * Threads: a context is entered by the thread that made it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

typedef struct _Context Context;

/* The context of the calling thread itself, to come back to. */
Context *context_new_here (void);

/**
 * context_new:
 * @stack_bytes: of its stack, in whole pages: rounded up
 * @is_guarded: puts 64 KiB below it that nobody can touch
 * @main: runs when it is first entered; it never returns
 *
 * Returns: (transfer full) (nullable): %NULL when there is no memory
 */
Context *context_new (gsize stack_bytes, gboolean is_guarded, void (*main) (gpointer data),
                      gpointer data);
/* Not the one that runs. */
void context_free (Context *self);

/* Leaves @from, which runs, and goes on in @to. Returns when somebody enters @from again. */
void context_switch (Context *from, Context *to);

void context_get_stack (const Context *self, char **ret_low, gsize *ret_n_bytes);
/* Whether the address lies below its stack, where nobody can touch. For a signal handler, too. */
gboolean context_is_guard (const Context *self, gconstpointer address);
