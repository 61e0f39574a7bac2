/* inputs.c - checks that the program reads the same inputs as when its stored results were made
 *
 * A job names an input, with a digest of the input's bytes. The job's node asks the coordinator,
 * which knows the inputs of this run and of all logs. If the coordinator knows another digest of
 * this name, its answer is an error, except with --checkpoint-anyway. A node repeats its question
 * until it is answered. If there is no answer for a long time, the job continues, because the
 * checkpoint must not hold up the run. The message BE tells a new coordinator the inputs that jobs
 * of the master's node have named, so that it knows them before it takes any result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "log/private.h"
#include "coordinator.h"

#include <string.h>

/* When a question is repeated, and when the job continues without an answer. */
#define AGAIN_US   ((gint64)500000)
#define GIVE_UP_US ((gint64)15000000)
/* The most bytes that all inputs may take in a log's HEAD. Each input takes its name and
 * INPUT_FIXED_BYTES for its digest. */
#define INPUTS_MAX_BYTES  ((gsize)32 << 10)
#define INPUT_FIXED_BYTES ((gsize)40)

typedef struct
{
  gint64 number;
  CheckpointInputMessage message; /* (owned) */
  gint64 since_us;
  SatinInputFunc done;
  gpointer user_data;
} Question;

struct _Inputs
{
  CheckpointClient *client; /* (borrowed) */
  GArray *named;            /* (owned) of SatinCheckpointInput: named by jobs of this node */
  GPtrArray *waiting;       /* (owned) of (owned) Question */
  gint64 last_number;
  SatinTimerId timer;
};

/* ---- a node asks ---- */

static void
question_free (gpointer data)
{
  Question *self = data;
  satin_record_clear (&CheckpointInputMessage_record, &self->message);
  g_free (self);
}

static void
settle (Inputs *self, guint index, const GError *error)
{
  Question *question = g_ptr_array_steal_index (self->waiting, index);
  question->done (error, question->user_data);
  question_free (question);
}

/* Sends all questions that are not answered, or asks the master for the coordinator if it is not
 * known. */
static void
ask_all (Inputs *self)
{
  CheckpointClient *client = self->client;
  const CheckpointNumberMessage who = { 0 };
  if (client->peers == NULL || self->waiting->len == 0)
    return;
  SatinNodeId master = satin_peers_get_view (client->peers)->master;
  if (client->coordinator == 0 && master != 0)
    checkpoint_client_send (client, master, CHECKPOINT_MESSAGE_WHO, &CheckpointNumberMessage_record,
                            &who);
  for (guint i = 0; i < self->waiting->len && client->coordinator != 0; i++)
    checkpoint_client_send (client, client->coordinator, CHECKPOINT_MESSAGE_INPUT,
                            &CheckpointInputMessage_record,
                            &((Question *)g_ptr_array_index (self->waiting, i))->message);
}

static void
on_again (gpointer user_data)
{
  Inputs *self = user_data;
  gint64 now_us = satin_loop_now_us (self->client->loop);
  self->timer = 0;
  for (guint i = self->waiting->len; i-- > 0;)
    if (now_us - ((Question *)g_ptr_array_index (self->waiting, i))->since_us >= GIVE_UP_US)
      settle (self, i, NULL);
  ask_all (self);
  if (self->waiting->len > 0)
    self->timer = satin_loop_timer_add (self->client->loop, AGAIN_US, on_again, self);
}

void
inputs_name (Inputs *self, const char *name, const guint8 *digest, SatinInputFunc done,
             gpointer user_data)
{
  CheckpointClient *client = self->client;
  const SatinCheckpointInput input = { .name = name,
                                       .digest = digest,
                                       .n_digest = SATIN_INPUT_DIGEST_BYTES };
  const CheckpointInputMessage message = { .number = ++self->last_number, .input = input };
  Question *question = g_new0 (Question, 1);
  *question = (Question){ .number = message.number,
                          .since_us = satin_loop_now_us (client->loop),
                          .done = done,
                          .user_data = user_data };
  satin_record_copy (&CheckpointInputMessage_record, &message, &question->message);
  checkpoint_inputs_replace (self->named, &input);
  g_ptr_array_add (self->waiting, question);
  ask_all (self);
  if (self->timer == 0)
    self->timer = satin_loop_timer_add (client->loop, AGAIN_US, on_again, self);
}

