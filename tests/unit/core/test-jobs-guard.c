/* test-jobs-guard.c - tests jobs of other nodes that wait for shared objects
 *
 * Node 2 has a SatinSharing, a fake in this test: it says which objects are there. Node 1 runs the
 * root job and has none, because a node checks imported jobs only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs-world.h"

TASK_NOTHING ()

#define OBJECT  77
#define VERSION 3

static Gate there = GATE_CLOSED; /* opened when a job has run on node 2 */

typedef struct
{
  SatinSharing sharing;
  const SatinSharingHost *host;
  gpointer host_data;
  gint64 version;   /* of the object; -1: the object is not here */
  gboolean is_good; /* the answer of the guards */
  guint n_wanted, n_refreshed;
  SatinNodeId from;
} FakeSharing;

static FakeSharing fake;
static int n_there; /* atomic: jobs that node 2 has run */

static void
fake_refresh (SatinSharing *self, guint worker)
{
  SATIN_ADD (&fake.n_refreshed, 1);
}

static gboolean
fake_has (SatinSharing *self, gint64 object, gint64 version)
{
  g_assert_cmpint (object, ==, OBJECT);
  return fake.version >= version;
}

/* The object arrives, a moment after it was asked for. */
static void
arrive (gpointer data)
{
  fake.version = VERSION;
  fake.is_good = TRUE;
  fake.host->arrived (fake.host_data);
}

static void
fake_want (SatinSharing *self, SatinNodeId from, gint64 object, gint64 version)
{
  fake.from = from;
  if (fake.n_wanted++ == 0)
    satin_loop_post (world_loop, arrive, NULL);
}

static void
fake_attach (SatinSharing *self, const SatinSharingHost *host, gpointer host_data)
{
  fake.host = host;
  fake.host_data = host_data;
}

static void
fake_free (SatinSharing *self)
{
}

static const SatinSharingOps fake_ops = {
  .struct_size = sizeof (SatinSharingOps),
  .refresh = fake_refresh,
  .has = fake_has,
  .want = fake_want,
  .attach = fake_attach,
  .free = fake_free,
};

static gboolean
is_on_node_2 (SatinWorker *worker)
{
  return satin_worker_get_workers (worker) == world_nodes[1].workers;
}

static void
note_where (SatinWorker *worker)
{
  if (!is_on_node_2 (worker))
    return;
  g_assert_cmpint (fake.version, ==, VERSION);
  g_assert_true (fake.is_good);
  SATIN_ADD (&n_there, 1);
  gate_open (&there);
}

SATIN_TASK (versioned, (int), (object, o), (version, v), (int, n))
{
  note_where (satin_worker_);
  return n;
}

SATIN_TASK (guarded, (int), (object, o), (int, n))
{
  note_where (satin_worker_);
  return n;
}

SATIN_GUARD (guarded, (object, o), (int, n))
{
  g_assert_cmpint (o, ==, OBJECT);
  return fake.is_good;
}

#define SPAWN_UNTIL_THERE(...)                                                                     \
  gint32 results[200], n_spawned = 0, sum = 0;                                                     \
  for (; n_spawned < 200 && !gate_is_open (&there); n_spawned++)                                   \
    {                                                                                              \
      SATIN_SPAWN (&results[n_spawned], __VA_ARGS__, 1);                                           \
      for (guint i = 0; i < 100 && !gate_is_open (&there); i++)                                    \
        {                                                                                          \
          SATIN_SPAWN (NULL, nothing);                                                             \
          sched_yield ();                                                                          \
        }                                                                                          \
    }                                                                                              \
  while (!gate_is_open (&there))                                                                   \
    SPAWN_UNTIL (gate_is_open (&there))                                                            \
  SATIN_SYNC ();                                                                                   \
  for (gint32 i = 0; i < n_spawned; i++)                                                           \
    sum += results[i];                                                                             \
  return sum - n_spawned;

SATIN_TASK (spawn_versioned, (int)){ SPAWN_UNTIL_THERE (versioned, OBJECT, VERSION) }

SATIN_TASK (spawn_unshared, (int)){ SPAWN_UNTIL_THERE (versioned, 0, VERSION) }

SATIN_TASK (spawn_guarded, (int))
{
  SPAWN_UNTIL_THERE (guarded, OBJECT)
}

static void
run (const SatinTask *task, gint64 version, gboolean is_good)
{
  gint32 result = -1;
  g_autoptr (GError) error = NULL;
  fake = (FakeSharing){ .sharing.ops = &fake_ops, .version = version, .is_good = is_good };
  n_there = 0;
  gate_close (&there);
  world_begin (2, TRUE);
  g_assert_true (satin_workers_share (world_nodes[1].workers, &fake.sharing) == &fake.sharing);
  g_assert_true (world_run (task, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, 0);
  world_end ();
  g_assert_cmpint (n_there, >, 0);
}

static void
test_waits_for_an_object (void)
{
  run (&spawn_versioned_task, -1, TRUE);
  g_assert_cmpuint (fake.n_wanted, >, 0);
  g_assert_cmpuint (fake.from, ==, 1);
}

static void
test_waits_for_a_version (void)
{
  run (&spawn_versioned_task, VERSION - 1, TRUE);
  g_assert_cmpuint (fake.n_wanted, >, 0);
}

static void
test_waits_for_its_guard (void)
{
  run (&spawn_guarded_task, VERSION, FALSE);
  g_assert_cmpuint (fake.n_wanted, >, 0);
}

static void
test_begins_at_once (void)
{
  run (&spawn_guarded_task, VERSION, TRUE);
  g_assert_cmpuint (fake.n_wanted, ==, 0);
}

/* Object 0 means that there is no object. */
static void
test_waits_for_no_object (void)
{
  run (&spawn_unshared_task, VERSION, TRUE);
  g_assert_cmpuint (fake.n_wanted, ==, 0);
}

SATIN_TASK (poll_twice, (int))
{
  guint at_begin = fake.n_refreshed;
  satin_workers_refresh (satin_worker_get_workers (satin_worker_));
  g_assert_cmpuint (fake.n_refreshed, ==, at_begin);
  satin_worker_poll (satin_worker_, *satin_top_);
  satin_worker_poll (satin_worker_, *satin_top_);
  return (int)(fake.n_refreshed - at_begin);
}

static void
test_refresh_at_a_safe_point (void)
{
  fake = (FakeSharing){ .sharing.ops = &fake_ops };
  FakeSharing second = fake;
  gint32 result;
  SatinWorkers *workers = make_workers (1, 0);
  g_assert_null (satin_workers_get_sharing (workers));
  g_assert_true (satin_workers_share (workers, &fake.sharing) == &fake.sharing);
  g_assert_true (satin_workers_share (workers, &second.sharing) == &fake.sharing);
  g_assert_true (satin_run (workers, &result, poll_twice, NULL));
  g_assert_cmpint (result, ==, 1);
  satin_workers_free (workers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/jobs-guard/waits-for-an-object", test_waits_for_an_object);
  g_test_add_func ("/jobs-guard/waits-for-a-version", test_waits_for_a_version);
  g_test_add_func ("/jobs-guard/waits-for-its-guard", test_waits_for_its_guard);
  g_test_add_func ("/jobs-guard/begins-at-once", test_begins_at_once);
  g_test_add_func ("/jobs-guard/waits-for-no-object", test_waits_for_no_object);
  g_test_add_func ("/jobs-guard/refresh-at-a-safe-point", test_refresh_at_a_safe_point);
  return g_test_run ();
}
