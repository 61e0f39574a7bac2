/* agree.h - tests that replicas of a type become equal, whatever happens to the messages
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

/**
 * Agree:
 * @record: the initial state of all replicas
 * @call: calls a method of the object @id in one store, with random arguments
 *
 * A type whose replicas must become equal.
 */
typedef struct
{
  const SatinObjectType *type;
  gconstpointer record;
  void (*call) (SatinObjects *objects, SatinObject id);
} Agree;

/* Replicas get all calls, in any order and some of them twice. @data: an Agree, for
 * g_test_add_data_func() */
void agree_test_updates (gconstpointer data);

/* Replicas get no calls, only states of other replicas. */
void agree_test_states (gconstpointer data);

/* Replicas get calls in any order and some of them twice, after the calls of each node were
 * combined. */
void agree_test_combined (gconstpointer data);

/* Adds these three tests, with paths that begin with @path. @agree: static */
void agree_add_tests (const char *path, const Agree *agree);

/* Returns: the newest state of the object @id */
gconstpointer agree_read (SatinReader *reader, SatinObject id, const SatinObjectType *type);
