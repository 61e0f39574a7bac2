/* pool.c - the processes of a sweep, which a signal ends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"
#include "screen/stop-signals.h"

#include <satin/base/child.h>

struct _SweepPool
{
  const char *path;          /* (borrowed) */
  char **argv;               /* (borrowed) */
  GPtrArray *running;        /* (owned) (element-type GSubprocess) (owned) */
  GCancellable *cancellable; /* (owned) ends the wait for the processes */
  StopSignals *signals;      /* (owned) */
  int signal_number;         /* the first signal, 0 for none */
};

static void
on_stop (int signal_number, gpointer user_data)
{
  SweepPool *self = user_data;
  if (self->signal_number != 0)
    {
      g_cancellable_cancel (self->cancellable);
      return;
    }
  self->signal_number = signal_number;
  for (guint i = 0; i < self->running->len; i++)
    g_subprocess_force_exit (g_ptr_array_index (self->running, i));
}

SweepPool *
sweep_pool_new (const char *path, char **argv)
{
  SweepPool *self = g_new0 (SweepPool, 1);
  self->path = path;
  self->argv = argv;
  self->running = g_ptr_array_new_with_free_func (g_object_unref);
  self->cancellable = g_cancellable_new ();
  self->signals = stop_signals_watch (on_stop, self);
  return self;
}

GSubprocess *
sweep_pool_start (SweepPool *self, const char *world, GAsyncReadyCallback func, gpointer user_data,
                  GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_ptr_array_add (argv, (gpointer)self->path);
  for (char **word = self->argv + 1; *word != NULL; word++)
    g_ptr_array_add (argv, *word);
  g_ptr_array_add (argv, NULL);
  SatinChildSetup setup;
  satin_child_setup_init (&setup);
  g_subprocess_launcher_set_child_setup (launcher, satin_child_prepare, &setup, NULL);
  if (world != NULL)
    g_subprocess_launcher_setenv (launcher, "SATIN_WORLD", world, TRUE);
  else
    g_subprocess_launcher_unsetenv (launcher, "SATIN_WORLD");
  GSubprocess *process =
      g_subprocess_launcher_spawnv (launcher, (const char *const *)argv->pdata, error);
  if (process == NULL)
    return NULL;
  g_ptr_array_add (self->running, g_object_ref (process));
  g_subprocess_communicate_utf8_async (process, NULL, self->cancellable, func, user_data);
  return process;
}

gboolean
sweep_pool_finish (SweepPool *self, GSubprocess *process, GAsyncResult *result, char **ret_stdout,
                   char **ret_stderr, GError **error)
{
  g_ptr_array_remove_fast (self->running, process);
  return g_subprocess_communicate_utf8_finish (process, result, ret_stdout, ret_stderr, error);
}

void
sweep_pool_wait (SweepPool *self)
{
  while (self->running->len > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
keep_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **ret_result = user_data;
  *ret_result = g_object_ref (result);
}

GSubprocess *
sweep_pool_run (SweepPool *self, const char *world, char **ret_stdout, char **ret_stderr,
                GError **error)
{
  GAsyncResult *result = NULL;
  GSubprocess *process = sweep_pool_start (self, world, keep_result, &result, error);
  while (process != NULL && result == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (process != NULL && !sweep_pool_finish (self, process, result, ret_stdout, ret_stderr, error))
    g_clear_object (&process);
  g_clear_object (&result);
  return process;
}

guint
sweep_pool_count (const SweepPool *self)
{
  return self->running->len;
}

int
sweep_pool_get_signal (const SweepPool *self)
{
  return self->signal_number;
}

void
sweep_pool_free (SweepPool *self)
{
  if (self == NULL)
    return;
  stop_signals_free (self->signals);
  g_ptr_array_unref (self->running);
  g_object_unref (self->cancellable);
  g_free (self);
}
