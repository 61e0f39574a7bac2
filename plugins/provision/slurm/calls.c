/* calls.c - runs commands of Slurm and of the system, one after another
 *
 * One command runs at a time, so that the output of squeue reflects all earlier commands. Work on
 * files is done by commands too, because the folder may be slow and the loop must not wait.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The most bytes that a command may print. Squeue prints about 1 MiB for 4,096 machines. */
#define OUTPUT_MAX ((gsize)16 << 20)

/* How much of a command's standard error is kept. */
#define ERRORS_MAX 4096

#define FILES_PATIENCE_US ((gint64)600 * G_USEC_PER_SEC)

static void begin (Slurm *self);

GPtrArray *
call_arguments (const char *first, ...)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);
  va_list rest;
  va_start (rest, first);
  for (const char *text = first; text != NULL; text = va_arg (rest, const char *))
    call_add_argument (arguments, text);
  va_end (rest);
  return arguments;
}

void
call_add_argument (GPtrArray *arguments, const char *text)
{
  g_ptr_array_add (arguments, g_strdup (text));
}

GStrv
calls_environment (void)
{
  GStrv variables = g_get_environ ();
  g_auto (GStrv) names = g_listenv ();
  for (char **name = names; *name != NULL; name++)
    if (g_str_has_prefix (*name, "SQUEUE_") || g_str_has_prefix (*name, "SINFO_")
        || g_str_has_prefix (*name, "SCANCEL_"))
      variables = g_environ_unsetenv (variables, *name);
  variables = g_environ_setenv (variables, "SLURM_TIME_FORMAT", "%s", TRUE);
  return g_environ_setenv (variables, "LC_ALL", "C", TRUE);
}

/* ---- the end of a call ---- */

static void
call_free (Call *self)
{
  g_ptr_array_unref (self->arguments);
  g_clear_pointer (&self->input, g_bytes_unref);
  satin_command_free (self->command);
  if (self->error_fd >= 0)
    close (self->error_fd);
  g_free (self);
}

/* Removes the first call and reports its result. */
static void
end (Slurm *self, const char *output, const GError *error)
{
  Call *call = g_queue_pop_head (&self->calls);
  satin_loop_timer_cancel (self->loop, &call->timer);
  if (call->done != NULL)
    call->done (self, output, error, call->data);
  call_free (call);
}

static const char *
get_name (const Call *self)
{
  return self->arguments->pdata[0];
}

static GError *
overdue_error (const Slurm *self, const Call *call)
{
  return g_error_new (
      SATIN_ERROR, SATIN_ERROR_TIMEOUT,
      "%s has not ended after %.3g s: %s, or patience is too short", get_name (call),
      (double)(call->is_long ? FILES_PATIENCE_US : self->settings.patience_us) / G_USEC_PER_SEC,
      call->is_long ? "the folder is slow" : "slurmctld does not answer");
}

static GError *
refusal (const Call *call)
{
  char text[ERRORS_MAX + 1] = "";
  if (pread (call->error_fd, text, ERRORS_MAX, 0) < 0)
    text[0] = '\0';
  g_autofree char *complaint = answers_read_complaint (text);
  gboolean is_unreachable = strstr (text, "Unable to contact slurm controller") != NULL
                            || strstr (text, "Socket timed out") != NULL
                            || strstr (text, "Zero Bytes were transmitted") != NULL;
  return g_error_new (SATIN_ERROR, is_unreachable ? SATIN_ERROR_UNREACHABLE : SATIN_ERROR_INVALID,
                      "%s: %s", get_name (call), complaint);
}

static void
on_ended (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  Slurm *self = user_data;
  Call *call = g_queue_peek_head (&self->calls);
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  const char *bytes = g_bytes_get_data (output, &n_bytes);
  if (call->is_overdue)
    error = overdue_error (self, call);
  else if (!satin_command_check (wait_status, NULL))
    error = refusal (call);
  else if (n_bytes >= OUTPUT_MAX)
    g_set_error (&error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s prints more than %d MiB",
                 get_name (call), (int)(OUTPUT_MAX >> 20));
  g_autofree char *text = error == NULL ? g_strndup (bytes != NULL ? bytes : "", n_bytes) : NULL;
  end (self, text, error);
  begin (self);
}

static void
on_overdue (gpointer user_data)
{
  Slurm *self = user_data;
  Call *call = g_queue_peek_head (&self->calls);
  call->timer = 0;
  call->is_overdue = TRUE;
  satin_command_signal (call->command, SIGKILL);
}

void
calls_interrupt (Slurm *self)
{
  g_autoptr (GError) error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CANCELLED, "it was interrupted");
  while (!g_queue_is_empty (&self->calls))
    end (self, NULL, error);
}

/* ---- the start of a call ---- */

/* Makes a file in memory that cannot grow. Returns: -1 on failure */
static int
make_error_file (void)
{
  int fd = memfd_create ("errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd >= 0 && ftruncate (fd, ERRORS_MAX) == 0 && fcntl (fd, F_ADD_SEALS, F_SEAL_GROW) == 0)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static SatinCommand *
start (Slurm *self, Call *call, GError **error)
{
  call->error_fd = make_error_file ();
  if (call->error_fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make a file in memory");
      return NULL;
    }
  g_ptr_array_add (call->arguments, NULL);
  const SatinCommandOptions options = {
    .arguments = (const char *const *)call->arguments->pdata,
    .environment = (const char *const *)self->environment,
    .secret = call->input,
    .error_fd = &call->error_fd,
    .max_output_bytes = OUTPUT_MAX,
  };
  return satin_command_start (satin_loop_get_context (self->loop), &options, on_ended, self, error);
}

/* Starts the first call of the queue. A call that cannot be started fails, and the next one is
 * tried. */
static void
begin (Slurm *self)
{
  for (Call *call; (call = g_queue_peek_head (&self->calls)) != NULL && call->command == NULL;)
    {
      g_autoptr (GError) error = NULL;
      call->command = start (self, call, &error);
      if (call->command == NULL)
        end (self, NULL, error);
      else
        call->timer = satin_loop_timer_add (
            self->loop, call->is_long ? FILES_PATIENCE_US : self->settings.patience_us, on_overdue,
            self);
    }
}

static void
on_begin (gpointer user_data)
{
  Slurm *self = user_data;
  self->is_calling = FALSE;
  begin (self);
}

void
call_add (Slurm *self, const Call *given)
{
  Call *call = g_memdup2 (given, sizeof *given);
  call->error_fd = -1;
  g_queue_push_tail (&self->calls, call);
  if (!self->is_calling)
    satin_loop_post (self->loop, on_begin, self);
  self->is_calling = TRUE;
}
