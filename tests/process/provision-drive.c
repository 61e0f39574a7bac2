/* provision-drive.c - gives a provisioner the orders that come on standard input
 *
 *   provision-drive PROVISIONER [OPTION...] -- COMMAND [ARGUMENT...]
 *
 * PROVISIONER is as for satin_provision_open(). Each machine runs COMMAND.
 *
 *   --secret TEXT      the secret, which COMMAND reads from descriptor 3
 *   --secret-file FILE the same, from a file
 *   --variable K=V     a variable for the environment of COMMAND
 *   --program FILE     the program, which is brought to the machine
 *   --file FILE        a file that is brought to the machine
 *
 * Each line of standard input is an order, and the end of input means "close". Each callback of the
 * provisioner is printed as a line:
 *
 *   request TICKET N [CLUSTER]        granted TICKET CLUSTER NAME     refused TICKET N REASON
 *   cancel TICKET                     notice SECONDS NAME             ended NAME[: REASON]
 *   withdraw MILLISECONDS NAME        machine TICKET CLUSTER NAME     offer CLUSTER N
 *   list                              listed
 *   offers                            offered
 *   close                             closed[: ERROR]
 *
 * It ends with the status of the error of open or close. An empty cluster is printed as "-".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/provision.h>

#include <errno.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GMainLoop *main_loop;      /* (owned) */
  SatinProvision *provision; /* (owned) (nullable) */
  GString *input;            /* (owned) the beginning of a line that is not complete yet */
  GPtrArray *variables;      /* (owned) */
  GPtrArray *files;          /* (owned) */
  const char *program;
  GBytes *secret; /* (owned) (nullable) */
  int status;
} Drive;

static const char *
or_dash (const char *text)
{
  return *text != '\0' ? text : "-";
}

/* ---- callbacks of the provisioner ---- */

static void
on_granted (const SatinMachine *machine, gpointer user_data)
{
  printf ("granted %" G_GUINT64_FORMAT " %s %s\n", machine->request_id, or_dash (machine->cluster),
          machine->name);
}

static void
on_refused (guint64 request_id, guint n, const GError *reason, gpointer user_data)
{
  printf ("refused %" G_GUINT64_FORMAT " %u %s\n", request_id, n, reason->message);
}

static void
on_notice (const char *name, gint64 left_us, gpointer user_data)
{
  printf ("notice %" G_GINT64_FORMAT " %s\n", left_us / G_USEC_PER_SEC, name);
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  printf ("ended %s%s%s\n", name, reason != NULL ? ": " : "",
          reason != NULL ? reason->message : "");
}

static void
on_machine (const SatinMachine *machine, gpointer user_data)
{
  printf ("machine %" G_GUINT64_FORMAT " %s %s\n", machine->request_id, or_dash (machine->cluster),
          machine->name);
}

static void
on_offer (const SatinOffer *offer, gpointer user_data)
{
  printf ("offer %s %u\n", or_dash (offer->cluster), offer->n_machines);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  Drive *self = user_data;
  printf ("closed%s%s\n", error != NULL ? ": " : "", error != NULL ? error->message : "");
  self->status = error != NULL ? satin_error_exit_status (error) : 0;
  g_main_loop_quit (self->main_loop);
}

static const SatinProvisionHost host = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .notice = on_notice,
  .ended = on_ended,
};

/* ---- orders ---- */

static void
obey (Drive *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 4);
  guint n = g_strv_length (words);
  const char *order = n > 0 ? words[0] : "";
  const SatinProvisionOps *ops = &self->provision->ops;
  gpointer handle = self->provision->handle;
  guint64 first = n > 1 ? g_ascii_strtoull (words[1], NULL, 10) : 0;
  if (g_str_equal (order, "request") && n > 2)
    ops->request (handle, first, (guint)g_ascii_strtoull (words[2], NULL, 10),
                  n > 3 ? words[3] : "");
  else if (g_str_equal (order, "cancel") && n > 1)
    ops->cancel (handle, first);
  else if (g_str_equal (order, "withdraw") && n > 2)
    ops->withdraw (handle, line + strlen (order) + strlen (words[1]) + 2, (gint64)first * 1000);
  else if (g_str_equal (order, "list"))
    ops->list (handle, on_machine, self);
  else if (g_str_equal (order, "offers") && ops->offers != NULL)
    ops->offers (handle, on_offer, self);
  if (g_str_equal (order, "list") || g_str_equal (order, "offers"))
    printf ("%sed\n", g_str_equal (order, "list") ? "list" : "offer");
}

