/* input.h - how an input that a job names comes to the loop, and back
 *
 * The worker posts the input to its node's loop and sleeps. The loop asks the part that keeps
 * results, which answers at once or later, and wakes the worker.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/input.h>
#include <satin/core/recovery.h>

#include "workers/pool.h"

typedef struct _InputDesk InputDesk;

/* Where a node's jobs name their inputs. */
struct _InputDesk
{
  SatinLoop *loop; /* (borrowed) */
  /* On the loop; calls @done once, maybe at once. */
  void (*name) (InputDesk *self, const char *name, const guint8 *digest, SatinInputFunc done,
                gpointer user_data);
};
