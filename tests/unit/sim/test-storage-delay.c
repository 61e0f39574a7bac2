/* test-storage-delay.c - tests that calls of the storage plugin sim take time of the world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/disk.h>
#include <satin/sim/world.h>

#define SECOND ((gint64)1000000)

/* A world of one host, where a fiber appends to a file. */
typedef struct
{
  SatinSim *sim;                /* (owned) */
  SatinSimHost *host;           /* (borrowed) */
  const SatinThreadOps *thread; /* (borrowed) */
  SatinStorageOps ops;
  gpointer storage; /* (owned) */
  gint64 ended_us;  /* when the call ended, in the world's time */
  GError *error;    /* (owned) (nullable): the error of the call */
} World;

static void
world_init (World *self, const char *assignments)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_STORAGE, "sim", &error);
  g_assert_no_error (error);
  *self = (World){ .sim = satin_sim_new (&(SatinSimOptions){ .seed = 1 }) };
  self->host = satin_sim_add_host (self->sim, 0, 1);
  self->thread = satin_sim_thread_ops (self->sim, 0);
  satin_plugin_copy_ops (plugin, satin_storage_required, &self->ops, sizeof self->ops, NULL);
  g_autoptr (SatinParams) params =
      satin_params_parse_text (satin_plugin_get_desc (plugin)->params, assignments, &error);
  g_assert_no_error (error);
  self->storage = self->ops.open ("sim:disk", params, &error);
  g_assert_no_error (error);
}

static void
world_done (World *self)
{
  g_autoptr (SatinSimDisk) disk = satin_sim_disk_open ("disk");
  satin_sim_disk_remove (disk, "file");
  self->ops.close (self->storage);
  satin_sim_free (self->sim);
  g_clear_error (&self->error);
}

static void
append (gpointer user_data)
{
  World *self = user_data;
  self->ops.append (self->storage, "file", 0, (const guint8 *)"x", 1, &self->error);
  self->ended_us = self->thread->now_us ();
}

static void
start (gpointer user_data)
{
  World *self = user_data;
  g_autoptr (GError) error = NULL;
  self->thread->start (append, self, 65536, &error);
  g_assert_no_error (error);
}

static void
interrupt (gpointer user_data)
{
  World *self = user_data;
  self->ops.interrupt (self->storage);
}

static void
interrupt_at (World *self, gint64 time_us)
{
  satin_loop_timer_add (satin_sim_host_get_loop (self->host), time_us, interrupt, self);
}

static void
run (World *self)
{
  satin_sim_host_call (self->host, start, self);
  satin_sim_run (self->sim, G_MAXINT64, NULL, NULL);
}

static void
test_delay_is_of_the_world (void)
{
  World world;
  world_init (&world, "delay=3s");
  run (&world);
  g_assert_no_error (world.error);
  g_assert_cmpint (world.ended_us, ==, 3 * SECOND);
  world_done (&world);
}

static void
test_call_without_delay_takes_no_time (void)
{
  World world;
  world_init (&world, NULL);
  run (&world);
  g_assert_no_error (world.error);
  g_assert_cmpint (world.ended_us, ==, 0);
  world_done (&world);
}

static void
test_delay_ends_when_it_is_interrupted (void)
{
  World world;
  world_init (&world, "delay=3s");
  interrupt_at (&world, SECOND);
  run (&world);
  g_assert_error (world.error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  g_assert_cmpint (world.ended_us, ==, SECOND);
  world_done (&world);
}

static void
test_call_that_hangs_lets_time_pass (void)
{
  World world;
  world_init (&world, "hang-call=1");
  interrupt_at (&world, 5 * SECOND);
  run (&world);
  g_assert_error (world.error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  g_assert_cmpint (world.ended_us, ==, 5 * SECOND);
  world_done (&world);
}

static void
test_next_call_is_interrupted_when_none_runs (void)
{
  World world;
  world_init (&world, "delay=3s");
  world.ops.interrupt (world.storage);
  run (&world);
  g_assert_error (world.error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  g_assert_cmpint (world.ended_us, ==, 0);
  world_done (&world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/storage-delay/is-of-the-world", test_delay_is_of_the_world);
  g_test_add_func ("/sim/storage-delay/call-without-takes-no-time",
                   test_call_without_delay_takes_no_time);
  g_test_add_func ("/sim/storage-delay/ends-when-it-is-interrupted",
                   test_delay_ends_when_it_is_interrupted);
  g_test_add_func ("/sim/storage-delay/call-that-hangs-lets-time-pass",
                   test_call_that_hangs_lets_time_pass);
  g_test_add_func ("/sim/storage-delay/next-call-is-interrupted-when-none-runs",
                   test_next_call_is_interrupted_when_none_runs);
  return g_test_run ();
}
