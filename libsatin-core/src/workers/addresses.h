/* addresses.h - how much a worker reserves where a process may have few addresses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* What one worker reserves. */
typedef struct
{
  gsize stack_bytes;
  gsize deque_slots;
} WorkerSizes;

/**
 * addresses_fit:
 * @wanted: without a limit
 * @n_workers: that may ever be started
 * @slot_bytes: of a slot and what lies beside it
 * @free_bytes: addresses that the process may still use, %G_MAXSIZE without a limit
 *
 * Returns: sizes for which all workers together leave half of @free_bytes to the program; not below
 * what a worker needs
 */
WorkerSizes addresses_fit (WorkerSizes wanted, guint n_workers, gsize slot_bytes, gsize free_bytes);

/* Returns: how many bytes of addresses this process may still use (ulimit -v), %G_MAXSIZE for no
 * limit */
gsize addresses_count_free (void);
