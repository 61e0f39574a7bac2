/* input.h - how an input that a job names gets to the loop
 *
 * The worker posts the input to its node's loop and sleeps. The loop asks the part that recovers,
 * which answers at once or later, and the answer wakes the worker.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/input.h>
#include <satin/core/recovery.h>

#include "workers/pool.h"

typedef struct _InputDesk InputDesk;

/* The place of a node where its jobs name their inputs. */
struct _InputDesk
{
  SatinLoop *loop; /* (borrowed) */
  /* On the loop. Calls @done once, maybe inside. */
  void (*name) (InputDesk *self, const char *name, const guint8 *digest, SatinInputFunc done,
                gpointer user_data);
};
