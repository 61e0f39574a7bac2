/* answers.c - parses the output of Slurm's commands
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"

#include <string.h>

/* The most bytes of an answer that an error message shows. */
#define SHOWN_MAX 100

/* The most fields of a line. */
#define N_FIELDS_MAX 9

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

static gboolean
read_unsigned (const char *text, guint64 max, guint64 *ret_value)
{
  return is_number (text) && g_ascii_string_to_unsigned (text, 10, 0, max, ret_value, NULL);
}

static void
refuse (GError **error, const char *command, const char *line)
{
  g_autofree char *start = g_utf8_make_valid (line, MIN (strlen (line), SHOWN_MAX));
  g_autofree char *shown = g_strescape (start, NULL);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s answered \"%s\", which this plugin does not understand: Slurm 20.11 or newer is "
               "needed",
               command, shown);
}

/* Splits @line at its bars; the last field keeps the rest. Returns: whether there are @n fields */
static gboolean
split (char *line, char **fields, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      fields[i] = line;
      char *bar = i + 1 < n ? strchr (line, '|') : NULL;
      if (i + 1 < n && bar == NULL)
        return FALSE;
      if (bar != NULL)
        *bar = '\0';
      line = bar != NULL ? bar + 1 : line;
    }
  return TRUE;
}

/* ---- sbatch ---- */

char *
answers_read_submitted (const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text, ";\n", 2);
  guint64 number;
  if (words[0] != NULL && read_unsigned (words[0], G_MAXUINT32, &number) && number > 0)
    return g_strdup (words[0]);
  refuse (error, "sbatch", text);
  return NULL;
}

/* ---- squeue ---- */

static const struct
{
  const char *state;
  SlurmPhase phase;
} phases[] = {
  { "PENDING", PHASE_WAITING },   { "CONFIGURING", PHASE_WAITING }, { "RUNNING", PHASE_RUNNING },
  { "SUSPENDED", PHASE_RUNNING }, { "STOPPED", PHASE_RUNNING },     { "SIGNALING", PHASE_RUNNING },
  { "COMPLETING", PHASE_ENDING }, { "STAGE_OUT", PHASE_ENDING },    { "COMPLETED", PHASE_OVER },
  { "CANCELLED", PHASE_OVER },    { "FAILED", PHASE_OVER },         { "TIMEOUT", PHASE_OVER },
  { "NODE_FAIL", PHASE_OVER },    { "PREEMPTED", PHASE_OVER },      { "BOOT_FAIL", PHASE_OVER },
  { "DEADLINE", PHASE_OVER },     { "OUT_OF_MEMORY", PHASE_OVER },  { "REVOKED", PHASE_OVER },
};

static SlurmPhase
phase_of (const char *state)
{
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    if (g_str_equal (state, phases[i].state))
      return phases[i].phase;
  return PHASE_UNKNOWN;
}

/* Whether @text is a job's id, "12" or "12_3". */
static gboolean
is_job_id (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, "_", 2);
  return words[0] != NULL && is_number (words[0]) && (words[1] == NULL || is_number (words[1]));
}

