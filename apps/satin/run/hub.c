/* hub.c - the hub of a run: this command's own hub, another command's hub, or another registry
 *
 * Another command's hub does not report to this command which nodes join. So this command polls the
 * hub's status until the first node that this command started is a member.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub.h"
#include "runs/figures.h"

/* The first and the longest pause between two polls of another command's hub. Each pause is twice
 * as long as the previous one, up to the longest: a thousand commands may ask the same hub. */
#define JOIN_POLL_US      ((gint64)20000)
#define JOIN_POLL_LAST_US ((gint64)640000)
#define JOIN_ASK_US       ((gint64)1000)
#define FIRST_PATIENCE_US ((gint64)5000000)

struct _RunHub
{
  Session *session; /* (borrowed) */
  SatinHub *hub;    /* (owned) (nullable): %NULL when another command holds it */
  char *uri;        /* (owned) */
  const RunHubFuncs *funcs;
  gpointer user_data;
  gint64 expected_pid; /* process of the node that has to join; 0: none */
  gboolean is_mute;    /* there is no hub, so there is no status */
  gboolean is_asking;  /* on_members() will be called */
  gboolean is_freed;   /* run_hub_free() was called; on_members() frees the RunHub */
  gint64 pause_us;     /* until the next poll */
  SatinTimerId poll_timer;
};

/* The caller's function for a status of this command's own hub. on_answer() calls it without an
 * error, because that hub always answers. */
typedef struct
{
  SatinStatusFunc func;
  gpointer user_data;
} Question;

static RunHub *
make (Session *session, const RunHubFuncs *funcs, gpointer user_data)
{
  RunHub *self = g_new0 (RunHub, 1);
  self->session = session;
  self->funcs = funcs;
  self->user_data = user_data;
  return self;
}

static void
on_changed (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data)
{
  RunHub *self = user_data;
  gint64 pid =
      g_str_equal (what, "died") ? satin_hub_get_dead_pid (hub, id, g_get_host_name ()) : 0;
  if (pid != 0)
    self->funcs->died (id, pid, self->user_data);
  if (g_str_equal (what, "joined"))
    self->funcs->joined (id, self->user_data);
  else if (g_str_equal (what, "is leaving"))
    self->funcs->leaving (id, self->user_data);
  else
    self->funcs->gone (id, self->user_data);
}

static void
on_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
  RunHub *self = user_data;
  self->funcs->over (exit_status, message, self->user_data);
}

static gboolean
on_asked (SatinHub *hub, const char *word, GBytes *payload, gpointer user_data, GError **error)
{
  RunHub *self = user_data;
  return self->funcs->asked (word, payload, self->user_data, error);
}

static void
on_told (SatinHub *hub, SatinNodeId from, const char *word, GBytes *payload, gpointer user_data)
{
  RunHub *self = user_data;
  self->funcs->told (from, word, payload, self->user_data);
}

static GBytes *
on_describe (SatinHub *hub, gpointer user_data)
{
  RunHub *self = user_data;
  return self->funcs->describe (self->user_data);
}

static void
on_elected (SatinHub *hub, SatinNodeId id, gpointer user_data)
{
  RunHub *self = user_data;
  self->funcs->elected (id, self->user_data);
}

static void
on_silent (SatinHub *hub, SatinNodeId id, const char *why, gpointer user_data)
{
  RunHub *self = user_data;
  self->funcs->silent (id, why, self->user_data);
}

RunHub *
run_hub_new (Session *session, const char *uri, guint n_nodes, const RunHubFuncs *funcs,
             gpointer user_data, GError **error)
{
  static const SatinHubEvents events = { .changed = on_changed,
                                         .over = on_over,
                                         .asked = on_asked,
                                         .told = on_told,
                                         .describe = on_describe,
                                         .silent = on_silent,
                                         .elected = on_elected };
  g_autoptr (RunHub) self = make (session, funcs, user_data);
  const SatinHubOptions options = { .n_nodes = n_nodes };
  self->hub =
      satin_hub_new (session->loop, session->transport, uri, &options, &events, self, error);
  if (self->hub == NULL)
    return NULL;
  self->uri = g_strdup (satin_hub_get_uri (self->hub));
  return g_steal_pointer (&self);
}

