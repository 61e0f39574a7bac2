/* test-share.c - tests shared objects in tasks: views, updates, guards
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

#include "objects/private.h"

static SatinWorkers *
workers_new (guint n)
{
  g_autoptr (GError) error = NULL;
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = n,
                                  .deque_slots = 4096 };
  SatinWorkers *workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  return workers;
}

/* ---- what one worker sees ---- */

SATIN_TASK (nothing, (void)) {}

SATIN_TASK (see_start, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  return SATIN_READ (tour, best)->length;
}

SATIN_TASK (see_before_poll, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  const tour_state *seen = SATIN_READ (tour, best);
  SATIN_UPDATE (best, tour, improve, 60, NULL, 0);
  return seen->length + SATIN_READ (tour, best)->length;
}

SATIN_TASK (see_after_poll, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  SATIN_READ (tour, best);
  SATIN_UPDATE (best, tour, improve, 60, NULL, 0);
  satin_poll ();
  return SATIN_READ (tour, best)->length;
}

SATIN_TASK (see_after_spawn, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  SATIN_READ (tour, best);
  SATIN_UPDATE (best, tour, improve, 60, NULL, 0);
  SATIN_SPAWN (NULL, nothing);
  gint64 length = SATIN_READ (tour, best)->length;
  SATIN_SYNC ();
  return length;
}

SATIN_TASK (see_after_sync, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  SATIN_READ (tour, best);
  SATIN_SPAWN (NULL, nothing);
  SATIN_UPDATE (best, tour, improve, 60, NULL, 0);
  SATIN_SYNC ();
  return SATIN_READ (tour, best)->length;
}

SATIN_TASK (leave_better, (void))
{
  SATIN_UPDATE (SATIN_NEW (tour, "best", 100, NULL, 0), tour, improve, 40, NULL, 0);
}

typedef struct
{
  const SatinTask *task;
  gint64 length;
} Sight;

