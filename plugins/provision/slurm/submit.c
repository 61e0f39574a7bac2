/* submit.c - submits requested jobs: their files, then sbatch
 *
 * The requested jobs for one cluster go into one sbatch, up to `array` of them. One submission runs
 * at a time:
 *
 *   the program and its files (once) --> a secret for each --> sbatch --> jobs that wait
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"
#include "slurm.h"

#include <string.h>

/* ---- the end of a submission ---- */

static void
submission_end (Slurm *self)
{
  g_ptr_array_unref (self->submission->jobs);
  g_free (self->submission->cluster);
  g_clear_pointer (&self->submission, g_free);
  look_soon (self);
  slurm_post (self);
}

static void
fail (Slurm *self, const GError *error)
{
  GPtrArray *jobs = self->submission->jobs;
  for (guint i = 0; i < jobs->len; i++)
    {
      Job *job = jobs->pdata[i];
      job_drop_files (job);
      job_refuse (job, error);
      job_remove (job);
    }
  submission_end (self);
}

static void
on_submitted (Slurm *self, const char *output, const GError *failed, gpointer data)
{
  GPtrArray *jobs = self->submission->jobs;
  g_autoptr (GError) error = failed != NULL ? g_error_copy (failed) : NULL;
  g_autofree char *number = error == NULL ? answers_read_submitted (output, &error) : NULL;
  if (number == NULL)
    {
      fail (self, error);
      return;
    }
  for (guint i = 0; i < jobs->len; i++)
    {
      Job *job = jobs->pdata[i];
      g_autofree char *id =
          jobs->len > 1 ? g_strdup_printf ("%s_%u", number, i) : g_strdup (number);
      job_set_id (job, id);
      if (job->lease == NULL)
        job_signal (job, SIGNAL_CANCEL);
    }
  submission_end (self);
}

/* ---- sbatch ---- */

/* The user's options come last but for the job's name. So they win over all other options except
 * the name. */
static GPtrArray *
make_arguments (Slurm *self, const char *cluster, guint n)
{
  const SlurmSettings *settings = &self->settings;
  GPtrArray *arguments = call_arguments ("sbatch", "--parsable", "--no-requeue", "--nodes=1",
                                         "--ntasks=1", "--export=ALL", NULL);
  g_autofree char *all =
      settings->partitions != NULL ? g_strjoinv (",", settings->partitions) : NULL;
  const char *partition = *cluster != '\0' ? cluster : all;
  if (partition != NULL)
    g_ptr_array_add (arguments, g_strconcat ("--partition=", partition, NULL));
  if (n > 1)
    g_ptr_array_add (arguments, g_strdup_printf ("--array=0-%u", n - 1));
  for (guint i = 0; i < settings->common->len; i++)
    call_add_argument (arguments, settings->common->pdata[i]);
  g_ptr_array_add (arguments, g_strconcat ("--job-name=", self->job_name, NULL));
  g_ptr_array_add (arguments, g_strdup_printf ("/dev/fd/%d", SATIN_COMMAND_SECRET_FD));
  return arguments;
}

/* Returns: (transfer full) (nullable): the numbers of the machines, if a word in front of the
 * command may need them */
static GArray *
list_numbers (const Slurm *self)
{
  const GPtrArray *jobs = self->submission->jobs;
  if (!satin_wrap_is_set (&(SatinWrap){ self->start->wrap, self->start->before }))
    return NULL;
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < jobs->len; i++)
    {
      const Job *job = jobs->pdata[i];
      guint64 number = job->lease != NULL ? satin_lease_get_number (job->lease) : 0;
      g_array_append_val (numbers, number);
    }
  return numbers;
}

/* Submits the jobs. sbatch reads the script from a descriptor, so the script is in no file on this
 * machine. */
static void
submit (Slurm *self)
{
  const Submission *submission = self->submission;
  g_autofree char *name =
      self->start->program != NULL ? g_path_get_basename (self->start->program) : NULL;
  g_autofree char *program =
      name != NULL ? g_build_filename (self->folder, "files", name, NULL) : NULL;
  g_autoptr (GArray) numbers = list_numbers (self);
  const ScriptPlace place = {
    .folder = self->folder,
    .serial = submission->serial,
    .program = program,
    .numbers = numbers,
    .has_complaint = self->settings.has_complaint,
  };
  char *script = script_make (self->start, &place);
  const Call call = {
    .arguments = make_arguments (self, submission->cluster, submission->jobs->len),
    .input = g_bytes_new_take (script, strlen (script)),
    .done = on_submitted,
  };
  call_add (self, &call);
}