static gboolean
is_word (const char *text)
{
  return *text != '\0' && text[strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

/* Reads a time. Returns: 0 when it is unknown: the text is not a number ("N/A", "NONE", "Unknown")
 */
static gint64
read_time (const char *text)
{
  guint64 time_s;
  return read_unsigned (text, G_MAXINT32 * (guint64)64, &time_s) ? (gint64)time_s : 0;
}

static gboolean
read_job (char *line, SlurmJob *ret_job)
{
  char *fields[N_FIELDS_MAX];
  guint64 status;
  if (!split (line, fields, 9) || !is_job_id (fields[0]) || !is_word (fields[1])
      || !read_unsigned (fields[7], G_MAXINT, &status) || !g_str_has_suffix (fields[8], "|"))
    return FALSE;
  fields[8][strlen (fields[8]) - 1] = '\0';
  gboolean has_node = !g_str_equal (fields[2], "(null)") && !g_str_equal (fields[2], "n/a");
  *ret_job = (SlurmJob){
    .id = fields[0],
    .state = fields[1],
    .phase = phase_of (fields[1]),
    .node = has_node ? fields[2] : "",
    .partition = fields[3],
    .start_s = read_time (fields[4]),
    .end_s = read_time (fields[5]),
    .is_preempted = read_time (fields[6]) > 0,
    .wait_status = (int)status,
    .reason = fields[8],
  };
  return TRUE;
}

gboolean
answers_read_jobs (const char *text, SlurmJobFunc func, gpointer user_data, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GArray) jobs = g_array_new (FALSE, FALSE, sizeof (SlurmJob));
  for (char **line = lines; *line != NULL; line++)
    {
      SlurmJob job;
      if (**line == '\0')
        continue;
      g_autofree char *whole = g_strndup (*line, SHOWN_MAX);
      if (!read_job (*line, &job))
        {
          refuse (error, "squeue", whole);
          return FALSE;
        }
      g_array_append_val (jobs, job);
    }
  for (guint i = 0; i < jobs->len; i++)
    func (&g_array_index (jobs, SlurmJob, i), user_data);
  return TRUE;
}

/* Slurm's own signal for lack of memory is 253 (SIG_OOM). A wait status keeps its lower 7 bits. */
#define SIGNAL_OUT_OF_MEMORY 125

gboolean
answers_is_out_of_memory (const SlurmJob *job)
{
  return g_str_equal (job->state, "OUT_OF_MEMORY")
         || (g_str_equal (job->state, "FAILED")
             && (job->wait_status & 0x7f) == SIGNAL_OUT_OF_MEMORY);
}

gboolean
answers_is_hopeless (const char *reason)
{
  static const char *const reasons[] = {
    "AccountNotAllowed",
    "BadConstraints",
    "DependencyNeverSatisfied",
    "InvalidAccount",
    "InvalidQOS",
    "JobHeldAdmin",
    "JobHeldUser",
    "JobLaunchFailure",
    "PartitionNodeLimit",
    "PartitionTimeLimit",
    "QOSNotAllowed",
    "ReservationDeleted",
    "launch failed requeued held",
    NULL,
  };
  return g_strv_contains (reasons, reason);
}

/* ---- sinfo ---- */

/* Parses counts of processors, "3/5/0/8": allocated, idle, other, total. */
static gboolean
read_processors (const char *text, guint *ret_idle, guint *ret_total)
{
  g_auto (GStrv) words = g_strsplit (text, "/", 5);
  guint64 counts[4];
  if (g_strv_length (words) != 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!read_unsigned (words[i], G_MAXUINT32, &counts[i]))
      return FALSE;
  *ret_idle = (guint)counts[1];
  *ret_total = (guint)counts[3];
  return TRUE;
}

/* Whether jobs may start on a node. Usable states are "idle" and "mixed", also of a node that is
 * powered down to save energy ("idle~") or is powering up ("idle#"). Other marks mean that the node
 * does not answer, will be rebooted or is reserved for maintenance. */
static gboolean
is_usable (const char *state)
{
  gsize n = strspn (state, "abcdefghijklmnopqrstuvwxyz_");
  gboolean is_open =
      strncmp (state, "idle", MAX (n, 4)) == 0 || strncmp (state, "mixed", MAX (n, 5)) == 0;
  return is_open && (state[n] == '\0' || strchr ("~#", state[n]) != NULL);
}

static gboolean
read_node (char *line, SlurmNode *ret_node)
{
  char *fields[N_FIELDS_MAX];
  SlurmNode node = { 0 };
  if (!split (line, fields, 4) || *fields[0] == '\0' || *fields[1] == '\0'
      || !read_processors (fields[3], &node.n_idle, &node.n_processors))
    return FALSE;
  node.is_default = g_str_has_suffix (fields[0], "*");
  if (node.is_default)
    fields[0][strlen (fields[0]) - 1] = '\0';
  node.partition = fields[0];
  node.name = fields[1];
  node.is_usable = is_usable (fields[2]);
  node.is_draining = g_str_has_prefix (fields[2], "drain");
  *ret_node = node;
  return TRUE;
}

gboolean
answers_read_nodes (const char *text, SlurmNodeFunc func, gpointer user_data, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (SlurmNode));
  for (char **line = lines; *line != NULL; line++)
    {
      SlurmNode node;
      if (**line == '\0')
        continue;
      g_autofree char *whole = g_strndup (*line, SHOWN_MAX);
      if (!read_node (*line, &node))
        {
          refuse (error, "sinfo", whole);
          return FALSE;
        }
      g_array_append_val (nodes, node);
    }
  for (guint i = 0; i < nodes->len; i++)
    func (&g_array_index (nodes, SlurmNode, i), user_data);
  return TRUE;
}

/* ---- error messages ---- */

char *
answers_read_complaint (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) lines = g_strsplit (g_strstrip (valid), "\n", -1);
  guint n = g_strv_length (lines);
  const char *last = n > 0 ? lines[n - 1] : "";
  const char *after = strstr (last, "error: ");
  after = after != NULL ? after + strlen ("error: ") : last;
  const char *failed = "Batch job submission failed: ";
  after = g_str_has_prefix (after, failed) ? after + strlen (failed) : after;
  return g_strdup (*after != '\0' ? after : "no reason was told");
}
