/* test-checkpoint-client-inputs.c - tests that stored results are used only with the same inputs
 *
 * Node 1 is the coordinator, node 2 the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-world.h"

#include <string.h>

#define MASTER 2
#define SENDER 3

static CheckpointWorld *world;

static void
be (const SatinCheckpointInput *inputs, gsize n)
{
  fake_net_set_master (world->net, MASTER);
  const CheckpointOrderMessage order = {
    .number = 1,
    .term = (gint64)satin_peers_get_view (world->client->peers)->term,
    .run = world->run_id,
    .n_run = ID_BYTES
  };
  const CheckpointBeMessage message = { .order = order, .inputs = inputs, .n_inputs = n };
  checkpoint_world_say (world, MASTER, CHECKPOINT_MESSAGE_BE, &CheckpointBeMessage_record,
                        &message);
  checkpoint_world_settle (world);
  checkpoint_world_settle (world);
}

static void
set_up (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  be (NULL, 0);
}

/* Begins another run, with the logs that this run has left. @is_anyway: --checkpoint-anyway */
static void
begin_another_run (gboolean is_anyway, const SatinCheckpointInput *inputs, gsize n)
{
  checkpoint_world_free (world);
  world = checkpoint_world_new_again (4, NULL, 0);
  world->client->is_anyway = is_anyway;
  be (inputs, n);
}

static SatinCheckpointInput
input_of (const char *name, const guint8 *digest)
{
  return (SatinCheckpointInput){ name, digest, SATIN_INPUT_DIGEST_BYTES };
}

static const guint8 a[SATIN_INPUT_DIGEST_BYTES] = { 1 };
static const guint8 b[SATIN_INPUT_DIGEST_BYTES] = { 2 };

/* Node @from names an input. Returns: the code in the answer; -1: no error; -2: there is no
 * answer */
static int
name (SatinNodeId from, const char *input, const guint8 *digest)
{
  const CheckpointInputMessage message = { .number = 5, .input = input_of (input, digest) };
  CheckpointToldMessage told;
  checkpoint_world_say (world, from, CHECKPOINT_MESSAGE_INPUT, &CheckpointInputMessage_record,
                        &message);
  checkpoint_world_settle (world);
  if (!checkpoint_world_hear (world, from, CHECKPOINT_MESSAGE_INPUT_IS,
                              &CheckpointToldMessage_record, &told))
    return -2;
  int code = told.code;
  g_assert_cmpint (told.number, ==, 5);
  g_assert_true (code < 0 || strstr (told.message, input) != NULL);
  satin_record_clear (&CheckpointToldMessage_record, &told);
  return code;
}

static void
store (gint32 n)
{
  checkpoint_world_say_store (world, SENDER, n, n, 1, 0);
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, n), ==, VERDICT_STORED);
}

static int
hear_ready (void)
{
  CheckpointStateMessage state;
  int code = -2;
  while (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_READY,
                                &CheckpointStateMessage_record, &state))
    {
      code = state.code;
      satin_record_clear (&CheckpointStateMessage_record, &state);
    }
  return code;
}

static void
test_first_counts (void)
{
  set_up ();
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  g_assert_cmpint (name (SENDER, "x", a), ==, -1);
  g_assert_cmpint (name (SENDER, "y", b), ==, -1);
  g_assert_cmpint (name (SENDER, "x", b), ==, SATIN_ERROR_INVALID);
  checkpoint_world_free (world);
}

static void
test_stored_with_the_results (void)
{
  set_up ();
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  store (1);
  begin_another_run (FALSE, NULL, 0);
  g_assert_cmpint (name (MASTER, "x", b), ==, SATIN_ERROR_INVALID);
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  checkpoint_world_free (world);
}

/* The log was begun before the input was named, so its HEAD does not list that input. */
static void
test_named_late (void)
{
  set_up ();
  store (1);
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  store (2);
  begin_another_run (FALSE, NULL, 0);
  g_assert_cmpint (name (MASTER, "x", b), ==, SATIN_ERROR_INVALID);
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  checkpoint_world_free (world);
}

static void
test_new_coordinator_knows_the_masters (void)
{
  const SatinCheckpointInput named = input_of ("x", a);
  world = checkpoint_world_new (4, NULL, 0);
  be (&named, 1);
  g_assert_cmpint (name (SENDER, "x", b), ==, SATIN_ERROR_INVALID);
  store (1);
  begin_another_run (FALSE, NULL, 0);
  g_assert_cmpint (name (MASTER, "x", b), ==, SATIN_ERROR_INVALID);
  checkpoint_world_free (world);
}

static void
test_not_read_for_others (void)
{
  const SatinCheckpointInput other = input_of ("x", b);
  set_up ();
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  store (1);
  begin_another_run (FALSE, &other, 1);
  g_assert_cmpint (hear_ready (), ==, SATIN_ERROR_INVALID);
  checkpoint_world_free (world);
}

