/* step.c - one srun, which starts the command on several hosts
 *
 * Each task runs a script. The script makes the machine's name, starts the command, and prints two
 * lines: that it has started, and how it has ended. A random mark distinguishes these lines from
 * the output of the command, which this process passes on to its own standard output. The secret
 * comes through srun's standard input, so it is in no argument, variable or file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A longer line is passed on in pieces. */
#define MAX_LINE_BYTES ((gsize)65536)

/* How long Slurm may take to end a step. */
#define STOP_US ((gint64)10000000)

/* Arguments: the mark, the program, the machines' numbers in the order of the tasks, how many words
 * stand before the command, these words, the command. The node must not take itself for one of
 * several ranks that meet (see the launcher plugins), so the script removes Slurm's variables that
 * name the step and the rank. */
static const char script[] =
    "mark=$1 program=$2 numbers=$3 first=$4; shift 4\n"
    "number=$(echo \"$numbers\" | cut -d ' ' -f $((SLURM_PROCID + 1)))\n"
    "machine=\"step $SLURM_JOB_ID.$SLURM_STEP_ID on $SLURMD_NODENAME\" cluster=$SLURMD_NODENAME\n"
    "case $SLURM_TOPOLOGY_ADDR_PATTERN in\n"
    "  *switch.node) above=${SLURM_TOPOLOGY_ADDR%\".$SLURMD_NODENAME\"}; cluster=${above##*.} ;;\n"
    "esac\n"
    "put() {\n"
    "  done=\n"
    "  while :; do\n"
    "    case $text in *\"$1\"*) ;; *) break ;; esac\n"
    "    done=$done${text%%\"$1\"*}$2\n"
    "    text=${text#*\"$1\"}\n"
    "  done\n"
    "  text=$done$text\n"
    "}\n"
    "n=$#\n"
    "while [ $n -gt 0 ]; do\n"
    "  text=$1; shift; n=$((n - 1))\n"
    "  put '{cluster}' \"$cluster\"\n"
    "  if [ $first -gt 0 ]; then\n"
    "    put '{number}' \"$number\"; first=$((first - 1))\n"
    "  else\n"
    "    put '{machine}' \"$machine\"; put '{program}' \"$program\"\n"
    "  fi\n"
    "  set -- \"$@\" \"$text\"\n"
    "done\n"
    "n=$(nproc)\n"
    "[ \"${SLURM_CPUS_ON_NODE:-$n}\" -ge \"$n\" ] || n=$SLURM_CPUS_ON_NODE\n"
    "export SATIN_WORKERS=\"${SATIN_WORKERS:-$n}\"\n"
    "me=$SLURM_PROCID step=$SLURM_STEP_ID\n"
    "unset SLURM_STEP_ID SLURM_STEPID SLURM_STEP_NUM_TASKS SLURM_PROCID SLURM_LOCALID SLURM_GTIDS\n"
    "exec 3<&0 </dev/null\n"
    "\"$@\" &\n"
    "child=$!\n"
    "exec 3<&-\n"
    "trap 'kill -TERM $child 2>/dev/null' TERM\n"
    "echo \"$mark started $me $child $step $SLURMD_NODENAME $cluster\"\n"
    "while :; do\n"
    "  { wait $child; } 2>/dev/null; status=$?\n"
    "  [ $status -gt 128 ] && kill -0 $child 2>/dev/null || break\n"
    "done\n"
    "echo \"$mark ended $me $status\"\n";

/* One of srun's two outputs. */
typedef struct
{
  Step *step;      /* (borrowed) */
  int fd;          /* (owned): from which it is read; -1 if no pipe could be made */
  int to_fd;       /* to which it is passed on */
  GSource *source; /* (owned) (nullable) */
  GString *rest;   /* (owned): the beginning of a line */
} Output;

struct _Step
{
  Allocation *owner;   /* (borrowed) */
  SatinCommand *srun;  /* (owned) */
  GPtrArray *machines; /* of (owned) Machine: the i-th is task i */
  char *mark;          /* (owned) */
  char *complaint;     /* (owned) (nullable): the last error of srun itself */
  Output outputs[2];
};

