/* inputs.c - lists of the program's inputs, as in the HEADs of logs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/bytes.h>
#include <string.h>

static void
input_clear (gpointer data)
{
  satin_record_clear (&SatinCheckpointInput_record, data);
}

GArray *
checkpoint_inputs_new (const SatinCheckpointInput *inputs, gsize n)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (SatinCheckpointInput));
  g_array_set_clear_func (list, input_clear);
  for (gsize i = 0; i < n; i++)
    checkpoint_inputs_add (list, &inputs[i]);
  return list;
}

static gboolean
is_same (const SatinCheckpointInput *left, const SatinCheckpointInput *right)
{
  return left->n_digest == right->n_digest
         && memcmp (left->digest, right->digest, left->n_digest) == 0;
}

const SatinCheckpointInput *
checkpoint_inputs_find_other (const SatinCheckpointInput *inputs, gsize n,
                              const SatinCheckpointInput *input)
{
  for (gsize i = 0; i < n; i++)
    if (strcmp (inputs[i].name, input->name) == 0 && !is_same (&inputs[i], input))
      return &inputs[i];
  return NULL;
}

static void
append (GArray *list, const SatinCheckpointInput *input)
{
  SatinCheckpointInput copy;
  satin_record_copy (&SatinCheckpointInput_record, input, &copy);
  g_array_append_val (list, copy);
}

gboolean
checkpoint_inputs_has (const GArray *list, const SatinCheckpointInput *input)
{
  for (guint i = 0; i < list->len; i++)
    {
      const SatinCheckpointInput *there = &g_array_index (list, SatinCheckpointInput, i);
      if (strcmp (there->name, input->name) == 0 && is_same (there, input))
        return TRUE;
    }
  return FALSE;
}

gboolean
checkpoint_inputs_add (GArray *list, const SatinCheckpointInput *input)
{
  if (checkpoint_inputs_has (list, input))
    return FALSE;
  append (list, input);
  return TRUE;
}

gboolean
checkpoint_inputs_replace (GArray *list, const SatinCheckpointInput *input)
{
  gboolean is_there = FALSE;
  for (guint i = list->len; i-- > 0;)
    {
      const SatinCheckpointInput *there = &g_array_index (list, SatinCheckpointInput, i);
      if (strcmp (there->name, input->name) != 0)
        continue;
      if (is_same (there, input))
        is_there = TRUE;
      else
        g_array_remove_index (list, i);
    }
  if (!is_there)
    append (list, input);
  return !is_there;
}

/* The first bytes of the digest, which are enough for people to compare. */
static char *
describe_digest (const SatinCheckpointInput *input)
{
  return satin_hex (input->digest, MIN (input->n_digest, 6));
}

GError *
checkpoint_input_error (const SatinCheckpointInput *stored, const SatinCheckpointInput *named)
{
  g_autofree char *before = describe_digest (stored);
  g_autofree char *now = describe_digest (named);
  return g_error_new (
      SATIN_ERROR, SATIN_ERROR_INVALID,
      "the input %s differs from the one that its results were made with (SHA-256 "
      "now %s..., at that time %s...): give that one, or another folder, or go on all the same "
      "with --checkpoint-anyway",
      named->name, now, before);
}