static void
test_anyway (void)
{
  set_up ();
  g_assert_cmpint (name (MASTER, "x", a), ==, -1);
  store (1);
  begin_another_run (TRUE, NULL, 0);
  g_assert_cmpint (name (MASTER, "x", b), ==, -1);
  store (2);
  begin_another_run (FALSE, NULL, 0);
  g_assert_cmpint (name (MASTER, "x", a), ==, SATIN_ERROR_INVALID);
  g_assert_cmpint (name (MASTER, "x", b), ==, SATIN_ERROR_INVALID);
  checkpoint_world_free (world);
}

/* The names take about 20 KiB. A HEAD has one digest of each. */
static void
test_each_name_counts_once (void)
{
  set_up ();
  begin_another_run (TRUE, NULL, 0);
  for (guint n = 0; n < 40; n++)
    {
      g_autofree char *text = g_strdup_printf ("input%01000u", n % 20);
      g_assert_cmpint (name (MASTER, text, n < 20 ? a : b), ==, -1);
    }
  checkpoint_world_free (world);
}

static void
test_too_many (void)
{
  set_up ();
  int code = -1;
  guint n = 0;
  for (; n < 2000 && code == -1; n++)
    {
      g_autofree char *text = g_strdup_printf ("input%u", n);
      const CheckpointInputMessage message = { .number = 5, .input = input_of (text, a) };
      CheckpointToldMessage told;
      checkpoint_world_say (world, MASTER, CHECKPOINT_MESSAGE_INPUT, &CheckpointInputMessage_record,
                            &message);
      checkpoint_world_settle (world);
      g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_INPUT_IS,
                                            &CheckpointToldMessage_record, &told));
      code = told.code;
      satin_record_clear (&CheckpointToldMessage_record, &told);
    }
  g_assert_cmpint (code, ==, SATIN_ERROR_LIMIT);
  g_assert_cmpuint (n, >, 500);
  /* Another node names the last input that was accepted. The name of that input is as long as the
   * name that was refused. */
  g_autofree char *last = g_strdup_printf ("input%u", n - 2);
  g_assert_cmpint (name (SENDER, last, a), ==, -1);
  store (1);
  checkpoint_world_free (world);
}

/* ---- a node whose job names an input ---- */

typedef struct
{
  guint n_calls;
  int code; /* -1: no error */
} Settled;

static void
settled (const GError *error, gpointer user_data)
{
  Settled *self = user_data;
  self->n_calls++;
  self->code = error != NULL ? error->code : -1;
}

static void
test_asks_until_it_is_answered (void)
{
  Settled result = { 0 };
  CheckpointInputMessage asked;
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, 3);
  checkpoint_world_settle (world);
  world->recovery->ops->input (world->recovery, "x", a, settled, &result);
  checkpoint_world_advance (world, 2000000);
  g_assert_cmpuint (result.n_calls, ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (checkpoint_world_hear (world, 3, CHECKPOINT_MESSAGE_INPUT,
                                            &CheckpointInputMessage_record, &asked));
      g_assert_cmpstr (asked.input.name, ==, "x");
      const CheckpointToldMessage told = { .number = asked.number, .code = SATIN_ERROR_INVALID };
      satin_record_clear (&CheckpointInputMessage_record, &asked);
      if (i == 1)
        checkpoint_world_say (world, 3, CHECKPOINT_MESSAGE_INPUT_IS, &CheckpointToldMessage_record,
                              &told);
    }
  checkpoint_world_settle (world);
  g_assert_cmpuint (result.n_calls, ==, 1);
  g_assert_cmpint (result.code, ==, SATIN_ERROR_INVALID);
  checkpoint_world_free (world);
}

static void
test_goes_on_when_nobody_answers (void)
{
  Settled result = { 0 };
  world = checkpoint_world_new (4, NULL, 0);
  world->recovery->ops->input (world->recovery, "x", a, settled, &result);
  checkpoint_world_advance (world, 20000000);
  g_assert_cmpuint (result.n_calls, ==, 1);
  g_assert_cmpint (result.code, ==, -1);
  checkpoint_world_free (world);
}

static void
test_end_answers (void)
{
  Settled result = { 0 };
  world = checkpoint_world_new (4, NULL, 0);
  world->recovery->ops->input (world->recovery, "x", a, settled, &result);
  checkpoint_world_free (world);
  g_assert_cmpuint (result.n_calls, ==, 1);
  g_assert_cmpint (result.code, ==, SATIN_ERROR_CLOSED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(CLAIM, FUNC) g_test_add_func ("/ft/checkpoint-inputs/" CLAIM, FUNC)
  ADD ("the-first-digest-of-a-name-counts", test_first_counts);
  ADD ("another-run-is-to-have-the-same", test_stored_with_the_results);
  ADD ("one-that-is-named-late-is-stored-too", test_named_late);
  ADD ("a-new-coordinator-knows-those-of-the-master", test_new_coordinator_knows_the_masters);
  ADD ("nothing-is-read-for-other-inputs", test_not_read_for_others);
  ADD ("anyway-they-are-used", test_anyway);
  ADD ("each-name-counts-once", test_each_name_counts_once);
  ADD ("too-many-are-refused", test_too_many);
  ADD ("a-node-asks-until-it-is-answered", test_asks_until_it_is_answered);
  ADD ("a-job-goes-on-when-nobody-answers", test_goes_on_when_nobody_answers);
  ADD ("the-end-answers", test_end_answers);
  return g_test_run ();
}