/* ---- lines ---- */

static void
write_all (int fd, const char *bytes, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n = write (fd, bytes, n_bytes);
      if (n < 0 && errno != EINTR)
        return;
      bytes += MAX (n, 0);
      n_bytes -= (gsize)MAX (n, 0);
    }
}

static Machine *
find_machine (const Step *self, guint task)
{
  return task < self->machines->len ? g_ptr_array_index (self->machines, task) : NULL;
}

/* Takes "TASK PID STEP HOST CLUSTER". */
static void
take_started (Step *self, const char *text)
{
  guint task, step;
  char host[256], cluster[256];
  gint64 pid;
  if (sscanf (text, "%u %" G_GINT64_FORMAT " %u %255s %255s", &task, &pid, &step, host, cluster)
      != 5)
    return;
  Machine *machine = find_machine (self, task);
  if (machine == NULL || machine->lease == NULL || machine->pid != 0 || pid <= 1)
    return;
  g_autofree char *name =
      g_strdup_printf ("step %s.%u on %s", g_getenv ("SLURM_JOB_ID"), step, host);
  g_free (machine->host);
  machine->host = g_strdup (host);
  machine->pid = pid;
  satin_lease_set_machine (machine->lease, name, cluster);
  satin_lease_started (machine->lease);
  machine_started (machine);
}

/* Takes "TASK STATUS". */
static void
take_ended (Step *self, const char *text)
{
  guint task;
  int status;
  if (sscanf (text, "%u %d", &task, &status) != 2)
    return;
  Machine *machine = find_machine (self, task);
  if (machine == NULL || machine->lease == NULL)
    return;
  g_autoptr (GError) reason = NULL;
  if (status != 0)
    g_set_error (&reason, SATIN_ERROR, SATIN_ERROR_JOB, "%s ended with exit status %d",
                 satin_lease_get_name (machine->lease), status);
  machine_end (machine, reason);
}

static void
take_line (Output *output, const char *line, gsize n_bytes)
{
  Step *self = output->step;
  const char *mark = strstr (line, self->mark);
  if (mark != NULL && output->to_fd == STDOUT_FILENO)
    {
      const char *word = mark + strlen (self->mark) + 1;
      write_all (output->to_fd, line, (gsize)(mark - line));
      if (g_str_has_prefix (word, "started "))
        take_started (self, word + strlen ("started "));
      else if (g_str_has_prefix (word, "ended "))
        take_ended (self, word + strlen ("ended "));
    }
  else if (g_str_has_prefix (line, "srun: "))
    {
      /* The lines of srun itself are not passed on. Its errors about tasks are no complaint: the
       * tasks report how they end. */
      if (g_str_has_prefix (line, "srun: error: ") && strstr (line, ": task") == NULL)
        {
          g_free (self->complaint);
          self->complaint = g_strchomp (g_strndup (line, n_bytes));
        }
    }
  else
    write_all (output->to_fd, line, n_bytes);
}

static void
take_lines (Output *output, gboolean is_end)
{
  GString *rest = output->rest;
  for (;;)
    {
      const char *end = memchr (rest->str, '\n', rest->len);
      gsize n = end != NULL                             ? (gsize)(end - rest->str) + 1
                : is_end || rest->len >= MAX_LINE_BYTES ? rest->len
                                                        : 0;
      if (n == 0)
        return;
      g_autofree char *line = g_strndup (rest->str, n);
      take_line (output, line, n);
      g_string_erase (rest, 0, (gssize)n);
    }
}

