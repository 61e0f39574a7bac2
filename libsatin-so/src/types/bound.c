/* bound.c - satin_minimum and satin_maximum
 *
 * State, record and arguments are the same structure. So the function that improves a value
 * (lower() or raise_to()) also merges two states and combines two calls.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so/bound.h>

#include <string.h>

/* Whether @other has the better witness when both values are equal: a witness is better than none,
 * a shorter one better than a longer, and of equal length the first in the order of bytes is
 * better. */
static gboolean
has_better_witness (const SatinBound *now, const SatinBound *other)
{
  if (now->n_witness != other->n_witness)
    return now->n_witness == 0 || (other->n_witness > 0 && other->n_witness < now->n_witness);
  return now->n_witness > 0 && memcmp (other->witness, now->witness, now->n_witness) < 0;
}

static void
take (SatinBound *to, const SatinBound *from)
{
  to->value = from->value;
  SATIN_SET_ARRAY (to, witness, from->witness, from->n_witness);
}

static void
bound_copy (gconstpointer state, gpointer ret_state)
{
  take (ret_state, state);
}

/* Whether the value of @other is better (smaller for a minimum, larger for a maximum), or is equal
 * with a better witness. */
static gboolean
is_better (gboolean is_minimum, const SatinBound *now, const SatinBound *other)
{
  if (other->value != now->value)
    return (other->value < now->value) == is_minimum;
  return has_better_witness (now, other);
}

static void
lower (gpointer state, gconstpointer other)
{
  if (is_better (TRUE, state, other))
    take (state, other);
}

static void
raise_to (gpointer state, gconstpointer other)
{
  if (is_better (FALSE, state, other))
    take (state, other);
}

static gboolean
bound_prepare (const SatinMethod *method, gconstpointer state, gint64 origin, gpointer args)
{
  return is_better (method == &satin_minimum_improve_method, state, args);
}

static gboolean
bound_combine (const SatinMethod *method, gpointer args, gconstpointer later)
{
  method->apply (args, later);
  return TRUE;
}

SatinObjectType satin_minimum_type = {
  .name = "satin_minimum",
  .record = &SatinBound_record,
  .state_bytes = sizeof (SatinBound),
  .is_checkpointed = TRUE,
  .copy = bound_copy,
  .merge = lower,
  .prepare = bound_prepare,
  .combine = bound_combine,
};

SatinObjectType satin_maximum_type = {
  .name = "satin_maximum",
  .record = &SatinBound_record,
  .state_bytes = sizeof (SatinBound),
  .is_checkpointed = TRUE,
  .copy = bound_copy,
  .merge = raise_to,
  .prepare = bound_prepare,
  .combine = bound_combine,
};

SatinMethod satin_minimum_improve_method = {
  .name = "improve",
  .args = &SatinBound_record,
  .apply = lower,
  .type = &satin_minimum_type,
};

SatinMethod satin_maximum_improve_method = {
  .name = "improve",
  .args = &SatinBound_record,
  .apply = raise_to,
  .type = &satin_maximum_type,
};

__attribute__ ((constructor)) static void
register_bounds (void)
{
  satin_object_type_register (&satin_minimum_type);
  satin_object_type_add_method (&satin_minimum_type, &satin_minimum_improve_method);
  satin_object_type_register (&satin_maximum_type);
  satin_object_type_add_method (&satin_maximum_type, &satin_maximum_improve_method);
}
