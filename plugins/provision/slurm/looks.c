/* looks.c - when squeue and sinfo are called, and the offers that result
 *
 * A look calls squeue, and then sinfo. It comes after a pause, which is short after a submission or
 * a signal, and doubles with each look up to `poll`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

/* ---- offers ---- */

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

guint
look_count_possible (const Slurm *self, const char *cluster)
{
  guint64 n = 0;
  gboolean is_known = FALSE;
  for (guint i = 0; i < self->offers->len; i++)
    {
      const Offer *offer = self->offers->pdata[i];
      if (*cluster != '\0' && !g_str_equal (offer->cluster, cluster))
        continue;
      is_known = TRUE;
      n += offer->n_possible;
    }
  return is_known ? (guint)MIN (n, SATIN_PROVISION_MAX) : SATIN_PROVISION_MAX;
}

static void look_later (Slurm *self);

/* ---- a look ---- */

/* Warns of a trouble, unless the look before had the same trouble. */
static void
note_trouble (Slurm *self, const GError *error)
{
  const char *text = error != NULL ? error->message : "";
  if (g_str_equal (self->trouble, text))
    return;
  if (error != NULL)
    g_warning ("Slurm does not tell what its jobs do: %s", text);
  g_free (self->trouble);
  self->trouble = g_strdup (text);
}

static void
look_end (Slurm *self, const GError *error)
{
  self->is_looking = FALSE;
  if (self->is_finishing)
    return;
  self->has_looked = TRUE;
  note_trouble (self, error);
  slurm_post (self);
  look_later (self);
}

static void
on_nodes (Slurm *self, const char *output, const GError *failed, gpointer data)
{
  g_autoptr (GError) error = failed != NULL ? g_error_copy (failed) : NULL;
  if (error == NULL)
    {
      g_ptr_array_set_size (self->offers, 0);
      g_hash_table_remove_all (self->draining);
      answers_read_nodes (output, add_node, self, &error);
    }
  look_end (self, error);
}

static void
ask_for_nodes (Slurm *self)
{
  char **partitions = self->settings.partitions;
  const Call call = {
    .arguments =
        call_arguments ("sinfo", "--noheader", "--Node", "--format=" ANSWERS_NODES_FORMAT, NULL),
    .done = on_nodes,
  };
  g_autofree char *all = partitions != NULL ? g_strjoinv (",", partitions) : NULL;
  if (all != NULL)
    g_ptr_array_add (call.arguments, g_strconcat ("--partition=", all, NULL));
  call_add (self, &call);
}

/* Takes the output of squeue, and then calls sinfo. If squeue has failed, sinfo is not called. */
static void
on_jobs (Slurm *self, const char *output, const GError *failed, gpointer data)
{
  g_autoptr (GError) error = failed != NULL ? g_error_copy (failed) : NULL;
  if (error != NULL || !jobs_follow (self, output, &error))
    {
      look_end (self, error);
      return;
    }
  slurm_try_finish (self);
  if (!self->is_finishing)
    ask_for_nodes (self);
}

static void
on_look_timer (gpointer user_data)
{
  Slurm *self = user_data;
  g_autofree char *name = g_strconcat ("--name=", self->job_name, NULL);
  const Call call = {
    .arguments = call_arguments ("squeue", "--noheader", "--all", "--array", "--states=all", name,
                                 "--Format", ANSWERS_JOBS_FORMAT, NULL),
    .done = on_jobs,
  };
  self->look_timer = 0;
  self->is_looking = TRUE;
  call_add (self, &call);
}

/* ---- the pause between looks ---- */

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
look_soon (Slurm *self)
{
  self->pause_us = SLURM_PAUSE_US;
  look_later (self);
}