void
inputs_on_answer (Inputs *self, const CheckpointToldMessage *answer)
{
  for (guint i = 0; i < self->waiting->len; i++)
    {
      if (((Question *)g_ptr_array_index (self->waiting, i))->number != answer->number)
        continue;
      g_autoptr (GError) error = NULL;
      if (answer->code >= 0)
        g_set_error (&error, SATIN_ERROR, answer->code, "checkpoint %s: %s", self->client->uri,
                     answer->message);
      settle (self, i, error);
      return;
    }
}

void
inputs_coordinator_changed (Inputs *self)
{
  ask_all (self);
}

const GArray *
inputs_get_named (const Inputs *self)
{
  return self->named;
}

Inputs *
inputs_new (CheckpointClient *client)
{
  Inputs *self = g_new0 (Inputs, 1);
  self->client = client;
  self->named = checkpoint_inputs_new (NULL, 0);
  self->waiting = g_ptr_array_new_with_free_func (question_free);
  return self;
}

void
inputs_free (Inputs *self)
{
  g_autoptr (GError) error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CLOSED, "the run is over");
  satin_loop_timer_cancel (self->client->loop, &self->timer);
  while (self->waiting->len > 0)
    settle (self, self->waiting->len - 1, error);
  g_ptr_array_unref (self->waiting);
  g_array_unref (self->named);
  g_free (self);
}

void
inputs_waits (const Inputs *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "the coordinator to compare an input",
                           .node = self->client->coordinator,
                           .deadline = self->timer };
  if (self->waiting->len > 0)
    add (&wait, user_data);
}

/* ---- the coordinator answers ---- */

static void
name_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  store_name_inputs (self->coordinator->store, self->head.inputs, self->head.n_inputs);
}

static void
name_done (WriterTask *task)
{
  /* Nothing is left to do: the node has its answer already. */
}

/* Notes a new input. Later results go into a log whose HEAD names this input. */
static void
note (Coordinator *self, const SatinCheckpointInput *input)
{
  const SatinCheckpointHead head = { .inputs = input, .n_inputs = 1 };
  if (!checkpoint_inputs_add (self->inputs, input))
    return;
  CoordinatorTask *task = coordinator_task_new (self, name_work, name_done);
  satin_record_copy (&SatinCheckpointHead_record, &head, &task->head);
  coordinator_do (self, task);
}

static gsize
count_one (GHashTable *names, const char *name)
{
  return g_hash_table_add (names, (gpointer)name) ? strlen (name) + INPUT_FIXED_BYTES : 0;
}

/* How many bytes the inputs of @list and @input take in a HEAD. A HEAD has one digest of each name,
 * but @list may have several: with --checkpoint-anyway, also those of earlier runs. */
static gsize
count_bytes (const GArray *list, const SatinCheckpointInput *input)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gsize n_bytes = count_one (names, input->name);
  for (guint i = 0; i < list->len; i++)
    n_bytes += count_one (names, g_array_index (list, SatinCheckpointInput, i).name);
  return n_bytes;
}

static gboolean
judge (Coordinator *self, const SatinCheckpointInput *input, GError **error)
{
  const SatinCheckpointInput *other = checkpoint_inputs_find_other (
      (const SatinCheckpointInput *)self->inputs->data, self->inputs->len, input);
  if (other != NULL && !self->client->is_anyway)
    {
      *error = checkpoint_input_error (other, input);
      return FALSE;
    }
  /* An input that is known already needs no more room: each node names the same inputs, and so does
   * a run that continues. */
  if (checkpoint_inputs_has (self->inputs, input))
    return TRUE;
  if (count_bytes (self->inputs, input) <= INPUTS_MAX_BYTES)
    return TRUE;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                       "the program names too many inputs: their names may have 32 KiB; name one "
                       "that stands for all, with what tells them apart as its bytes");
  return FALSE;
}

void
coordinator_on_input (Coordinator *self, SatinNodeId from, const CheckpointInputMessage *message)
{
  g_autoptr (GError) error = NULL;
  const SatinCheckpointInput *input = &message->input;
  if (input->n_digest != SATIN_INPUT_DIGEST_BYTES || *input->name == '\0'
      || strlen (input->name) > SATIN_INPUT_NAME_MAX_BYTES)
    return;
  if (!self->is_open)
    return; /* the node asks again */
  if (judge (self, input, &error))
    note (self, input);
  const CheckpointToldMessage answer = { .number = message->number,
                                         .code = checkpoint_client_code_of (error),
                                         .message = error != NULL ? error->message : NULL };
  checkpoint_client_send (self->client, from, CHECKPOINT_MESSAGE_INPUT_IS,
                          &CheckpointToldMessage_record, &answer);
}
