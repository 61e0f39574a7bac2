/* test-steal-many.c - tests nodes with hundreds of thousands of imported or exported jobs
 *
 * Each case takes a moment. It would take minutes if the cost of a message or of a result grew with
 * the number of jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake-recovery.h"
#include "steal-world.h"

#include "losses/private.h"

/* A sanitizer makes all steps slower. Costs that grow too fast are found without one. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#  define SHIFT 13
#else
#  define SHIFT 16
#endif

/* Imported jobs that run here, imported jobs that a case handles, and exported jobs. */
#define N_RUNNING  ((guint)2 << SHIFT)
#define N_CASES    ((guint)1 << SHIFT)
#define N_EXPORTED ((guint)4 << SHIFT)
#define OWNER      1
#define HERE       2
#define THIEF      3

static StealWorld *world;
static Steal *steal;

static void
set_up (gpointer *fixture, gconstpointer user_data)
{
  world = steal_world_new (3);
  for (SatinNodeId id = 1; id <= 3; id++)
    steal_world_node (world, id)->is_passive = TRUE;
  steal = steal_world_node (world, HERE)->steal;
}

static void
tear_down (gpointer *fixture, gconstpointer user_data)
{
  steal_world_free (world);
}

static FakeFate
lose (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  return FAKE_IS_LOST;
}

/* ---- imported jobs ---- */

static StealName
name_of (guint number)
{
  return (StealName){ .index = (gint32)number, .generation = number + 1 };
}

/* Adds @n imported jobs. Returns: the import id of the first */
static guint64
add_imports (guint n)
{
  guint64 first = steal->imports.last_id + 1;
  for (guint i = 0; i < n; i++)
    {
      const StealName name = name_of ((guint)steal->imports.last_id);
      const Baggage baggage = { .is_placed = FALSE };
      steal_import_set_baggage (&steal->imports,
                                steal_imports_add_new (&steal->imports, OWNER, &name), &baggage);
    }
  return first;
}

static void
finish (guint64 import_id)
{
  const StealOutcome outcome = { .status = STEAL_OK };
  steal_finished (steal, import_id, &outcome);
}

static void
inject (StealKind kind, const SatinRecord *record, gconstpointer data)
{
  g_autoptr (GBytes) message = steal_message (kind, record, data);
  fake_net_inject (world->net, OWNER, HERE, message);
}

/* The owner acknowledges the result of an imported job. */
static void
acknowledge (guint64 import_id)
{
  const StealName name = name_of ((guint)import_id - 1);
  const StealNames acked = { .names = &name, .n_names = 1 };
  inject (STEAL_ACK, &StealNames_record, &acked);
}

static void
test_results_that_are_acknowledged (gpointer *fixture, gconstpointer user_data)
{
  add_imports (N_RUNNING);
  guint64 first = add_imports (N_RUNNING);
  for (guint i = 0; i < N_RUNNING; i++)
    finish (first + i);
  steal_world_advance (world, 2 * ACK_US);
  g_assert_cmpuint (steal_count_held (steal), ==, N_RUNNING);
}

static void
test_results_that_end_one_by_one (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_fate_func (world->net, lose, NULL);
  add_imports (N_RUNNING);
  guint64 first = add_imports (N_CASES);
  for (guint i = 0; i < N_CASES; i++)
    {
      finish (first + i);
      steal_world_advance (world, 1);
    }
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, N_CASES);
}

static void
test_late_acknowledgements (gpointer *fixture, gconstpointer user_data)
{
  fake_net_set_fate_func (world->net, lose, NULL);
  fake_net_show_latency (world->net, FALSE);
  guint64 first = add_imports (N_RUNNING);
  for (guint i = 0; i < N_RUNNING; i++)
    finish (first + i);
  steal_world_advance (world, RESEND_US / 2);
  for (guint i = 0; i < N_CASES; i++)
    {
      steal_world_advance (world, 1);
      acknowledge (first + N_RUNNING - 1 - i);
    }
  g_assert_cmpuint (steal_count_held (steal), ==, N_RUNNING - N_CASES);
}

/* ---- exported jobs ---- */

/* These jobs are not children of imported jobs. */
static void
export_many (void)
{
  steal_world_add_jobs (world, HERE, N_EXPORTED);
  for (guint i = 0; i < N_EXPORTED; i++)
    {
      const StealTaken taken = { .handle = GUINT_TO_POINTER (i + 1) };
      steal_add_export (steal, &taken, THIEF);
    }
}

static void
test_new_lineages (gpointer *fixture, gconstpointer user_data)
{
  export_many ();
  add_imports (N_CASES);
  for (guint i = 0; i < N_CASES; i++)
    {
      const StealName name = name_of (i);
      StealLineage lineage = { .index = name.index, .generation = name.generation };
      lineage.lineage = g_bytes_get_data (steal->rooted, &lineage.n_lineage);
      inject (STEAL_LINEAGE, &StealLineage_record, &lineage);
    }
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 0);
}

static void
test_aborts (gpointer *fixture, gconstpointer user_data)
{
  export_many ();
  add_imports (N_CASES);
  for (guint i = 0; i < N_CASES; i++)
    {
      const StealName name = name_of (i);
      inject (STEAL_ABORT, &StealName_record, &name);
    }
  g_assert_cmpuint (steal_count_exported (steal), ==, N_EXPORTED);
}

/* The thief of this node's jobs leaves as well. */
static void
test_jobs_that_go_back (gpointer *fixture, gconstpointer user_data)
{
  export_many ();
  add_imports (N_CASES);
  fake_net_say_leaving (world->net, THIEF);
  guint n_sent = fake_net_count_sent (world->net);
  steal->losses->leave.is_stopped = TRUE;
  steal_let_go (steal);
  g_assert_cmpuint (fake_net_count_sent (world->net) - n_sent, ==, N_CASES);
  g_assert_false (steal->losses->leave.has_let_go);
}

static void
test_lost_jobs (gpointer *fixture, gconstpointer user_data)
{
  FakeRecovery recovery;
  fake_recovery_init (&recovery);
  steal_set_recovery (steal, &recovery.base);
  export_many ();
  fake_net_remove (world->net, THIEF, SATIN_PEER_DIED);
  g_assert_cmpuint (steal->losses->back.jobs->len, ==, N_EXPORTED);
  steal_world_advance (world, G_USEC_PER_SEC);
  g_assert_cmpuint (steal->losses->back.jobs->len, ==, 0);
  g_assert_cmpuint (steal_world_job (world, N_EXPORTED - 1)->n_put_back, ==, 1);
  steal_set_recovery (steal, NULL);
  GQueue *hints = &steal_world_node (world, HERE)->hints_back;
  g_assert_cmpuint (hints->length, ==, N_EXPORTED);
  g_queue_clear_full (hints, recovery.base.ops->unref);
  fake_recovery_clear (&recovery);
}

#define ADD(path, test)                                                                            \
  g_test_add ("/core/steal-many/" path, gpointer, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("results-that-are-acknowledged", test_results_that_are_acknowledged);
  ADD ("results-that-end-one-by-one", test_results_that_end_one_by_one);
  ADD ("late-acknowledgements", test_late_acknowledgements);
  ADD ("new-lineages", test_new_lineages);
  ADD ("aborts", test_aborts);
  ADD ("jobs-that-go-back", test_jobs_that_go_back);
  ADD ("lost-jobs", test_lost_jobs);
  return g_test_run ();
}