static void
test_sight (gconstpointer data)
{
  const Sight *sight = data;
  g_autoptr (SatinWorkers) workers = workers_new (1);
  g_autoptr (GError) error = NULL;
  gint64 length = 0;
  satin_workers_run_task (workers, sight->task, &(see_start_args){}, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpint (length, ==, sight->length);
}

static void
test_next_job (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (1);
  gint64 length = 0;
  g_assert_true (satin_run (workers, &length, see_start, NULL));
  g_assert_true (satin_run (workers, NULL, leave_better, NULL));
  g_assert_true (satin_run (workers, &length, see_start, NULL));
  g_assert_cmpint (length, ==, 40);
}

static void
test_from_outside (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (1);
  gint64 length = 0;
  g_assert_true (satin_run (workers, &length, see_start, NULL));
  tour_improve_args better = { 30, NULL, 0 };
  g_assert_true (satin_objects_update (satin_objects_of (workers), satin_object_id ("tour", "best"),
                                       &tour_improve_method, &better));
  g_assert_true (satin_run (workers, &length, see_start, NULL));
  g_assert_cmpint (length, ==, 30);
}

static void
test_one_store (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (2);
  g_assert_true (satin_objects_of (workers) == satin_objects_of (workers));
}

static void
test_two_nodes (void)
{
  g_autoptr (SatinWorkers) one = workers_new (1);
  g_autoptr (SatinWorkers) other = workers_new (1);
  gint64 length = 0;
  g_assert_true (satin_run (one, NULL, leave_better, NULL));
  g_assert_true (satin_run (other, &length, see_start, NULL));
  g_assert_cmpint (length, ==, 100);
}

/* ---- many workers ---- */

/* Each leaf reads the length, lowers it to @from if @from is less, and reads it again. Returns: how
 * many leaves then read a length that is too large */
SATIN_TASK (improve_all, (long), (object, best), (int, from), (int, to))
{
  if (to - from == 1)
    {
      gint64 before = SATIN_READ (tour, best)->length;
      if (from < before)
        SATIN_UPDATE (best, tour, improve, from, &from, 1);
      satin_poll ();
      return SATIN_READ (tour, best)->length > MIN (before, from);
    }
  gint64 low, high;
  gint32 middle = from + (to - from) / 2;
  SATIN_SPAWN (&low, improve_all, best, from, middle);
  SATIN_SPAWN (&high, improve_all, best, middle, to);
  SATIN_SYNC ();
  return low + high;
}

SATIN_TASK (improve_root, (long), (int, n))
{
  SatinObject best = SATIN_NEW (tour, "best", n, NULL, 0);
  gint64 n_grown;
  SATIN_SPAWN (&n_grown, improve_all, best, 0, n);
  SATIN_SYNC ();
  const tour_state *tour = SATIN_READ (tour, best);
  return n_grown + tour->length + tour->cities[0];
}

static void
test_many (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (4);
  gint64 result = -1;
  g_assert_true (satin_run (workers, &result, improve_root, NULL, 20000));
  g_assert_cmpint (result, ==, 0);
}

/* ---- a worker that is not told of changes ---- */

static void
ignore (gpointer watch)
{
}

static const ObjectsWatch deaf = { .changed = ignore, .arrived = ignore };

static guint has_begun; /* atomic */

SATIN_TASK (see_stolen, (long), (object, best))
{
  SATIN_STORE (&has_begun, 1);
  return SATIN_READ (tour, best)->length;
}

/* Another worker reads the length twice, with an update between. Returns: the sum of both
 * lengths */
SATIN_TASK (see_twice, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  gint64 lengths[2];
  for (guint i = 0; i < 2; i++)
    {
      SATIN_STORE (&has_begun, 0);
      SATIN_SPAWN (&lengths[i], see_stolen, best);
      while (!SATIN_LOAD (&has_begun))
        satin_poll ();
      SATIN_SYNC ();
      SATIN_UPDATE (best, tour, improve, 50, NULL, 0);
    }
  return lengths[0] + lengths[1];
}

static void
test_stolen (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (2);
  objects_set_watch (satin_objects_of (workers), &deaf, NULL);
  gint64 lengths = 0;
  g_assert_true (satin_run (workers, &lengths, see_twice, NULL));
  g_assert_cmpint (lengths, ==, 150);
}

static void
test_brought (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (1);
  objects_set_watch (satin_objects_of (workers), &deaf, NULL);
  gint64 length = 0;
  g_assert_true (satin_run (workers, &length, see_start, NULL));
  g_assert_true (satin_run (workers, NULL, leave_better, NULL));
  g_assert_true (satin_run (workers, &length, see_start, NULL));
  g_assert_cmpint (length, ==, 40);
}

/* A caller that does not tell the worker makes an update. The worker sees it with its own next
 * update. */
SATIN_TASK (see_untold, (long))
{
  SatinObject best = SATIN_NEW (tour, "best", 100, NULL, 0);
  gint64 before = SATIN_READ (tour, best)->length;
  tour_improve_args better = { 40, NULL, 0 };
  satin_objects_update (satin_objects_of (satin_worker_get_workers (satin_worker_)), best,
                        &tour_improve_method, &better);
  SATIN_UPDATE (best, tour, improve, 60, NULL, 0);
  satin_poll ();
  return before + SATIN_READ (tour, best)->length;
}

static void
test_untold (void)
{
  g_autoptr (SatinWorkers) workers = workers_new (1);
  objects_set_watch (satin_objects_of (workers), &deaf, NULL);
  gint64 lengths = 0;
  g_assert_true (satin_run (workers, &lengths, see_untold, NULL));
  g_assert_cmpint (lengths, ==, 140);
}

/* ---- questions of the stealing between nodes ---- */

SATIN_TASK (rely, (void), (object, list), (version, least)) {}

SATIN_GUARD (rely, (object, list), (version, least))
{
  return SATIN_LOOK (numbers, list)->n_values % 2 == 0;
}

typedef struct
{
  SatinWorkers *workers;
  SatinObjects *objects;
  SatinSharing *sharing;
  SatinObject list;
  guint n_arrived;
  SatinNodeId wanted_from;
  gint64 wanted_version;
} Asked;

static void
note_arrived (gpointer host)
{
  ((Asked *)host)->n_arrived++;
}

static void
note_want (gpointer host, SatinNodeId from, SatinObject id, gint64 version)
{
  Asked *self = host;
  self->wanted_from = from;
  self->wanted_version = version;
}

static void
note_changed (gpointer host)
{
}

static void
asked_init (Asked *self)
{
  static const SatinSharingHost stealing = { .struct_size = sizeof stealing,
                                             .arrived = note_arrived };
  static const SatinObjectsHost replicator = { .struct_size = sizeof replicator,
                                               .changed = note_changed,
                                               .want = note_want };
  *self = (Asked){ .workers = workers_new (1) };
  self->objects = satin_objects_of (self->workers);
  self->sharing = satin_workers_get_sharing (self->workers);
  self->list = satin_object_id ("numbers", "list");
  self->sharing->ops->attach (self->sharing, &stealing, self);
  satin_objects_set_host (self->objects, &replicator, self, 1);
}

static void
asked_done (Asked *self)
{
  self->sharing->ops->attach (self->sharing, NULL, NULL);
  satin_objects_set_host (self->objects, NULL, NULL, 0);
  satin_workers_free (self->workers);
}

static void
asked_create (Asked *self)
{
  satin_objects_create (self->objects, &numbers_type, "list", &(numbers_packed){ NULL, 0 }, NULL);
}

static gboolean
asked_has (Asked *self, gint64 version)
{
  return self->sharing->ops->has (self->sharing, self->list, version);
}

static void
test_has (void)
{
  Asked asked;
  asked_init (&asked);
  g_assert_false (asked_has (&asked, 0));
  asked_create (&asked);
  g_assert_true (asked_has (&asked, 0));
  g_assert_false (asked_has (&asked, 1));
  numbers_add (asked.objects, asked.list, 5);
  g_assert_true (asked_has (&asked, 1));
  asked_done (&asked);
}

static void
test_wants (void)
{
  Asked asked;
  asked_init (&asked);
  asked.sharing->ops->want (asked.sharing, 7, asked.list, 3);
  g_assert_cmpuint (asked.wanted_from, ==, 7);
  g_assert_cmpint (asked.wanted_version, ==, 3);
  asked_done (&asked);
}

static void
test_wants_of_nobody (void)
{
  Asked asked;
  asked_init (&asked);
  satin_objects_set_host (asked.objects, NULL, NULL, 0);
  asked.sharing->ops->want (asked.sharing, 7, asked.list, 3);
  g_assert_cmpuint (asked.wanted_from, ==, 0);
  asked_done (&asked);
}

static void
test_arrives (void)
{
  Asked asked;
  asked_init (&asked);
  g_autoptr (GBytes) packed = g_bytes_new_static ("", 1);
  g_assert_true (satin_objects_install (asked.objects, asked.list, "numbers", packed, NULL));
  g_assert_cmpuint (asked.n_arrived, ==, 1);
  gint64 value = 5;
  g_autoptr (GBytes) args =
      satin_record_to_bytes (&numbers_add_args_record, &(numbers_add_args){ &value, 1 });
  g_assert_true (satin_objects_apply (asked.objects, asked.list, "add", args, NULL));
  g_assert_cmpuint (asked.n_arrived, ==, 2);
  asked_done (&asked);
}

static void
test_guard_looks (void)
{
  Asked asked;
  asked_init (&asked);
  asked_create (&asked);
  const rely_args args = { asked.list, 0 };
  for (gint64 n = 0; n < 4; n++)
    {
      g_assert_true (asked_has (&asked, n));
      g_assert_cmpint (rely_task.guard (asked.sharing, &args), ==, n % 2 == 0);
      numbers_add (asked.objects, asked.list, n);
    }
  asked_done (&asked);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    Sight sight;
  } sights[] = {
    { "/so/share/view/begins-with-what-was-made", { &see_start_task, 100 } },
    { "/so/share/view/stays-to-the-next-safe-point", { &see_before_poll_task, 200 } },
    { "/so/share/view/is-newer-after-a-poll", { &see_after_poll_task, 60 } },
    { "/so/share/view/is-newer-after-a-spawn", { &see_after_spawn_task, 60 } },
    { "/so/share/view/is-newer-after-a-sync", { &see_after_sync_task, 60 } },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sights); i++)
    g_test_add_data_func (sights[i].name, &sights[i].sight, test_sight);
  g_test_add_func ("/so/share/view/is-newer-in-the-next-job", test_next_job);
  g_test_add_func ("/so/share/view/shows-updates-from-outside", test_from_outside);
  g_test_add_func ("/so/share/store/is-one-for-all-workers", test_one_store);
  g_test_add_func ("/so/share/store/is-another-for-other-workers", test_two_nodes);
  g_test_add_func ("/so/share/many-workers-improve-one", test_many);
  g_test_add_func ("/so/share/has/an-object-from-that-version-on", test_has);
  g_test_add_func ("/so/share/want/asks-the-replicator", test_wants);
  g_test_add_func ("/so/share/want/is-nothing-without-one", test_wants_of_nobody);
  g_test_add_func ("/so/share/arrived/is-told-of-what-others-sent", test_arrives);
  g_test_add_func ("/so/share/guard/sees-the-newest", test_guard_looks);
  g_test_add_func ("/so/share/begin/a-stolen-job-sees-the-newest", test_stolen);
  g_test_add_func ("/so/share/begin/a-job-from-outside-sees-the-newest", test_brought);
  g_test_add_func ("/so/share/begin/the-own-update-shows-an-untold-one", test_untold);
  return g_test_run ();
}
