/* election.c - the master elects the coordinator: the node that writes fastest
 *
 *   IDLE ----> ASKING     this node becomes the master, and knows of no coordinator
 *   IDLE ----> KNOWN      this node becomes the master, and knows the coordinator
 *   ASKING --> OPENING    all candidates have answered; or half of them have, and GRACE_US have
 *                         passed; or ANSWER_US have passed
 *   OPENING -> KNOWN      the chosen node says READY
 *   KNOWN ---> ASKING     the coordinator is lost, or says that it is not the coordinator
 *   ASKING --> FAILED     no candidate can write or sees logs
 *   OPENING -> FAILED     the chosen node is lost or silent, or cannot read the logs
 *   FAILED --> ASKING     later; or IDLE, if another node is the master now
 *   IDLE, ASKING, FAILED -> KNOWN    the coordinator of an earlier master says AM
 *
 * Candidates time a small write. A candidate that sees logs but cannot write is better than a
 * candidate that sees no logs: the run can continue from the logs, and store more results when
 * writing becomes possible. Among equals the candidate that sees more bytes of logs wins; then the
 * faster one. If the chosen node cannot read the logs, the election has failed.
 *
 * Source: 003 sec. 3.5. Differs: at most 16 nodes are asked, because a thousand writes at once may
 * overload a server; logs that are there decide before speed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"

#define MAX_CANDIDATES 16
/* How long candidates have to answer, and how much longer the others have after half of them have
 * answered and one of these is able to be the coordinator. */
#define ANSWER_US ((gint64)15000000)
#define GRACE_US  ((gint64)200000)
/* How long the chosen node may be silent. While it reads, it reports once a second. */
#define SILENCE_US ((gint64)15000000)
/* After a failed election the next one begins after RETRY_US, then after twice as long, and so on,
 * but at most after RETRY_MAX_US. */
#define RETRY_US     ((gint64)1000000)
#define RETRY_MAX_US ((gint64)60000000)
/* How long a new master waits for AM: a coordinator that is there says AM within this time. */
#define MASTER_US ((gint64)1000000)
/* How often the core asks whether the root job may begin. */
#define ROOT_US ((gint64)5000)

typedef enum
{
  ELECTION_IDLE,    /* this node is not the master; or it is a new master, and waits for AM */
  ELECTION_ASKING,  /* candidates time a write */
  ELECTION_OPENING, /* a node was chosen, and reads the logs */
  ELECTION_KNOWN,   /* the coordinator is ready */
  ELECTION_FAILED,  /* the last election failed; another one follows */
} ElectionState;

typedef struct
{
  SatinNodeId id;
  gboolean has_answered;
  gboolean can_write;
  gint64 write_us;
  gint64 log_bytes;
} Candidate;

struct _Election
{
  CheckpointClient *client; /* (borrowed) */
  ElectionState state;
  gint64 number;           /* counts elections */
  GArray *candidates;      /* (owned) of Candidate */
  SatinNodeId chosen;      /* the chosen node, while OPENING */
  gboolean is_hurried;     /* half of the candidates have answered, so the timer is short */
  gboolean has_been_ready; /* a coordinator was ready in this run, as far as this master knows */
  gint64 retry_us;
  gboolean has_warned;
  GError *error; /* (owned) (nullable): why the last election failed */
  SatinTimerId timer;
};

static void begin (gpointer user_data);

static void
wait_for (Election *self, gint64 delay_us, SatinLoopFunc func)
{
  satin_loop_timer_cancel (self->client->loop, &self->timer);
  self->timer = satin_loop_timer_add (self->client->loop, delay_us, func, self);
}

/* Notes that the election has failed, and begins another one later. */
static void
fail (Election *self)
{
  CheckpointClient *client = self->client;
  self->state = ELECTION_FAILED;
  self->chosen = 0;
  if (self->error == NULL)
    g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                 "checkpoint %s: it could not be opened within %d s; is its server up, and can "
                 "these hosts reach it?",
                 client->uri, (int)(ANSWER_US / G_USEC_PER_SEC));
  if (!self->has_warned
      && satin_peers_get_view (client->peers)->term + (guint)self->has_been_ready > 1)
    g_warning ("%s; results wait until it can be written", self->error->message);
  self->has_warned = TRUE;
  self->retry_us = CLAMP (self->retry_us * 2, RETRY_US, RETRY_MAX_US);
  wait_for (self, self->retry_us, begin);
}

static void
on_silence (gpointer user_data)
{
  Election *self = user_data;
  self->timer = 0;
  satin_loop_probe (self->client->loop, "checkpoint.coordinator-silent");
  fail (self);
}

