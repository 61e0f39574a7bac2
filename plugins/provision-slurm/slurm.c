/* slurm.c - what was asked for, and what the host is told
 *
 * A request waits for the first look at Slurm, which tells how much there can ever be; then it
 * becomes one sbatch, or several when it is large. From then on there is a Job for each machine,
 * which follows what squeue says (jobs.c). Everything is looked at again after a pause that grows
 * while nothing is asked for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

static void
submission_free (Submission *self)
{
  g_free (self->cluster);
  g_free (self->number);
  g_clear_error (&self->error);
  g_free (self);
}

/* ---- what the host is told later ---- */

typedef struct
{
  Slurm *slurm;
  guint64 ticket;
  guint n;
  GError *reason; /* (owned) */
} Refusal;

static void
on_refusal (gpointer user_data)
{
  Refusal *self = user_data;
  self->slurm->host.refused (self->ticket, self->n, self->reason, self->slurm->user_data);
  g_error_free (self->reason);
  g_free (self);
}

/* Nothing that is posted comes after the end of the handle, which is posted later. */
void
slurm_refuse_later (Slurm *self, guint64 ticket, guint n, GError *reason)
{
  Refusal *refusal = g_new (Refusal, 1);
  *refusal = (Refusal){ .slurm = self, .ticket = ticket, .n = n, .reason = reason };
  satin_loop_post (self->loop, on_refusal, refusal);
}

static void
on_tell (gpointer user_data)
{
  Slurm *self = user_data;
  self->is_telling = FALSE;
  if (self->is_finishing)
    return;
  tasks_tell (self);
  slurm_look_soon (self);
}

void
slurm_signal (Slurm *self, const char *id, JobSignal signal)
{
  g_ptr_array_add (self->told[signal], g_strdup (id));
  if (!self->is_telling)
    satin_loop_post (self->loop, on_tell, self);
  self->is_telling = TRUE;
}

/* ---- looking ---- */

static void
on_look_timer (gpointer user_data)
{
  Slurm *self = user_data;
  self->look_timer = 0;
  self->is_looking = TRUE;
  tasks_look (self);
}

static void
look_later (Slurm *self)
{
  if (self->is_looking || self->is_finishing)
    return;
  satin_loop_timer_cancel (self->loop, &self->look_timer);
  self->look_timer = satin_loop_timer_add (self->loop, self->pause_us, on_look_timer, self);
  self->pause_us = MIN (self->pause_us * 2, self->settings.poll_us);
}

void
slurm_look_soon (Slurm *self)
{
  self->pause_us = SLURM_PAUSE_US;
  look_later (self);
}

static gboolean
is_ours (const Slurm *self, const SlurmNode *node)
{
  const char *const *partitions = (const char *const *)self->settings.partitions;
  return partitions != NULL ? g_strv_contains (partitions, node->partition) : node->is_default;
}

static Offer *
find_offer (Slurm *self, const char *cluster)
{
  for (guint i = 0; i < self->offers->len; i++)
    {
      Offer *offer = self->offers->pdata[i];
      if (g_str_equal (offer->cluster, cluster))
        return offer;
    }
  return NULL;
}

static void
add_node (const SlurmNode *node, gpointer user_data)
{
  Slurm *self = user_data;
  guint n_each = self->settings.n_processors;
  if (node->is_draining)
    g_hash_table_add (self->draining, g_strdup (node->name));
  if (!is_ours (self, node))
    return;
  Offer *offer = find_offer (self, node->partition);
  if (offer == NULL)
    {
      offer = g_new0 (Offer, 1);
      offer->cluster = g_strdup (node->partition);
      g_ptr_array_add (self->offers, offer);
    }
  offer->n_possible += n_each == 0 ? 1 : node->n_processors / n_each;
  if (node->is_usable)
    offer->n_free += n_each == 0 ? node->n_idle == node->n_processors : node->n_idle / n_each;
}

/* ---- asking ---- */

