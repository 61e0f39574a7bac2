/* interrupt.h - lets another thread end an operation that waits
 *
 * An interrupt is a count in an eventfd, so it wakes a thread that waits in poll. Storages outside
 * this process, and filters that wait, have one interrupt for each handle.
 *
 * Threads: storage_interrupt_raise() from any; all else from the thread that operates on the
 * handle.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct _StorageInterrupt StorageInterrupt;

/* Returns: (transfer full) (nullable): %NULL with @error when the system gives no descriptor */
StorageInterrupt *storage_interrupt_new (GError **error);
/* @self: (nullable) */
void storage_interrupt_free (StorageInterrupt *self);

/* Makes the running operation fail, or the next operation if none is running. */
void storage_interrupt_raise (StorageInterrupt *self);
/* Returns: a descriptor that is readable while the interrupt is raised; use it in poll only */
int storage_interrupt_get_fd (const StorageInterrupt *self);

/* Clears the interrupt. @where: named in the message. Returns: %FALSE with %SATIN_ERROR_TIMEOUT
 * when the interrupt was raised since the last check */
gboolean storage_interrupt_check (StorageInterrupt *self, const char *where, GError **error);

/* Waits until the interrupt is raised, for @timeout_us at most, or for ever if @timeout_us is below
 * 0. Returns: the result of storage_interrupt_check() */
gboolean storage_interrupt_wait (StorageInterrupt *self, gint64 timeout_us, const char *where,
                                 GError **error);