static void
choose (Election *self, const Candidate *best)
{
  CheckpointClient *client = self->client;
  const GArray *inputs = inputs_get_named (client->inputs);
  const CheckpointBeMessage be = { .order = checkpoint_client_order (client, self->number),
                                   .inputs = (const SatinCheckpointInput *)inputs->data,
                                   .n_inputs = inputs->len };
  satin_loop_note (client->loop, G_LOG_DOMAIN,
                   best->can_write ? "checkpoint: node %u writes it, %.1f ms for a small write"
                                   : "checkpoint: node %u reads it, no node can write it",
                   best->id, (double)best->write_us / 1000);
  self->state = ELECTION_OPENING;
  self->chosen = best->id;
  /* That another candidate cannot write is not why this election may fail. */
  g_clear_error (&self->error);
  wait_for (self, SILENCE_US, on_silence);
  checkpoint_client_send (client, best->id, CHECKPOINT_MESSAGE_BE, &CheckpointBeMessage_record,
                          &be);
}

/* Whether the candidate can write, or at least sees logs. */
static gboolean
is_able (const Candidate *self)
{
  return self->can_write || self->log_bytes > 0;
}

/* Ranks a candidate. 3: sees logs and can write; 2: sees logs; 1: can write; 0: neither. */
static int
rank (const Candidate *self)
{
  return !is_able (self) ? 0 : self->log_bytes == 0 ? 1 : self->can_write ? 3 : 2;
}

/* Whether @candidate is better than @best (nullable). */
static gboolean
is_better (const Candidate *candidate, const Candidate *best)
{
  if (best == NULL || rank (candidate) != rank (best))
    return rank (candidate) > (best != NULL ? rank (best) : 0);
  if (candidate->log_bytes != best->log_bytes)
    return candidate->log_bytes > best->log_bytes;
  return candidate->write_us < best->write_us;
}

static void
end_asking (gpointer user_data)
{
  Election *self = user_data;
  const Candidate *best = NULL;
  satin_loop_timer_cancel (self->client->loop, &self->timer); /* the timer may still run */
  for (guint i = 0; i < self->candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (self->candidates, Candidate, i);
      if (is_better (candidate, best))
        best = candidate;
    }
  if (best != NULL)
    choose (self, best);
  else
    fail (self);
}

static void
check_answers (Election *self)
{
  guint n_answers = 0, n_able = 0;
  for (guint i = 0; i < self->candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (self->candidates, Candidate, i);
      n_answers += candidate->has_answered;
      n_able += is_able (candidate);
    }
  if (n_answers == self->candidates->len)
    end_asking (self);
  else if (n_able > 0 && n_answers * 2 >= self->candidates->len && !self->is_hurried)
    {
      self->is_hurried = TRUE;
      wait_for (self, GRACE_US, end_asking);
    }
}

static void
add_candidate (Election *self, SatinNodeId id)
{
  Candidate candidate = { .id = id };
  g_array_append_val (self->candidates, candidate);
}

/* Draws the candidates: this node, and other nodes by lot; no node that is leaving. */
static void
draw_candidates (Election *self)
{
  CheckpointClient *client = self->client;
  const SatinView *view = satin_peers_get_view (client->peers);
  g_array_set_size (self->candidates, 0);
  if (!view->is_leaving)
    add_candidate (self, view->self);
  guint n_left = 0;
  for (guint i = 0; i < view->n_peers; i++)
    n_left += !view->peers[i].is_leaving;
  for (guint i = 0; i < view->n_peers && self->candidates->len < MAX_CANDIDATES; i++)
    if (!view->peers[i].is_leaving
        && satin_loop_random_below (client->loop, n_left--)
               < MAX_CANDIDATES - self->candidates->len)
      add_candidate (self, view->peers[i].id);
}

static void
begin (gpointer user_data)
{
  Election *self = user_data;
  CheckpointClient *client = self->client;
  self->timer = 0;
  if (!checkpoint_client_is_master (client))
    {
      self->state = ELECTION_IDLE;
      return;
    }
  if (!client->has_id)
    {
      for (guint i = 0; i < ID_BYTES; i++)
        client->id[i] = (guint8)satin_loop_random (client->loop);
      client->has_id = TRUE;
    }
  self->number++;
  self->state = ELECTION_ASKING;
  g_clear_error (&self->error);
  self->is_hurried = FALSE;
  draw_candidates (self);
  wait_for (self, ANSWER_US, end_asking);
  const CheckpointOrderMessage time = checkpoint_client_order (client, self->number);
  for (guint i = 0; i < self->candidates->len; i++)
    checkpoint_client_send (client, g_array_index (self->candidates, Candidate, i).id,
                            CHECKPOINT_MESSAGE_TIME, &CheckpointOrderMessage_record, &time);
  check_answers (self);
}

static void
set_error (Election *self, SatinNodeId from, int code, const char *message)
{
  g_clear_error (&self->error);
  g_set_error (&self->error, SATIN_ERROR, code, "checkpoint %s: %s (node %u)", self->client->uri,
               message, from);
}

void
election_on_timed (Election *self, SatinNodeId from, const CheckpointTimedMessage *timed)
{
  if (self->state != ELECTION_ASKING || timed->number != self->number)
    return;
  for (guint i = 0; i < self->candidates->len; i++)
    {
      Candidate *candidate = &g_array_index (self->candidates, Candidate, i);
      if (candidate->id != from)
        continue;
      candidate->has_answered = TRUE;
      candidate->can_write = timed->code < 0;
      candidate->write_us = timed->write_us;
      candidate->log_bytes = timed->log_bytes;
      if (!candidate->can_write)
        set_error (self, from, timed->code, timed->message);
    }
  check_answers (self);
}

