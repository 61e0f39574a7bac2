/* steal-world.c - nodes that steal from each other, without workers, network or clock
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

#include <string.h>

#define SEED         1
#define RUN_US       1000
#define PAUSE_US     1000
#define HOUR_US      ((gint64)3600 * 1000000)
#define STEP_US      ((gint64)10000)
#define FAILURE_CODE SATIN_ERROR_LIMIT

/* A job that a node runs for another node. */
typedef struct
{
  WorldNode *node; /* (borrowed) */
  guint64 import_id;
  guint number;
  SatinTimerId timer;
} ImportJob;

WorldJob *
steal_world_job (StealWorld *self, guint number)
{
  return &g_array_index (self->jobs, WorldJob, number);
}

WorldNode *
steal_world_node (StealWorld *self, SatinNodeId id)
{
  return &self->nodes[id - 1];
}

/* ---- jobs ---- */

SATIN_TASK (twice, (int), (int, number)) { return 2 * number; }

static guint
world_take (gpointer jobs, const StealDemand *demand, StealTaken *ret_taken, gboolean *ret_is_kept)
{
  WorldNode *self = jobs;
  guint n = 0;
  *ret_is_kept = FALSE;
  self->n_kept = demand->n_kept;
  while (n < MIN (demand->max, self->max_taken) && !g_queue_is_empty (&self->public))
    {
      gint32 number = GPOINTER_TO_INT (g_queue_pop_head (&self->public)) - 1;
      steal_world_job (self->world, number)->n_taken++;
      ret_taken[n++] = (StealTaken){
        .handle = GINT_TO_POINTER (number + 1),
        .task = WORLD_TASK,
        .args = g_bytes_new (&number, sizeof number),
        .under = self->under,
        .path = self->path != NULL ? g_bytes_new (self->path, strlen (self->path)) : NULL,
        .hints = g_steal_pointer (&self->hints),
      };
    }
  return n;
}

/* Gives a job the parent and the path of the jobs that are taken now. */
static void
world_place (gpointer jobs, gpointer handle, StealTaken *ret_taken)
{
  const WorldNode *self = jobs;
  ret_taken->under = self->under;
  ret_taken->path = self->path != NULL ? g_bytes_new (self->path, strlen (self->path)) : NULL;
}

static void
world_want (gpointer jobs)
{
  ((WorldNode *)jobs)->n_wanted++;
}

static void
import_job_free (gpointer data)
{
  ImportJob *self = data;
  satin_loop_timer_cancel (self->node->world->loop, &self->timer);
  g_free (self);
}

/* Returns: the double of the number, followed by as many zeros as the job's size_bytes */
static GBytes *
make_result (StealWorld *world, guint number)
{
  gsize size_bytes = sizeof number + steal_world_job (world, number)->size_bytes;
  guint *result = g_malloc0 (size_bytes);
  *result = number * 2;
  return g_bytes_new_take (result, size_bytes);
}

static void
import_over (gpointer data)
{
  ImportJob *import = data;
  WorldNode *node = import->node;
  import->timer = 0;
  g_autoptr (GBytes) result = node->is_failing ? NULL : make_result (node->world, import->number);
  StealOutcome outcome = {
    .status = node->is_failing ? STEAL_FAILED : STEAL_OK,
    .result = result,
    .code = FAILURE_CODE,
    .message = node->is_failing ? "it fails" : NULL,
    .ran_us = node->run_us,
  };
  guint64 import_id = import->import_id;
  g_hash_table_remove (node->running, import);
  steal_finished (node->steal, import_id, &outcome);
  steal_hungry (node->steal);
}

static gboolean
world_give (gpointer jobs, int task, GBytes *args, guint64 import_id, gpointer hints)
{
  WorldNode *self = jobs;
  if (self->is_reading_nothing || task != WORLD_TASK || g_bytes_get_size (args) != sizeof (gint32))
    return FALSE;
  gint32 number;
  memcpy (&number, g_bytes_get_data (args, NULL), sizeof number);
  if (number < 0 || (guint)number >= self->world->jobs->len)
    return FALSE;
  ImportJob *import = g_new0 (ImportJob, 1);
  import->node = self;
  import->import_id = import_id;
  import->number = (guint)number;
  /* One worker runs the imported jobs one after another. */
  gint64 delay_us = self->run_us * (g_hash_table_size (self->running) + 1);
  import->timer = satin_loop_timer_add (self->world->loop, delay_us, import_over, import);
  if (hints != NULL)
    g_queue_push_tail (&self->hints_given, hints);
  g_hash_table_add (self->running, import);
  steal_world_job (self->world, import->number)->n_given++;
  return TRUE;
}

