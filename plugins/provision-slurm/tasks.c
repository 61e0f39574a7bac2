/* tasks.c - what takes long: sbatch, squeue, sinfo, scancel and the files, on the clerk's thread
 *
 * A task looks at nothing that changes on the loop: the settings, the start and the job's name stay
 * as they are, and the staging is the clerk's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"
#include "slurm.h"

#include <string.h>

/* ---- jobs are submitted ---- */

static char *
name_of_files (const char *what, guint serial, guint index)
{
  return g_strdup_printf ("%s-%u-%u", what, serial, index);
}

static void
remove_secrets (Submission *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *name = name_of_files ("secret", self->serial, i);
      staging_remove (self->slurm->staging, name);
    }
}

static gboolean
write_secrets (Submission *self, GError **error)
{
  gsize n_bytes;
  const void *bytes;
  if (self->slurm->start.secret == NULL)
    return TRUE;
  bytes = g_bytes_get_data (self->slurm->start.secret, &n_bytes);
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *name = name_of_files ("secret", self->serial, i);
      g_autofree char *path = staging_write (self->slurm->staging, name, bytes, n_bytes, error);
      if (path == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Returns: (transfer full) (nullable): its path */
static char *
write_script (Submission *self, const char *name, GError **error)
{
  Slurm *slurm = self->slurm;
  const ScriptPlace place = {
    .folder = staging_get_folder (slurm->staging),
    .serial = self->serial,
    .program = staging_get_program (slurm->staging),
    .has_complaint = slurm->settings.has_complaint,
  };
  g_autofree char *script = script_make (&slurm->start.view, &place);
  return staging_write (slurm->staging, name, script, strlen (script), error);
}

/* Returns: (transfer container): texts of @free are freed with it */
static GPtrArray *
make_arguments (Submission *self, const char *script, GPtrArray *owned)
{
  Slurm *slurm = self->slurm;
  GPtrArray *arguments = g_ptr_array_new ();
  static const char *const fixed[] = { "sbatch",    "--parsable", "--no-requeue",
                                       "--nodes=1", "--ntasks=1", "--export=ALL" };
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (arguments, (char *)fixed[i]);
  g_autofree char *all =
      slurm->settings.partitions != NULL ? g_strjoinv (",", slurm->settings.partitions) : NULL;
  const char *partition = *self->cluster != '\0' ? self->cluster : all;
  if (partition != NULL)
    g_ptr_array_add (owned, g_strconcat ("--partition=", partition, NULL));
  if (self->n > 1)
    g_ptr_array_add (owned, g_strdup_printf ("--array=0-%u", self->n - 1));
  g_ptr_array_extend (arguments, owned, NULL, NULL);
  g_ptr_array_extend (arguments, slurm->settings.common, NULL, NULL);
  g_ptr_array_add (owned, g_strconcat ("--job-name=", slurm->job_name, NULL));
  g_ptr_array_add (arguments, owned->pdata[owned->len - 1]);
  g_ptr_array_add (arguments, (char *)script);
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

static gboolean
submit (Submission *self, GError **error)
{
  g_autofree char *name = name_of_files ("script", self->serial, 0);
  g_autofree char *output = NULL;
  if (!staging_bring (self->slurm->staging, &self->slurm->start.view, error)
      || !write_secrets (self, error))
    return FALSE;
  g_autofree char *script = write_script (self, name, error);
  if (script == NULL)
    return FALSE;
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) arguments = make_arguments (self, script, owned);
  gboolean is_done =
      clerk_run (self->task.clerk, (const char *const *)arguments->pdata, &output, error);
  /* sbatch has read it. */
  staging_remove (self->slurm->staging, name);
  self->number = is_done ? answers_read_submitted (output, error) : NULL;
  return self->number != NULL;
}

static void
submit_work (ClerkTask *task)
{
  Submission *self = (Submission *)task;
  if (!submit (self, &self->error))
    remove_secrets (self);
}

static void
submit_done (ClerkTask *task)
{
  slurm_submitted ((Submission *)task);
}

void
tasks_submit (Slurm *self, Submission *submission)
{
  submission->task.work = submit_work;
  submission->task.done = submit_done;
  clerk_do (self->clerk, &submission->task);
}

/* ---- what they do is looked at ---- */

static void
look_work (ClerkTask *task)
{
  Look *self = (Look *)task;
  char **partitions = self->slurm->settings.partitions;
  g_autofree char *name = g_strconcat ("--name=", self->slurm->job_name, NULL);
  g_autofree char *all = partitions != NULL ? g_strjoinv (",", partitions) : NULL;
  g_autofree char *partition = all != NULL ? g_strconcat ("--partition=", all, NULL) : NULL;
  const char *const squeue[] = { "squeue",   "--noheader",        "--all",
                                 "--array",  "--states=all",      name,
                                 "--Format", ANSWERS_JOBS_FORMAT, NULL };
  const char *const sinfo[] = { "sinfo",   "--noheader", "--Node", "--format=" ANSWERS_NODES_FORMAT,
                                partition, NULL };
  clerk_run (task->clerk, squeue, &self->jobs, &self->jobs_error);
  /* Who does not answer the one does not answer the other. */
  if (self->jobs != NULL)
    clerk_run (task->clerk, sinfo, &self->nodes, &self->nodes_error);
}

static void
look_done (ClerkTask *task)
{
  slurm_looked ((Look *)task);
}

void
tasks_look (Slurm *self)
{
  Look *look = g_new0 (Look, 1);
  look->task = (ClerkTask){ .work = look_work, .done = look_done };
  look->slurm = self;
  clerk_do (self->clerk, &look->task);
}

/* ---- they are told ---- */

typedef struct
{
  ClerkTask task;
  GPtrArray *ids[N_SIGNALS]; /* (owned) */
} Telling;

static void
cancel (Clerk *clerk, GPtrArray *ids, const char *signal)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_ptr_array_add (arguments, (char *)"scancel");
  if (signal != NULL)
    {
      g_ptr_array_add (arguments, (char *)"--batch");
      g_ptr_array_add (arguments, (char *)signal);
    }
  g_ptr_array_extend (arguments, ids, NULL, NULL);
  g_ptr_array_add (arguments, NULL);
  /* It complains of jobs that have ended, too; what is not heard is told again. */
  clerk_run (clerk, (const char *const *)arguments->pdata, NULL, NULL);
}

/* A job that is cancelled has its own time to end (KillWait); so its command is killed before. */
static void
tell_work (ClerkTask *task)
{
  Telling *self = (Telling *)task;
  if (self->ids[SIGNAL_TERM]->len > 0)
    cancel (task->clerk, self->ids[SIGNAL_TERM], "--signal=TERM");
  if (self->ids[SIGNAL_KILL]->len > 0)
    cancel (task->clerk, self->ids[SIGNAL_KILL], "--signal=KILL");
  if (self->ids[SIGNAL_CANCEL]->len > 0)
    cancel (task->clerk, self->ids[SIGNAL_CANCEL], NULL);
}

static void
tell_done (ClerkTask *task)
{
  Telling *self = (Telling *)task;
  for (guint i = 0; i < N_SIGNALS; i++)
    g_clear_pointer (&self->ids[i], g_ptr_array_unref);
  g_free (self);
}

void
tasks_tell (Slurm *self)
{
  Telling *telling = g_new0 (Telling, 1);
  telling->task = (ClerkTask){ .work = tell_work, .done = tell_done };
  for (guint i = 0; i < N_SIGNALS; i++)
    {
      telling->ids[i] = self->told[i];
      self->told[i] = g_ptr_array_new_with_free_func (g_free);
    }
  clerk_do (self->clerk, &telling->task);
}

/* ---- they have ended ---- */

static void
farewell_work (ClerkTask *task)
{
  Farewell *self = (Farewell *)task;
  static const char *const kinds[] = { "secret", "complaint" };
  if (self->files == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat (kinds[i], "-", self->files, NULL);
      if (i == 1 && self->reason != NULL)
        self->complaint = staging_read_last_line (self->slurm->staging, name);
      staging_remove (self->slurm->staging, name);
    }
}

static void
farewell_done (ClerkTask *task)
{
  slurm_parted ((Farewell *)task);
}

void
tasks_farewell (Slurm *self, Job *job, GError *reason)
{
  Farewell *farewell = g_new0 (Farewell, 1);
  farewell->task = (ClerkTask){ .work = farewell_work, .done = farewell_done };
  farewell->slurm = self;
  farewell->job = job;
  farewell->files = g_strdup (job->files);
  farewell->reason = reason;
  clerk_do (self->clerk, &farewell->task);
}

/* ---- the end ---- */

typedef struct
{
  ClerkTask task;
  Slurm *slurm;
  GError *error; /* (owned) (nullable) */
} Finish;

static void
finish_work (ClerkTask *task)
{
  Finish *self = (Finish *)task;
  staging_clear (self->slurm->staging, self->error == NULL ? &self->error : NULL);
}

static void
finish_done (ClerkTask *task)
{
  Finish *self = (Finish *)task;
  g_autoptr (GError) error = self->error;
  Slurm *slurm = self->slurm;
  g_free (self);
  closing_finished (slurm, error);
}

void
tasks_finish (Slurm *self, GError *error)
{
  Finish *finish = g_new0 (Finish, 1);
  finish->task = (ClerkTask){ .work = finish_work, .done = finish_done };
  finish->slurm = self;
  finish->error = error;
  clerk_do (self->clerk, &finish->task);
}
