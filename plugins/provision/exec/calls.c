/* calls.c - calls the script, and reads the list of machines that it prints
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-exec.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* The most bytes of a script's output that are kept. A list of that size is refused. */
#define MAX_OUTPUT_BYTES (1 << 20)

/* How much of the script's output a message shows. */
#define MAX_TOLD_BYTES 200

SatinCommand *
call_script (Exec *self, const char *const *words, const char *const *command,
             SatinCommandFunc ended, gpointer user_data, GError **error)
{
  g_autoptr (GPtrArray) line = g_ptr_array_new ();
  g_ptr_array_add (line, self->script);
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (line, (gpointer)words[i]);
  if (command != NULL)
    g_ptr_array_add (line, (gpointer) "--");
  for (guint i = 0; command != NULL && command[i] != NULL; i++)
    g_ptr_array_add (line, (gpointer)command[i]);
  g_ptr_array_add (line, NULL);
  const SatinCommandOptions options = {
    .arguments = (const char *const *)line->pdata,
    .environment = (const char *const *)self->environment,
    .secret = command != NULL ? self->start->secret : NULL,
    .max_output_bytes = MAX_OUTPUT_BYTES,
  };
  return satin_command_start (satin_loop_get_context (self->loop), &options, ended, user_data,
                              error);
}

/* Returns: (transfer full): the first line, without control characters */
static char *
first_line (GBytes *output)
{
  gsize n;
  const char *bytes = g_bytes_get_data (output, &n);
  g_autofree char *text = g_strndup (bytes != NULL ? bytes : "", MIN (n, MAX_TOLD_BYTES));
  char *end = strpbrk (text, "\r\n");
  if (end != NULL)
    *end = '\0';
  char *valid = g_utf8_make_valid (text, -1);
  for (char *at = valid; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  return valid;
}

GError *
call_failure (const Exec *self, const char *verb, int wait_status, GBytes *output,
              gboolean is_overdue)
{
  g_autoptr (GError) how = NULL;
  if (!is_overdue && satin_command_check (wait_status, &how))
    return NULL;
  if (is_overdue)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s %s took too long and was killed",
                        self->script, verb);
  gboolean has_no_room = WIFEXITED (wait_status) && WEXITSTATUS (wait_status) == SCRIPT_NO_ROOM;
  g_autofree char *line = first_line (output);
  return g_error_new (SATIN_ERROR, has_no_room ? SATIN_ERROR_LIMIT : SATIN_ERROR_IO, "%s %s %s%s%s",
                      self->script, verb, how->message, *line != '\0' ? ": " : "", line);
}

/* ---- the list ---- */

static Machine *
find_machine (Exec *self, const char *name)
{
  for (guint i = 0; i < self->machines->len; i++)
    {
      Machine *machine = g_ptr_array_index (self->machines, i);
      if (strcmp (satin_lease_get_name (machine->lease), name) == 0)
        return machine;
    }
  return NULL;
}

/* Takes a line "NAME", "NAME ended STATUS" or "NAME leaves SECONDS". Machines of other provisioners
 * are ignored. */
static void
take_line (Exec *self, char *line)
{
  guint64 number = 0;
  g_auto (GStrv) words = g_strsplit_set (g_strstrip (line), " \t", -1);
  guint n_words = g_strv_length (words);
  Machine *machine = n_words > 0 ? find_machine (self, words[0]) : NULL;
  if (machine == NULL)
    return;
  gboolean is_known = n_words == 3
                      && (strcmp (words[1], "ended") == 0 || strcmp (words[1], "leaves") == 0)
                      && g_ascii_string_to_unsigned (words[2], 10, 0, G_MAXINT32, &number, NULL);
  if (n_words != 1 && !is_known)
    g_warning ("%s list: a line about %s says neither \"ended STATUS\" nor \"leaves SECONDS\"",
               self->script, words[0]);
  machine_take_line (machine, is_known ? words[1] : NULL, (gint64)number);
}

/* Takes the list that the script has printed. Ends each machine that ran when the list began, and
 * is not in it. */
static void
take_list (Exec *self, GBytes *output)
{
  gsize n;
  const char *bytes = g_bytes_get_data (output, &n);
  g_autofree char *text = g_strndup (bytes != NULL ? bytes : "", n);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    take_line (self, lines[i]);
  for (guint i = 0; i < self->machines->len; i++)
    {
      Machine *machine = g_ptr_array_index (self->machines, i);
      if (machine->is_seen && machine->state == MACHINE_RUNNING)
        machine_end (machine,
                     g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "%s is not there any more",
                                  satin_lease_get_name (machine->lease)));
    }
}

static void
on_list_ended (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  Exec *self = user_data;
  gboolean is_overdue = self->list_timer == 0;
  g_autoptr (GError) error = call_failure (self, "list", wait_status, output, is_overdue);
  satin_loop_timer_cancel (self->loop, &self->list_timer);
  g_clear_pointer (&self->list, satin_command_free);
  if (error == NULL && g_bytes_get_size (output) >= MAX_OUTPUT_BYTES)
    g_set_error (&error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s list prints too much", self->script);
  if (error == NULL)
    take_list (self, output);
  else if (!self->is_list_deaf)
    g_warning ("what became of the machines is not known: %s", error->message);
  self->is_list_deaf = error != NULL;
  poll_soon (self);
}

static void
on_list_overdue (gpointer user_data)
{
  Exec *self = user_data;
  self->list_timer = 0;
  satin_command_signal (self->list, SIGKILL);
}

static void
on_poll (gpointer user_data)
{
  static const char *const words[] = { "list", NULL };
  Exec *self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_wanted = FALSE;
  self->poll_timer = 0;
  for (guint i = 0; i < self->machines->len; i++)
    {
      Machine *machine = g_ptr_array_index (self->machines, i);
      machine->is_seen = machine->state == MACHINE_RUNNING;
      is_wanted |= machine->is_seen;
    }
  if (is_wanted)
    self->list = call_script (self, words, NULL, on_list_ended, self, &error);
  if (self->list != NULL)
    self->list_timer = satin_loop_timer_add (self->loop, self->timeout_us, on_list_overdue, self);
  else
    poll_soon (self);
}

void
poll_soon (Exec *self)
{
  if (self->poll_timer == 0 && self->list == NULL && self->machines->len > 0)
    self->poll_timer = satin_loop_timer_add (self->loop, self->poll_us, on_poll, self);
}