static gboolean
close_all (Drive *self)
{
  satin_provision_close (g_steal_pointer (&self->provision), on_closed, self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_input (int fd, GIOCondition condition, gpointer user_data)
{
  Drive *self = user_data;
  char buffer[4096];
  gssize n = read (fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return G_SOURCE_CONTINUE;
  if (n <= 0)
    return close_all (self);
  g_string_append_len (self->input, buffer, n);
  char *end;
  while ((end = strchr (self->input->str, '\n')) != NULL)
    {
      g_autofree char *line = g_strndup (self->input->str, (gsize)(end - self->input->str));
      g_string_erase (self->input, 0, end - self->input->str + 1);
      if (g_str_equal (line, "close"))
        return close_all (self);
      obey (self, line);
    }
  return G_SOURCE_CONTINUE;
}

/* ---- */

/* Returns: (nullable): the command's first word; %NULL for wrong usage */
static char **
read_options (Drive *self, char **words)
{
  for (; words[0] != NULL && words[1] != NULL && !g_str_equal (words[0], "--"); words += 2)
    if (g_str_equal (words[0], "--secret"))
      self->secret = g_bytes_new_static (words[1], strlen (words[1]));
    else if (g_str_equal (words[0], "--secret-file"))
      {
        char *text;
        gsize n_bytes;
        if (!g_file_get_contents (words[1], &text, &n_bytes, NULL))
          return NULL;
        self->secret = g_bytes_new_take (text, n_bytes);
      }
    else if (g_str_equal (words[0], "--variable"))
      g_ptr_array_add (self->variables, words[1]);
    else if (g_str_equal (words[0], "--program"))
      self->program = words[1];
    else if (g_str_equal (words[0], "--file"))
      g_ptr_array_add (self->files, words[1]);
    else
      return NULL;
  g_ptr_array_add (self->variables, NULL);
  g_ptr_array_add (self->files, NULL);
  return words[0] != NULL && words[1] != NULL ? words + 1 : NULL;
}

static void
drive (Drive *self, const char *provisioner, char **command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinLoop) loop = satin_loop_new (NULL, 0, NULL);
  const SatinStart start = {
    .struct_size = sizeof (SatinStart),
    .arguments = (const char *const *)command,
    .variables = (const char *const *)self->variables->pdata,
    .program = self->program,
    .files = (const char *const *)self->files->pdata,
    .secret = self->secret,
  };
  self->provision = satin_provision_open (loop, provisioner, &start, &host, self, &error);
  if (self->provision == NULL)
    {
      fprintf (stderr, "provision-drive: %s\n", error->message);
      self->status = satin_error_exit_status (error);
      return;
    }
  GMainContext *context = satin_loop_get_context (loop);
  g_autoptr (GSource) source = g_unix_fd_source_new (STDIN_FILENO, G_IO_IN | G_IO_HUP);
  self->main_loop = g_main_loop_new (context, FALSE);
  g_source_set_callback (source, G_SOURCE_FUNC (on_input), self, NULL);
  g_source_attach (source, context);
  g_main_loop_run (self->main_loop);
  g_source_destroy (source);
  g_main_loop_unref (self->main_loop);
}

int
main (int argc, char **argv)
{
  Drive self = { .input = g_string_new (NULL),
                 .variables = g_ptr_array_new (),
                 .files = g_ptr_array_new () };
  char **command = argc > 2 ? read_options (&self, argv + 2) : NULL;
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (command != NULL)
    drive (&self, argv[1], command);
  else
    fprintf (stderr, "usage: provision-drive PROVISIONER [OPTION...] -- COMMAND [ARGUMENT...]\n");
  g_string_free (self.input, TRUE);
  g_ptr_array_unref (self.variables);
  g_ptr_array_unref (self.files);
  g_clear_pointer (&self.secret, g_bytes_unref);
  return command != NULL ? self.status : 2;
}
