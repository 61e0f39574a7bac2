/* sample-types.c - object types for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

#include <satin/base/atomic.h>
#include <string.h>

SATIN_OBJECT_TYPE_DEFINE (tour, .is_checkpointed = TRUE)

SATIN_METHOD_BODY (tour, improve, (long, length), (array_int, cities))
{
  if (length >= state->length)
    return;
  state->length = length;
  SATIN_SET_ARRAY (state, cities, cities, n_cities);
}

SATIN_OBJECT_TYPE_DEFINE (step, .n_kept = 2)

static guint n_copies; /* atomic */

static void
numbers_copy (gconstpointer data, gpointer ret_state)
{
  const numbers_state *state = data;
  numbers_state *copy = ret_state;
  SATIN_ADD (&n_copies, 1);
  SATIN_SET_ARRAY (copy, values, state->values, state->n_values);
}

static gint64
numbers_get_version (gconstpointer data)
{
  return (gint64)((const numbers_state *)data)->n_values;
}

static void
append (const gint64 **values, gsize *n_values, const gint64 *more, gsize n_more)
{
  gint64 *all = g_renew (gint64, (gpointer)*values, *n_values + n_more);
  memcpy (all + *n_values, more, n_more * sizeof *more);
  *values = all;
  *n_values += n_more;
}

static gboolean
numbers_combine (const SatinMethod *method, gpointer data, gconstpointer later_data)
{
  numbers_add_args *args = data;
  const numbers_add_args *later = later_data;
  if (method != &numbers_add_method)
    return FALSE;
  append (&args->values, &args->n_values, later->values, later->n_values);
  return TRUE;
}

SATIN_OBJECT_TYPE_DEFINE (numbers, .is_checkpointed = TRUE, .copy = numbers_copy,
                          .get_version = numbers_get_version, .combine = numbers_combine)

SATIN_METHOD_BODY (numbers, add, (array_long, values))
{
  append (&state->values, &state->n_values, values, n_values);
}

SATIN_METHOD_BODY (numbers, cut, (int, length))
{
  state->n_values = CLAMP (length, 0, (gint32)state->n_values);
}

guint
numbers_count_copies (void)
{
  return SATIN_LOAD_RELAXED (&n_copies);
}

SatinObjects *
numbers_store_new (SatinObject *ret_id)
{
  SatinObjects *objects = satin_objects_new ();
  *ret_id =
      satin_objects_create (objects, &numbers_type, "some", &(numbers_packed){ NULL, 0 }, NULL);
  return objects;
}

void
numbers_add (SatinObjects *objects, SatinObject id, gint64 value)
{
  g_assert_true (
      satin_objects_update (objects, id, &numbers_add_method, &(numbers_add_args){ &value, 1 }));
}

const numbers_state *
numbers_read (SatinReader *reader, SatinObject id)
{
  return satin_reader_read (reader, id, &numbers_type);
}