static guint
count_held (const Slurm *self)
{
  guint n = 0;
  for (guint i = 0; i < self->jobs->len; i++)
    n += ((Job *)self->jobs->pdata[i])->state != JOB_UNWANTED;
  for (GList *each = self->submitting.head; each != NULL; each = each->next)
    n += ((Submission *)each->data)->is_cancelled ? 0 : ((Submission *)each->data)->n;
  return n;
}

/* How many machines there can ever be at a time; any number where sinfo does not tell, as Slurm
 * will. */
static guint
count_possible (Slurm *self, const char *cluster)
{
  guint64 n = 0;
  gboolean is_known = FALSE;
  for (guint i = 0; i < self->offers->len; i++)
    {
      Offer *offer = self->offers->pdata[i];
      if (*cluster != '\0' && !g_str_equal (offer->cluster, cluster))
        continue;
      is_known = TRUE;
      n += offer->n_possible;
    }
  return is_known ? (guint)MIN (n, SATIN_PROVISION_MAX) : SATIN_PROVISION_MAX;
}

/* Refuses what is more than @n_possible of @submission. */
static void
cut (Slurm *self, Submission *submission, guint n_possible, const char *what)
{
  guint n_held = count_held (self);
  guint n = n_possible > n_held ? MIN (submission->n, n_possible - n_held) : 0;
  if (n < submission->n)
    slurm_refuse_later (self, submission->ticket, submission->n - n,
                        g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                                     "there are never more than %u "
                                     "machines at a time: %s",
                                     n_possible, what));
  submission->n = n;
}

static void
submit_part (Slurm *self, const Submission *whole, guint n)
{
  Submission *part = g_new0 (Submission, 1);
  part->slurm = self;
  part->ticket = whole->ticket;
  part->cluster = g_strdup (whole->cluster);
  part->n = n;
  part->serial = ++self->serial;
  g_queue_push_tail (&self->submitting, part);
  tasks_submit (self, part);
}

static void
submit_waiting (Slurm *self)
{
  Submission *whole;
  while ((whole = g_queue_pop_head (&self->requests)) != NULL)
    {
      cut (self, whole, self->settings.max, "the parameter max says so");
      cut (self, whole, count_possible (self, whole->cluster), "so many has the partition");
      for (guint left = whole->n; left > 0; left -= MIN (left, self->settings.array_max))
        submit_part (self, whole, MIN (left, self->settings.array_max));
      submission_free (whole);
    }
}

void
slurm_request (Slurm *self, guint64 ticket, guint n, const char *cluster)
{
  const char *const *partitions = (const char *const *)self->settings.partitions;
  if (partitions != NULL && *cluster != '\0' && !g_strv_contains (partitions, cluster))
    {
      g_autofree char *known = g_strjoinv (", ", self->settings.partitions);
      slurm_refuse_later (self, ticket, n,
                          g_error_new (SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                                       "%s is none of the partitions that were given: %s", cluster,
                                       known));
      return;
    }
  Submission *submission = g_new0 (Submission, 1);
  submission->slurm = self;
  submission->ticket = ticket;
  submission->n = n;
  submission->cluster = g_strdup (cluster);
  g_queue_push_tail (&self->requests, submission);
  if (self->has_looked)
    submit_waiting (self);
}

static void
add_jobs (Slurm *self, const Submission *submission)
{
  for (guint i = 0; i < submission->n; i++)
    {
      g_autofree char *id = submission->n > 1 ? g_strdup_printf ("%s_%u", submission->number, i)
                                              : g_strdup (submission->number);
      Job *job = job_new (self, id, submission->ticket,
                          submission->is_cancelled ? JOB_UNWANTED : JOB_ASKED);
      job->files = g_strdup_printf ("%u-%u", submission->serial, i);
      if (submission->is_cancelled)
        job_drop (job);
    }
}