/* ---- the files ---- */

static void
on_secrets (Slurm *self, const char *output, const GError *error, gpointer data)
{
  if (error == NULL)
    submit (self);
  else
    fail (self, error);
}

/* Writes a file with the secret for each job. A shell does this; it gets the secret by a
 * descriptor. */
static void
write_secrets (Slurm *self)
{
  static const char script[] = "umask 077; cd \"$1\" || exit; i=0; while [ $i -lt $3 ]; do "
                               "cat /dev/fd/3 >\"secret-$2-$i\" || exit; i=$((i + 1)); done";
  const Submission *submission = self->submission;
  if (self->start->secret == NULL)
    {
      submit (self);
      return;
    }
  const Call call = {
    .arguments = call_arguments ("sh", "-c", script, "sh", self->folder, NULL),
    .input = g_bytes_ref (self->start->secret),
    .is_long = TRUE,
    .done = on_secrets,
  };
  g_ptr_array_add (call.arguments, g_strdup_printf ("%u", submission->serial));
  g_ptr_array_add (call.arguments, g_strdup_printf ("%u", submission->jobs->len));
  call_add (self, &call);
}

static void
on_brought (Slurm *self, const char *output, const GError *error, gpointer data)
{
  self->has_brought = error == NULL;
  if (error == NULL)
    write_secrets (self);
  else
    fail (self, error);
}

static void
bring (Slurm *self)
{
  const SatinStart *start = self->start;
  g_autofree char *target = g_build_filename (self->folder, "files", NULL);
  gboolean has_files = start->program != NULL || (start->files != NULL && start->files[0] != NULL);
  if (self->has_brought || !has_files)
    {
      write_secrets (self);
      return;
    }
  const Call call = {
    .arguments = call_arguments ("cp", "--target-directory", target, "--", NULL),
    .is_long = TRUE,
    .done = on_brought,
  };
  if (start->program != NULL)
    call_add_argument (call.arguments, start->program);
  for (const char *const *file = start->files; file != NULL && *file != NULL; file++)
    call_add_argument (call.arguments, *file);
  call_add (self, &call);
}

/* ---- the start of a submission ---- */

/* Returns: whether the job is more than there can ever be. Then it is refused */
static gboolean
refuse_if_surplus (Slurm *self, Job *job, guint n)
{
  guint n_possible = look_count_possible (self, satin_lease_get_cluster (job->lease));
  if (n <= n_possible)
    return FALSE;
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "there are never more than %u machine%s at a time: so many has the partition",
                   n_possible, n_possible == 1 ? "" : "s");
  job_refuse (job, error);
  return TRUE;
}

/* Refuses requested jobs that exceed the number of machines that there can ever be. If a job is for
 * one partition, the machines of that partition count; else all machines do. */
static void
refuse_surplus (Slurm *self)
{
  /* For each cluster, its number of machines. */
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_all = 0;
  for (guint i = 0; i < self->jobs->len;)
    {
      Job *job = self->jobs->pdata[i];
      gboolean is_had = job->lease != NULL && job->state != JOB_OVER;
      const char *cluster = is_had ? satin_lease_get_cluster (job->lease) : "";
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, cluster));
      if (job->state == JOB_ASKED
          && refuse_if_surplus (self, job, 1 + (*cluster != '\0' ? n : n_all)))
        continue;
      if (is_had)
        {
          n_all++;
          g_hash_table_insert (counts, g_strdup (cluster), GUINT_TO_POINTER (n + 1));
        }
      i++;
    }
}

static void
submission_add (Slurm *self, Job *job)
{
  Submission *submission = self->submission;
  const char *cluster = satin_lease_get_cluster (job->lease);
  if (submission == NULL)
    {
      submission = self->submission = g_new0 (Submission, 1);
      submission->jobs = g_ptr_array_new ();
      submission->cluster = g_strdup (cluster);
      submission->serial = ++self->serial;
    }
  if (submission->jobs->len == self->settings.array_max
      || !g_str_equal (cluster, submission->cluster))
    return;
  job->state = JOB_SUBMITTING;
  job->files = g_strdup_printf ("%u-%u", submission->serial, submission->jobs->len);
  g_ptr_array_add (submission->jobs, job);
}

void
submit_next (Slurm *self)
{
  if (self->submission != NULL || !self->has_looked)
    return;
  refuse_surplus (self);
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];
      if (job->state == JOB_ASKED)
        submission_add (self, job);
    }
  if (self->submission != NULL)
    bring (self);
}