static gint
compare_import_ids (gconstpointer a, gconstpointer b)
{
  const ImportJob *left = a, *right = b;
  return left->import_id < right->import_id ? -1 : left->import_id > right->import_id;
}

/* Keeps the first job, which has begun, and gives back the others. */
static void
world_give_back (gpointer jobs, void (*func) (guint64 import_id, gpointer user_data),
                 gpointer user_data)
{
  WorldNode *self = jobs;
  GList *imports = g_list_sort (g_hash_table_get_keys (self->running), compare_import_ids);
  for (GList *item = imports != NULL ? imports->next : NULL; item != NULL; item = item->next)
    {
      func (((ImportJob *)item->data)->import_id, user_data);
      g_hash_table_remove (self->running, item->data);
    }
  g_list_free (imports);
}

static gboolean
world_finish (gpointer jobs, gpointer handle, const StealOutcome *outcome)
{
  WorldNode *self = jobs;
  guint number = GPOINTER_TO_UINT (handle) - 1;
  WorldJob *job = steal_world_job (self->world, number);
  job->over_us = satin_loop_now_us (self->world->loop);
  job->ran_us = outcome->ran_us;
  job->arrived_us = outcome->arrived_us;
  if (self->is_reading_no_result)
    {
      job->n_put_back++;
      return FALSE;
    }
  if (outcome->status == STEAL_FAILED)
    {
      job->n_failed++;
      job->code = outcome->code;
      g_free (job->message);
      job->message = g_strdup (outcome->message);
      return TRUE;
    }
  if (self->world->has_liars && g_bytes_get_size (outcome->result) != sizeof number)
    {
      job->n_put_back++;
      return FALSE;
    }
  job->n_finished++;
  if (self->world->has_liars)
    return TRUE;
  g_assert_cmpuint (g_bytes_get_size (outcome->result), ==, sizeof number + job->size_bytes);
  g_assert_cmpuint (*(const guint *)g_bytes_get_data (outcome->result, NULL), ==, number * 2);
  return TRUE;
}

static void
world_put_back (gpointer jobs, gpointer handle, gpointer hints)
{
  WorldNode *self = jobs;
  WorldJob *job = steal_world_job (self->world, GPOINTER_TO_UINT (handle) - 1);
  job->n_put_back++;
  job->over_us = satin_loop_now_us (self->world->loop);
  if (hints != NULL)
    g_queue_push_tail (&self->hints_back, hints);
}

static gboolean
world_is_free (gpointer jobs)
{
  return !((WorldNode *)jobs)->is_full;
}

static guint
world_n_idle (gpointer jobs)
{
  WorldNode *self = jobs;
  guint n_running = g_hash_table_size (self->running);
  return self->n_workers > n_running ? self->n_workers - n_running : 0;
}

static gboolean
world_is_busy (gpointer jobs)
{
  return ((WorldNode *)jobs)->is_busy;
}

static guint
world_n_queued (gpointer jobs)
{
  return g_queue_get_length (&((WorldNode *)jobs)->public);
}

static gboolean
world_is_aborted (gpointer jobs, gpointer handle)
{
  WorldNode *self = jobs;
  return steal_world_job (self->world, GPOINTER_TO_UINT (handle) - 1)->is_aborted;
}

/* An aborted job ends at once. */
static void
world_abort (gpointer jobs, guint64 import_id)
{
  WorldNode *self = jobs;
  StealOutcome outcome = { .status = STEAL_FAILED, .code = SATIN_ERROR_ABORTED };
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (((ImportJob *)key)->import_id == import_id)
      {
        g_hash_table_iter_remove (&iter);
        steal_finished (self->steal, import_id, &outcome);
        return;
      }
}

static guint
world_note_crash (gpointer jobs, gpointer handle)
{
  WorldNode *self = jobs;
  return ++steal_world_job (self->world, GPOINTER_TO_UINT (handle) - 1)->n_crashes;
}

static char *
world_describe (gpointer jobs, gpointer handle)
{
  return g_strdup_printf ("job %u", GPOINTER_TO_UINT (handle) - 1);
}

static GBytes *
copy_number (gint32 number)
{
  return g_bytes_new (&number, sizeof number);
}