static gboolean
on_readable (gint fd, GIOCondition condition, gpointer user_data)
{
  Output *output = user_data;
  char bytes[4096];
  gssize n = read (fd, bytes, sizeof bytes);
  if (n > 0)
    g_string_append_len (output->rest, bytes, n);
  gboolean is_end = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
  take_lines (output, is_end);
  return is_end ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* ---- srun ---- */

/* Reads what is still in the pipe, but does not wait for the pipe's end: other processes may hold
 * the pipe open. */
static void
drain (Output *output)
{
  char bytes[4096];
  gssize n;
  while ((n = read (output->fd, bytes, sizeof bytes)) > 0)
    g_string_append_len (output->rest, bytes, n);
  take_lines (output, TRUE);
}

static void
on_srun_ended (SatinCommand *command, int wait_status, GBytes *bytes, gpointer user_data)
{
  Step *self = user_data;
  g_autoptr (GError) how = NULL, reason = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (self->outputs); i++)
    drain (&self->outputs[i]);
  if (self->complaint != NULL)
    g_set_error (&reason, SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "%s", self->complaint);
  else if (!satin_command_check (wait_status, &how))
    g_set_error (&reason, SATIN_ERROR, SATIN_ERROR_CLOSED, "srun %s", how->message);
  else
    g_set_error_literal (&reason, SATIN_ERROR, SATIN_ERROR_CLOSED, "its step is over");
  for (guint i = 0; i < self->machines->len; i++)
    machine_end (g_ptr_array_index (self->machines, i), reason);
  g_ptr_array_remove (self->owner->steps, self);
}

void
step_free (gpointer step)
{
  Step *self = step;
  for (gsize i = 0; i < G_N_ELEMENTS (self->outputs); i++)
    {
      Output *output = &self->outputs[i];
      if (output->source != NULL)
        g_source_destroy (output->source);
      g_clear_pointer (&output->source, g_source_unref);
      if (output->fd >= 0)
        close (output->fd);
      g_string_free (output->rest, TRUE);
    }
  satin_command_free (self->srun);
  g_ptr_array_unref (self->machines);
  g_free (self->mark);
  g_free (self->complaint);
  g_free (self);
}

void
step_stop (Step *self)
{
  satin_command_stop (self->srun, STOP_US);
}

/* Makes a pipe for an output of srun. Returns: its end for srun; -1 on failure */
static int
open_output (Step *self, Output *output, int to_fd, GError **error)
{
  int ends[2];
  *output = (Output){ .step = self, .fd = -1, .to_fd = to_fd, .rest = g_string_new (NULL) };
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return -1;
  output->fd = ends[0];
  g_unix_set_fd_nonblocking (output->fd, TRUE, NULL);
  output->source = g_unix_fd_source_new (output->fd, G_IO_IN | G_IO_HUP);
  g_source_set_callback (output->source, G_SOURCE_FUNC (on_readable), output, NULL);
  g_source_attach (output->source, satin_loop_get_context (self->owner->loop));
  return ends[1];
}

/* The numbers of the machines, with spaces between. */
static char *
list_numbers (const Step *self)
{
  GString *numbers = g_string_new (NULL);
  for (guint i = 0; i < self->machines->len; i++)
    {
      const Machine *machine = g_ptr_array_index (self->machines, i);
      g_string_append_printf (numbers, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "",
                              satin_lease_get_number (machine->lease));
    }
  return g_string_free (numbers, FALSE);
}

/* A shell makes the secret the standard input of srun: satin_command_start() gives it on another
 * descriptor. */
static GStrv
make_line (const Step *self, GStrv counts)
{
  static const char *const fixed[] = { "--ntasks-per-node=1",
                                       "--cpu-bind=none",
                                       "--mpi=none",
                                       "--no-kill",
                                       "--wait=0",
                                       "--kill-on-bad-exit=0",
                                       "/bin/sh",
                                       "-c",
                                       script,
                                       "satin-task",
                                       NULL };
  const SatinStart *start = self->owner->start;
  const char *from = start->secret != NULL ? "exec \"$@\" <&3 3<&-" : "exec \"$@\" </dev/null";
  guint n_first;
  g_auto (GStrv) command = satin_start_template (start, &n_first);
  g_autofree char *first = g_strdup_printf ("%u", n_first);
  g_autofree char *numbers = list_numbers (self);
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_strv_builder_add_many (line, "/bin/sh", "-c", from, "sh", "srun", NULL);
  g_strv_builder_addv (line, (const char **)counts);
  g_strv_builder_addv (line, (const char **)fixed);
  g_strv_builder_add_many (line, self->mark, start->program != NULL ? start->program : "", numbers,
                           first, NULL);
  g_strv_builder_addv (line, (const char **)command);
  return g_strv_builder_end (line);
}