RunHub *
run_hub_join (Session *session, const char *uri, const RunHubFuncs *funcs, gpointer user_data,
              GError **error)
{
  SatinRunStatus status;
  if (!session_ask_status (session, uri, FIRST_PATIENCE_US, &status, error))
    return NULL;
  satin_record_clear (&SatinRunStatus_record, &status);
  RunHub *self = make (session, funcs, user_data);
  self->uri = g_strdup (uri);
  return self;
}

RunHub *
run_hub_stand_in (Session *session, const char *uri, const RunHubFuncs *funcs, gpointer user_data)
{
  RunHub *self = make (session, funcs, user_data);
  self->uri = g_strdup (uri);
  self->is_mute = TRUE;
  return self;
}

SatinHub *
run_hub_get (const RunHub *self)
{
  return self->hub;
}

gboolean
run_hub_has_status (const RunHub *self)
{
  return !self->is_mute;
}

gboolean
run_hub_is_own (const RunHub *self)
{
  return self->hub != NULL;
}

const char *
run_hub_get_uri (const RunHub *self)
{
  return self->uri;
}

static void poll_members (gpointer user_data);

static gboolean
has_member (const SatinRunStatus *status, gint64 pid)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    if (figure_is_of_process (&status->nodes[i], pid))
      return TRUE;
  return FALSE;
}

static void
on_members (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  RunHub *self = user_data;
  self->is_asking = FALSE;
  if (self->is_freed)
    {
      run_hub_free (self);
      return;
    }
  if (error != NULL || !has_member (status, self->expected_pid))
    {
      self->poll_timer =
          satin_loop_timer_add (self->session->loop, self->pause_us, poll_members, self);
      self->pause_us = MIN (2 * self->pause_us, JOIN_POLL_LAST_US);
      return;
    }
  self->expected_pid = 0;
  self->funcs->joined (0, self->user_data);
}

static void
poll_members (gpointer user_data)
{
  RunHub *self = user_data;
  self->poll_timer = 0;
  if (self->is_mute)
    {
      self->expected_pid = 0;
      self->funcs->joined (0, self->user_data);
      return;
    }
  self->is_asking = TRUE;
  run_hub_ask (self, JOIN_ASK_US, on_members, self);
}

void
run_hub_expect (RunHub *self, gint64 pid)
{
  if (self->hub != NULL || self->expected_pid != 0)
    return;
  self->expected_pid = pid;
  self->pause_us = JOIN_POLL_US;
  if (self->is_mute)
    self->poll_timer = satin_loop_timer_add (self->session->loop, 0, poll_members, self);
  else
    poll_members (self);
}

static void
on_answer (const SatinRunStatus *status, gpointer user_data)
{
  g_autofree Question *question = user_data;
  question->func (status, NULL, question->user_data);
}

void
run_hub_ask (RunHub *self, gint64 timeout_us, SatinStatusFunc func, gpointer user_data)
{
  if (self->hub == NULL)
    {
      satin_status_ask (self->session->loop, self->session->transport, self->uri, timeout_us, func,
                        user_data);
      return;
    }
  Question *question = g_new (Question, 1);
  *question = (Question){ func, user_data };
  satin_hub_ask_status (self->hub, timeout_us, on_answer, question);
}

gboolean
run_hub_is_ending (const RunHub *self)
{
  return self->hub != NULL && satin_hub_is_ending (self->hub);
}

void
run_hub_expect_more (RunHub *self, guint n_nodes)
{
  if (self->hub != NULL)
    satin_hub_expect_more (self->hub, n_nodes);
}

void
run_hub_process_ended (RunHub *self, gint64 pid, int signal_number, const char *how)
{
  if (self->hub != NULL)
    satin_hub_process_killed (self->hub, g_get_host_name (), pid, signal_number, how);
}

const char *
run_hub_get_host (const RunHub *self, SatinNodeId id)
{
  return self->hub != NULL ? satin_hub_get_host (self->hub, id) : NULL;
}

void
run_hub_signal (RunHub *self, const char *word)
{
  if (self->hub != NULL)
    satin_hub_signal (self->hub, 0, word, NULL);
}

void
run_hub_end (RunHub *self, int exit_status, const char *message)
{
  if (self->hub != NULL)
    satin_hub_end (self->hub, exit_status, message);
}

void
run_hub_free (RunHub *self)
{
  if (self == NULL)
    return;
  satin_loop_timer_cancel (self->session->loop, &self->poll_timer);
  satin_hub_free (g_steal_pointer (&self->hub));
  self->is_freed = TRUE;
  if (self->is_asking)
    return;
  g_free (self->uri);
  g_free (self);
}