/* Reports the children 0, 1, ... of the job @under as finished. */
void
steal_world_tell_saved (WorldNode *self)
{
  for (guint i = 0; i < self->n_saved; i++)
    {
      StealSaved saved = { .under = self->under,
                           .path = g_bytes_new (self->path, strlen (self->path)),
                           .task = WORLD_TASK,
                           .args = copy_number ((gint32)i),
                           .result = copy_number (2 * (gint32)i) };
      self->saving->saved (&saved, self->saving_data);
      g_bytes_unref (saved.path);
      g_bytes_unref (saved.args);
      g_bytes_unref (saved.result);
    }
}

/* Ends all imported jobs without a result. */
static void
world_stop (WorldNode *self, const StealSavingFuncs *funcs, gpointer user_data)
{
  steal_world_tell_saved (self);
  g_hash_table_remove_all (self->running);
  if (!self->is_stuck)
    funcs->stopped (user_data);
}

static void
world_save (gpointer jobs, gboolean is_end, SatinFinishedFilter *filter,
            const StealSavingFuncs *funcs, gpointer user_data)
{
  WorldNode *self = jobs;
  self->saving = funcs;
  self->saving_data = user_data;
  if (is_end)
    world_stop (self, funcs, user_data);
  else
    self->n_saving++;
}

static GBytes *
world_encode (gpointer jobs, gpointer handle, int *ret_task)
{
  *ret_task = WORLD_TASK;
  return copy_number (GPOINTER_TO_INT (handle) - 1);
}

static void
world_note_progress (gpointer jobs, gpointer handle, double share)
{
  steal_world_job (((WorldNode *)jobs)->world, GPOINTER_TO_INT (handle) - 1)->share = share;
}

static void
world_foreach_progress (gpointer jobs,
                        void (*func) (guint64 import_id, double share, gpointer user_data),
                        gpointer user_data)
{
  const WorldNode *self = jobs;
  GHashTableIter iter;
  gpointer job;
  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &job, NULL))
    func (((ImportJob *)job)->import_id, self->share, user_data);
}

static void
world_forget_ways (gpointer jobs)
{
  WorldNode *self = jobs;
  self->n_forgotten++;
}

static const StealJobs world_jobs = {
  .take = world_take,
  .place = world_place,
  .want = world_want,
  .give = world_give,
  .finish = world_finish,
  .put_back = world_put_back,
  .is_free = world_is_free,
  .n_idle = world_n_idle,
  .is_busy = world_is_busy,
  .n_queued = world_n_queued,
  .give_back = world_give_back,
  .is_aborted = world_is_aborted,
  .abort = world_abort,
  .note_crash = world_note_crash,
  .describe = world_describe,
  .note_progress = world_note_progress,
  .foreach_progress = world_foreach_progress,
  .save = world_save,
  .encode = world_encode,
  .forget_ways = world_forget_ways,
};

/* ---- policy ---- */

static void
world_note (WorldNode *self, const SatinStealSituation *situation)
{
  self->situation = *situation;
  memcpy (self->victims, situation->victims, situation->n_victims * sizeof (SatinVictim));
}

/* Asks its victim, or a random node, and pauses after each refusal. */
static void
world_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  WorldNode *self = policy;
  self->n_chosen++;
  world_note (self, situation);
  ret_choice->tell = self->tell;
  ret_choice->n_jobs = self->n_jobs;
  if (self->is_passive)
    return;
  const SatinStealHistory *history =
      self->is_asking_far ? &situation->far_history : &situation->near_history;
  if (history->n_refused > 0 && history->since_us < self->pause_us)
    {
      ret_choice->wait_us = self->pause_us - history->since_us;
      return;
    }
  SatinNodeId victim = self->victim;
  if (victim == 0)
    victim = situation->victims[situation->random[0] % situation->n_victims].id;
  if (self->is_asking_far)
    ret_choice->far = victim;
  else
    ret_choice->near = victim;
}

static void
world_balance (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  WorldNode *self = policy;
  self->n_balanced++;
  world_note (self, situation);
  ret_choice->push = self->push;
  ret_choice->n_push = self->n_push;
  ret_choice->tell = self->tell;
  ret_choice->wait_us = self->balance_wait_us;
}

static void
world_close (gpointer policy)
{
  ((WorldNode *)policy)->n_closed++;
}