static void
become_known (Election *self, SatinNodeId id)
{
  self->state = ELECTION_KNOWN;
  self->chosen = 0;
  self->retry_us = 0;
  self->has_warned = FALSE;
  self->has_been_ready = TRUE;
  g_clear_error (&self->error);
  satin_loop_timer_cancel (self->client->loop, &self->timer);
  checkpoint_client_set_coordinator (self->client, id, self->client->id, ID_BYTES);
}

void
election_on_ready (Election *self, SatinNodeId from, const CheckpointStateMessage *state)
{
  if (self->state != ELECTION_OPENING || from != self->chosen || state->number != self->number)
    return;
  if (!state->is_done)
    {
      wait_for (self, SILENCE_US, on_silence);
      return;
    }
  if (state->code >= 0)
    {
      set_error (self, from, state->code, state->message);
      fail (self);
      return;
    }
  if (state->n_results > 0)
    g_message ("checkpoint %s: %" G_GINT64_FORMAT " stored results count; those of jobs "
               "below them are not needed",
               self->client->uri, state->n_results);
  become_known (self, from);
}

void
election_on_who (Election *self, SatinNodeId from, SatinNodeId refused)
{
  CheckpointClient *client = self->client;
  if (!checkpoint_client_is_master (client))
    return;
  if (self->state == ELECTION_KNOWN && (client->coordinator == 0 || client->coordinator == refused))
    {
      satin_loop_probe (client->loop, "checkpoint.coordinator-resigned");
      begin (self);
    }
  CheckpointWhoMessage is = { .node =
                                  self->state == ELECTION_KNOWN ? (gint32)client->coordinator : 0,
                              .run = client->id,
                              .n_run = client->has_id ? ID_BYTES : 0 };
  checkpoint_client_send (client, from, CHECKPOINT_MESSAGE_IS, &CheckpointWhoMessage_record, &is);
}

/* Accepts a coordinator that introduces itself to this node, the new master. */
void
election_on_am (Election *self, SatinNodeId from, const CheckpointWhoMessage *am)
{
  if (!checkpoint_client_is_master (self->client) || am->n_run != ID_BYTES
      || self->state == ELECTION_KNOWN || self->state == ELECTION_OPENING)
    return;
  satin_loop_probe (self->client->loop, "checkpoint.new-master-told");
  checkpoint_client_set_coordinator (self->client, from, am->run, am->n_run);
  become_known (self, from);
}

void
election_master_changed (Election *self)
{
  CheckpointClient *client = self->client;
  if (!checkpoint_client_is_master (client) || self->state != ELECTION_IDLE)
    return;
  if (client->coordinator != 0)
    become_known (self, client->coordinator);
  else
    wait_for (self, satin_peers_get_view (client->peers)->term > 1 ? MASTER_US : 0, begin);
}

void
election_node_gone (Election *self, SatinNodeId id)
{
  gboolean is_coordinator = self->state == ELECTION_KNOWN && self->client->coordinator == 0;
  if (is_coordinator || (self->state == ELECTION_OPENING && id == self->chosen))
    {
      satin_loop_probe (self->client->loop, "checkpoint.coordinator-lost");
      wait_for (self, 0, begin);
      self->state = ELECTION_FAILED;
      return;
    }
  for (guint i = 0; self->state == ELECTION_ASKING && i < self->candidates->len; i++)
    if (g_array_index (self->candidates, Candidate, i).id == id)
      {
        g_array_remove_index (self->candidates, i);
        check_answers (self);
        return;
      }
}

/* Decides whether the root job may begin. In the first term it waits until the coordinator is
 * ready; if the election fails, the run ends. In later terms the other nodes still have results, so
 * after a failed election the root job begins without waiting for the next election. */
gint64
election_root_wait_us (Election *self, GError **error)
{
  gboolean is_first = satin_peers_get_view (self->client->peers)->term <= 1;
  if (self->state == ELECTION_KNOWN || (self->state == ELECTION_FAILED && !is_first))
    return 0;
  if (self->state != ELECTION_FAILED || self->error == NULL)
    return ROOT_US;
  g_propagate_error (error, g_error_copy (self->error));
  return -1;
}

/* In later terms, an earlier master may have known a coordinator of which this one has not heard.
 */
gboolean
election_may_have_logs (const Election *self)
{
  return self->has_been_ready || satin_peers_get_view (self->client->peers)->term > 1;
}

Election *
election_new (CheckpointClient *client)
{
  Election *self = g_new0 (Election, 1);
  self->client = client;
  self->candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  return self;
}

void
election_free (Election *self)
{
  satin_loop_timer_cancel (self->client->loop, &self->timer);
  g_array_unref (self->candidates);
  g_clear_error (&self->error);
  g_free (self);
}

void
election_waits (const Election *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "somebody who writes the checkpoint",
                           .node = self->chosen,
                           .deadline = self->timer };
  if (self->state != ELECTION_IDLE && self->state != ELECTION_KNOWN)
    add (&wait, user_data);
}