/* Returns: (transfer full): the option --nodelist with the hosts of the machines, which must have
 * hosts already */
static char *
make_nodelist (const Step *self)
{
  GString *list = g_string_new ("--nodelist=");
  for (guint i = 0; i < self->machines->len; i++)
    {
      const Machine *machine = g_ptr_array_index (self->machines, i);
      if (machine->host != NULL)
        g_string_append_printf (list, "%s%s", i > 0 ? "," : "", machine->host);
    }
  return g_string_free (list, FALSE);
}

/* The options of srun that differ from step to step. */
static GStrv
make_counts (const Step *self)
{
  guint n = self->machines->len;
  gint64 wait_s = MAX (self->owner->patience_us / G_USEC_PER_SEC, 1);
  const Machine *first = g_ptr_array_index (self->machines, 0);
  GStrv counts = g_new0 (char *, 6);
  counts[0] = g_strdup_printf ("--nodes=%u", n);
  counts[1] = g_strdup_printf ("--ntasks=%u", n);
  counts[2] = g_strdup_printf ("--immediate=%" G_GINT64_FORMAT, wait_s);
  if (first->host != NULL)
    {
      counts[3] = g_strdup ("--overlap");
      counts[4] = make_nodelist (self);
    }
  return counts;
}

static gboolean
start_srun (Step *self, GError **error)
{
  g_auto (GStrv) counts = make_counts (self);
  g_auto (GStrv) line = make_line (self, counts);
  int output_fd = open_output (self, &self->outputs[0], STDOUT_FILENO, error);
  int error_fd =
      open_output (self, &self->outputs[1], STDERR_FILENO, output_fd >= 0 ? error : NULL);
  const SatinCommandOptions options = {
    .arguments = (const char *const *)line,
    .environment = (const char *const *)self->owner->environment,
    .secret = self->owner->start->secret,
    .output_fd = &output_fd,
    .error_fd = &error_fd,
  };
  if (output_fd >= 0 && error_fd >= 0)
    self->srun = satin_command_start (satin_loop_get_context (self->owner->loop), &options,
                                      on_srun_ended, self, error);
  if (output_fd >= 0)
    close (output_fd);
  if (error_fd >= 0)
    close (error_fd);
  return self->srun != NULL;
}

/* Whether a machine that has not ended has this host. */
static gboolean
has_host (const GPtrArray *machines, const char *host)
{
  for (guint i = 0; i < machines->len; i++)
    {
      const Machine *machine = g_ptr_array_index (machines, i);
      if (machine->lease != NULL && g_strcmp0 (machine->host, host) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_used (const Allocation *owner, const char *host)
{
  for (guint i = 0; i < owner->steps->len; i++)
    if (has_host (((const Step *)g_ptr_array_index (owner->steps, i))->machines, host))
      return TRUE;
  return FALSE;
}

GPtrArray *
steps_find_free (const Allocation *owner)
{
  GPtrArray *hosts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < owner->steps->len; i++)
    {
      const Step *step = g_ptr_array_index (owner->steps, i);
      for (guint k = 0; k < step->machines->len; k++)
        {
          const Machine *machine = g_ptr_array_index (step->machines, k);
          if (machine->host != NULL && !is_used (owner, machine->host)
              && !g_ptr_array_find_with_equal_func (hosts, machine->host, g_str_equal, NULL))
            g_ptr_array_add (hosts, g_strdup (machine->host));
        }
    }
  return hosts;
}

void
step_begin (Allocation *owner, GPtrArray *machines)
{
  g_autoptr (GError) error = NULL;
  Step *self = g_new0 (Step, 1);
  self->owner = owner;
  self->mark = g_strdup_printf ("@satin-%08x%08x", g_random_int (), g_random_int ());
  self->machines = machines;
  if (start_srun (self, &error))
    {
      g_ptr_array_add (owner->steps, self);
      return;
    }
  for (guint i = 0; i < self->machines->len; i++)
    machine_end (g_ptr_array_index (self->machines, i), error);
  step_free (self);
}
