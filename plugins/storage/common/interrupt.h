/* interrupt.h - how another thread ends an operation that waits
 *
 * An interrupt is a count in an eventfd, so that whoever waits in poll is woken by it. Storages
 * outside this process and filters that wait have one for each handle.
 *
 * Threads: storage_interrupt_raise() from any; the rest from the thread that operates.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct _StorageInterrupt StorageInterrupt;

/* Returns: (transfer full) (nullable): %NULL with @error when the process has no descriptor left */
StorageInterrupt *storage_interrupt_new (GError **error);
/* @self: (nullable) */
void storage_interrupt_free (StorageInterrupt *self);

/* The running operation is to fail, or else the next one. */
void storage_interrupt_raise (StorageInterrupt *self);
/* Can be read when somebody has interrupted; for poll, and for nothing else. */
int storage_interrupt_get_fd (const StorageInterrupt *self);

/* @where: what the message names. Returns: %FALSE with %SATIN_ERROR_TIMEOUT when somebody has
 * interrupted since the last time */
gboolean storage_interrupt_check (StorageInterrupt *self, const char *where, GError **error);

/* Waits until somebody interrupts. @timeout_us: at most so long, microseconds; below 0 for ever.
 * Returns: as storage_interrupt_check() */
gboolean storage_interrupt_wait (StorageInterrupt *self, gint64 timeout_us, const char *where,
                                 GError **error);
