/* addresses.h - how much a worker reserves where a process may have few addresses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* The sizes that one worker reserves. */
typedef struct
{
  gsize stack_bytes;
  gsize deque_slots;
} WorkerSizes;

/**
 * addresses_fit:
 * @wanted: the sizes if there were no limit
 * @n_workers: the most workers that may be started
 * @slot_bytes: bytes of a slot and of the room beside it
 * @free_bytes: bytes of addresses that the process may still use; %G_MAXSIZE without a limit
 *
 * Returns: sizes for which all workers together leave half of @free_bytes to the program, but not
 *   less than a worker needs
 */
WorkerSizes addresses_fit (WorkerSizes wanted, guint n_workers, gsize slot_bytes, gsize free_bytes);

/* Returns: bytes of addresses that this process may still use (ulimit -v); %G_MAXSIZE without a
 * limit */
gsize addresses_count_free (void);