void
slurm_submitted (Submission *submission)
{
  Slurm *self = submission->slurm;
  g_queue_remove (&self->submitting, submission);
  if (submission->error == NULL)
    add_jobs (self, submission);
  else if (!submission->is_cancelled)
    self->host.refused (submission->ticket, submission->n, submission->error, self->user_data);
  submission_free (submission);
  slurm_look_soon (self);
}

/* ---- giving back ---- */

static GError *
cancelled (void)
{
  return g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CANCELLED, "the request was cancelled");
}

void
slurm_cancel (Slurm *self, gboolean is_all, guint64 ticket)
{
  for (GList *each = self->requests.head, *next; each != NULL; each = next)
    {
      Submission *submission = each->data;
      next = each->next;
      if (!is_all && submission->ticket != ticket)
        continue;
      slurm_refuse_later (self, submission->ticket, submission->n, cancelled ());
      g_queue_delete_link (&self->requests, each);
      submission_free (submission);
    }
  for (GList *each = self->submitting.head; each != NULL; each = each->next)
    {
      Submission *submission = each->data;
      if (submission->is_cancelled || (!is_all && submission->ticket != ticket))
        continue;
      submission->is_cancelled = TRUE;
      slurm_refuse_later (self, submission->ticket, submission->n, cancelled ());
    }
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];
      if (job->state != JOB_ASKED || (!is_all && job->ticket != ticket))
        continue;
      slurm_refuse_later (self, job->ticket, 1, cancelled ());
      job_drop (job);
    }
}

void
slurm_withdraw (Slurm *self, const char *name, gint64 deadline_us)
{
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];
      if (g_strcmp0 (job->name, name) == 0)
        job_withdraw (job, deadline_us);
    }
}

void
slurm_parted (Farewell *farewell)
{
  g_autofree Farewell *self = farewell;
  Slurm *slurm = self->slurm;
  Job *job = self->job;
  g_autofree char *name = g_strdup (job->name);
  gboolean was_granted = job->state == JOB_GRANTED;
  g_ptr_array_remove (slurm->jobs, job);
  if (self->reason != NULL && self->complaint != NULL && *self->complaint != '\0')
    {
      char *message = g_strdup_printf ("%s: %s", self->reason->message, self->complaint);
      g_free (self->reason->message);
      self->reason->message = message;
    }
  if (was_granted)
    slurm->host.ended (name, self->reason, slurm->user_data);
  g_clear_error (&self->reason);
  g_free (self->complaint);
  g_free (self->files);
}

/* ---- what Slurm says ---- */

/* The same trouble is told once. */
static void
note_trouble (Slurm *self, const GError *error)
{
  const char *text = error != NULL ? error->message : "";
  if (g_str_equal (self->trouble, text) || self->is_finishing)
    return;
  if (error != NULL)
    g_warning ("Slurm does not tell what its jobs do: %s", text);
  g_free (self->trouble);
  self->trouble = g_strdup (text);
}

static gboolean
follow (Slurm *self, const Look *look, GError **error)
{
  if (look->nodes != NULL)
    {
      g_ptr_array_set_size (self->offers, 0);
      g_hash_table_remove_all (self->draining);
      if (!answers_read_nodes (look->nodes, add_node, self, error))
        return FALSE;
    }
  return jobs_follow (self, look->jobs, error);
}

void
slurm_looked (Look *look)
{
  g_autofree Look *self = look;
  Slurm *slurm = self->slurm;
  g_autoptr (GError) error = self->jobs_error != NULL ? self->jobs_error : self->nodes_error;
  slurm->is_looking = FALSE;
  slurm->has_looked = TRUE;
  gboolean is_known = self->jobs != NULL && !slurm->is_finishing;
  if (is_known)
    is_known = follow (slurm, self, error == NULL ? &error : NULL);
  note_trouble (slurm, error);
  g_free (self->jobs);
  g_free (self->nodes);
  submit_waiting (slurm);
  if (slurm->is_closing && is_known)
    closing_looked (slurm);
  look_later (slurm);
}
