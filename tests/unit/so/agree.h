/* agree.h - replicas of a type agree in the end, whatever becomes of the messages between
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

/**
 * Agree:
 * @record: what all replicas begin with
 * @call: calls a method on an object of one store, by chance
 *
 * A type that is to agree.
 */
typedef struct
{
  const SatinObjectType *type;
  gconstpointer record;
  void (*call) (SatinObjects *objects, SatinObject id);
} Agree;

/* Calls are heard in any order and twice. (gconstpointer): an Agree, for g_test_add_data_func() */
void agree_test_updates (gconstpointer data);

/* No call is heard, but states are. */
void agree_test_states (gconstpointer data);

/* Both, and calls are combined. */
void agree_test_combined (gconstpointer data);

/* Adds these three below @path. @agree: static */
void agree_add_tests (const char *path, const Agree *agree);

/* A reader's newest state of the one object of a store. */
gconstpointer agree_read (SatinReader *reader, SatinObject id, const SatinObjectType *type);