static const SatinPolicyOps world_policy = {
  .struct_size = sizeof (SatinPolicyOps),
  .choose = world_choose,
  .close = world_close,
};

static const SatinPolicyOps balancing_policy = {
  .struct_size = sizeof (SatinPolicyOps),
  .choose = world_choose,
  .close = world_close,
  .balance = world_balance,
};

/* ---- the world ---- */

static StealWorld *
make_world (guint n_nodes, const SatinPolicyOps *policy)
{
  StealWorld *self = g_new0 (StealWorld, 1);
  self->loop = counting_loop_new (SEED);
  self->net = fake_net_new (self->loop, n_nodes);
  self->n_nodes = n_nodes;
  self->jobs = g_array_new (FALSE, TRUE, sizeof (WorldJob));
  for (guint i = 0; i < n_nodes; i++)
    {
      WorldNode *node = &self->nodes[i];
      *node = (WorldNode){
        .world = self,
        .id = i + 1,
        .running = g_hash_table_new_full (NULL, NULL, import_job_free, NULL),
        .n_workers = i > 0,
        .run_us = RUN_US,
        .max_taken = G_MAXUINT,
        .pause_us = PAUSE_US,
      };
      g_queue_init (&node->public);
      g_queue_init (&node->hints_given);
      g_queue_init (&node->hints_back);
      node->steal = steal_new (self->loop, fake_net_get_peers (self->net, i + 1), &world_jobs, node,
                               policy, node);
    }
  return self;
}

StealWorld *
steal_world_new (guint n_nodes)
{
  return make_world (n_nodes, &world_policy);
}

StealWorld *
steal_world_new_balancing (guint n_nodes)
{
  return make_world (n_nodes, &balancing_policy);
}

void
steal_world_free_node (StealWorld *self, SatinNodeId id)
{
  WorldNode *node = steal_world_node (self, id);
  g_hash_table_remove_all (node->running);
  g_clear_pointer (&node->steal, steal_free);
  g_assert_cmpuint (node->n_closed, ==, 1);
}

void
steal_world_free (StealWorld *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      if (self->nodes[i].steal != NULL)
        steal_world_free_node (self, i + 1);
      g_hash_table_unref (self->nodes[i].running);
      g_queue_clear (&self->nodes[i].public);
    }
  fake_net_free (self->net);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_loop_free (self->loop);
  for (guint i = 0; i < self->jobs->len; i++)
    g_free (steal_world_job (self, i)->message);
  g_array_unref (self->jobs);
  g_free (self);
}

guint
steal_world_add_jobs (StealWorld *self, SatinNodeId owner, guint n)
{
  guint first = self->jobs->len;
  g_array_set_size (self->jobs, first + n);
  for (guint i = first; i < first + n; i++)
    g_queue_push_tail (&steal_world_node (self, owner)->public, GUINT_TO_POINTER (i + 1));
  return first;
}

void
steal_world_start (StealWorld *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    steal_hungry (self->nodes[i].steal);
}

void
steal_world_advance (StealWorld *self, gint64 duration_us)
{
  counting_loop_advance (self->loop, duration_us);
}

guint
steal_world_count_over (StealWorld *self, guint number)
{
  const WorldJob *job = steal_world_job (self, number);
  return job->n_finished + job->n_failed + job->n_put_back;
}

static gboolean
is_finished (StealWorld *self)
{
  for (guint i = 0; i < self->jobs->len; i++)
    if (steal_world_count_over (self, i) == 0)
      return FALSE;
  for (guint i = 0; i < self->n_nodes; i++)
    {
      const Steal *steal = self->nodes[i].steal;
      if (steal != NULL && (steal_count_exported (steal) > 0 || steal_count_held (steal) > 0))
        return FALSE;
    }
  return TRUE;
}

void
steal_world_finish (StealWorld *self)
{
  for (gint64 us = 0; !is_finished (self); us += STEP_US)
    {
      g_assert_cmpint (us, <, HOUR_US);
      steal_world_advance (self, STEP_US);
    }
}

void
steal_world_assert_once (StealWorld *self)
{
  for (guint i = 0; i < self->jobs->len; i++)
    g_assert_cmpuint (steal_world_count_over (self, i), ==, 1);
}

GBytes *
steal_world_name_message (StealKind kind, gint32 index, gint64 generation)
{
  StealName name = { .index = index, .generation = generation };
  return steal_message (kind, &StealName_record, &name);
}
