/* hub-world.c - a hub, and nodes and tools that speak its protocol, on a clock that tests move
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-world.h"

#include <string.h>

/* ---- a loop whose clock can jump ---- */

typedef struct
{
  SatinLoop base;
  SatinLoop *manual; /* (borrowed) */
  gint64 jump_us;
} JumpLoop;

static gint64
jump_now_us (SatinLoop *loop)
{
  JumpLoop *self = (JumpLoop *)loop;
  return satin_loop_now_us (self->manual) + self->jump_us;
}

static SatinTimerId
jump_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  return satin_loop_timer_add (((JumpLoop *)loop)->manual, delay_us, func, user_data);
}

static void
jump_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  satin_loop_timer_cancel (((JumpLoop *)loop)->manual, &id);
}

static void
jump_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  satin_loop_post (((JumpLoop *)loop)->manual, func, user_data);
}

static guint64
jump_random (SatinLoop *loop)
{
  return satin_loop_random (((JumpLoop *)loop)->manual);
}

static void
jump_free (SatinLoop *loop)
{
  g_free (loop);
}

static const SatinLoopOps jump_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = jump_now_us,
  .timer_add = jump_timer_add,
  .timer_cancel = jump_timer_cancel,
  .post = jump_post,
  .random = jump_random,
  .free = jump_free,
};

static SatinLoop *
jump_loop_new (SatinLoop *manual)
{
  JumpLoop *self = g_new0 (JumpLoop, 1);
  self->base.ops = &jump_ops;
  self->manual = manual;
  return &self->base;
}

/* ---- notes ---- */

static void note (GString *log, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note (GString *log, const char *format, ...)
{
  va_list arguments;

  if (log->len > 0)
    g_string_append (log, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (log, format, arguments);
  va_end (arguments);
}

/* Returns: the notes so far, valid until the next call; empties the log */
static const char *
take_notes (GString *log)
{
  static char *text;

  g_free (text);
  text = g_strdup (log->str);
  g_string_truncate (log, 0);
  return text;
}

static const char *
code_name (const GError *error)
{
  static const char *const names[] = {
    "INVALID",   "NOT_FOUND", "FORMAT",         "TRUNCATED",   "LIMIT",   "PROGRAM", "SECRET",
    "PROTOCOL",  "ABI",       "ADDRESS_IN_USE", "UNREACHABLE", "TIMEOUT", "CLOSED",  "FENCED",
    "NODE_LOST", "JOB",       "CANCELLED",      "IO"
  };

  return error == NULL ? "in good order" : names[error->code];
}

/* ---- the hub and its holder ---- */

static void
on_changed (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data)
{
  World *self = user_data;
  note (self->log, "%u %s", id, what);
}

static void
on_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
  World *self = user_data;
  note (self->log, "over %d%s%s", exit_status, message != NULL ? " " : "",
        message != NULL ? message : "");
}

static gboolean
on_asked (SatinHub *hub, const char *word, GBytes *payload, gpointer user_data, GError **error)
{
  World *self = user_data;
  note (self->log, "asked to %s %.*s", word, (int)g_bytes_get_size (payload),
        (const char *)g_bytes_get_data (payload, NULL));
  if (!g_str_equal (word, "refuse"))
    return TRUE;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "as the holder was asked to");
  return FALSE;
}

static void
on_told (SatinHub *hub, SatinNodeId from, const char *word, GBytes *payload, gpointer user_data)
{
  World *self = user_data;
  note (self->log, "%u says %s %.*s", from, word, (int)g_bytes_get_size (payload),
        (const char *)g_bytes_get_data (payload, NULL));
}

static GBytes *
on_describe (SatinHub *hub, gpointer user_data)
{
  return g_bytes_new_static ("held", 4);
}

static const SatinHubEvents holder = {
  .changed = on_changed,
  .over = on_over,
  .asked = on_asked,
  .told = on_told,
  .describe = on_describe,
};

void
world_start_hub (World *self, gboolean is_restarted)
{
  g_autoptr (GError) error = NULL;

  self->options.is_restarted = is_restarted;
  self->hub = satin_hub_new (self->loop, self->transport, "pipe:hub", &self->options, &holder, self,
                             &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->hub);
}

void
world_lose_hub (World *self)
{
  satin_hub_free (self->hub);
  self->hub = NULL;
  world_settle (self);
}

static SatinTransport *
open_transport (World *self)
{
  SatinTransportContext context = { .struct_size = sizeof context, .loop = self->loop };
  g_autoptr (GError) error = NULL;
  SatinTransport *transport = satin_transport_new_with_ops (&pipe_transport_ops, &context, &error);

  g_assert_no_error (error);
  return transport;
}

static void
end_free (gpointer data)
{
  End *self = data;

  g_string_free (self->log, TRUE);
  g_free (self->why);
  g_free ((char *)self->program.name);
  if (self->status != NULL)
    satin_record_clear (&SatinRunStatus_record, self->status);
  g_free (self->status);
  g_free (self);
}

World *
world_new_seeded (const SatinHubOptions *options, guint64 seed)
{
  World *self = g_new0 (World, 1);

  if (options != NULL)
    self->options = *options;
  self->manual = satin_loop_new_manual (seed);
  self->loop = jump_loop_new (self->manual);
  self->network = pipe_network_new (self->loop);
  self->transport = open_transport (self);
  self->log = g_string_new (NULL);
  self->ends = g_ptr_array_new_with_free_func (end_free);
  world_start_hub (self, self->options.is_restarted);
  return self;
}

World *
world_new (const SatinHubOptions *options)
{
  return world_new_seeded (options, (guint64)g_test_rand_int ());
}

void
world_free (World *self)
{
  satin_hub_free (self->hub);
  satin_transport_close (self->transport, NULL, NULL);
  for (guint i = 0; i < self->ends->len; i++)
    satin_transport_close (((End *)g_ptr_array_index (self->ends, i))->transport, NULL, NULL);
  world_settle (self);
  g_ptr_array_unref (self->ends);
  g_string_free (self->log, TRUE);
  pipe_network_free (self->network);
  satin_loop_free (self->loop);
  satin_loop_free (self->manual);
  g_free (self);
}

void
world_settle (World *self)
{
  satin_loop_advance (self->manual, 0);
}

static void
beat_all (World *self)
{
  for (guint i = 0; i < self->ends->len; i++)
    {
      End *end = g_ptr_array_index (self->ends, i);
      if (end->is_beating && end->is_member && end->link != NULL)
        end_send (end, HUB_MESSAGE_HEARTBEAT, NULL);
    }
}

void
world_advance (World *self, gint64 duration_us)
{
  while (duration_us > 0)
    {
      gint64 step_us = MIN (duration_us, WORLD_SECOND_US / 10);

      beat_all (self);
      satin_loop_advance (self->manual, step_us);
      duration_us -= step_us;
    }
}

void
world_freeze (World *self, gint64 duration_us)
{
  ((JumpLoop *)self->loop)->jump_us += duration_us;
}

const char *
world_heard (World *self)
{
  return take_notes (self->log);
}

/* ---- nodes and tools ---- */

/* A restarted hub continues its counters behind a gap of random size. So a number above the gap is
 * noted as "+N", counted from the first such number that this node hears. */
static const char *
relative (gint64 *first, gint64 number)
{
  static char texts[4][32];
  static guint next;
  char *text = texts[next++ % G_N_ELEMENTS (texts)];

  if (number > HUB_RESTORE_GAP && *first == 0)
    *first = number;
  if (number > HUB_RESTORE_GAP)
    g_snprintf (text, sizeof texts[0], "+%" G_GINT64_FORMAT, number - *first);
  else
    g_snprintf (text, sizeof texts[0], "%" G_GINT64_FORMAT, number);
  return text;
}

static void
note_members (End *self, const HubWelcome *welcome)
{
  g_string_append (self->log, " members");
  for (gsize i = 0; i < welcome->n_members; i++)
    g_string_append_printf (self->log, " %" G_GINT64_FORMAT "%s", welcome->members[i].id,
                            welcome->members[i].is_leaving ? " leaving" : "");
  if (welcome->master != 0)
    g_string_append_printf (self->log, " master %" G_GINT64_FORMAT " term %s", welcome->master,
                            relative (&self->first_term, welcome->term));
  if (welcome->is_complete)
    g_string_append (self->log, " complete");
  if (welcome->is_partial)
    g_string_append (self->log, " partial");
  if (welcome->is_leaving)
    g_string_append (self->log, " and leaving");
}

static void
note_welcome (End *self, const HubWelcome *welcome)
{
  note (self->log, "welcome %s self %" G_GINT64_FORMAT,
        relative (&self->first_view, welcome->view_number), welcome->self);
  note_members (self, welcome);
  self->is_member = TRUE;
  self->id = welcome->self;
  self->hub = welcome->hub;
  memcpy (self->run, welcome->run, HUB_RUN_BYTES);
}

static void
keep_status (End *self, HubMessage *message)
{
  note (self->log, "status");
  if (self->status != NULL)
    satin_record_clear (&SatinRunStatus_record, self->status);
  g_free (self->status);
  self->status = g_memdup2 (&message->body.status, sizeof message->body.status);
  *message = (HubMessage){ 0 };
}

static void
note_message (End *self, HubMessage *message)
{
  const char *name = hub_message_name (message->type);

  if (message->type == HUB_MESSAGE_WELCOME)
    note_welcome (self, &message->body.welcome);
  else if (message->type == HUB_MESSAGE_JOINED)
    note (self->log, "%s %s id %" G_GINT64_FORMAT "%s", name,
          relative (&self->first_view, message->body.joined.view_number),
          message->body.joined.member.id, message->body.joined.member.is_leaving ? " leaving" : "");
  else if (message->type == HUB_MESSAGE_LEFT || message->type == HUB_MESSAGE_DIED
           || message->type == HUB_MESSAGE_LEAVING)
    note (self->log, "%s %s id %" G_GINT64_FORMAT, name,
          relative (&self->first_view, message->body.gone.view_number), message->body.gone.id);
  else if (message->type == HUB_MESSAGE_ELECTED)
    note (self->log, "%s %s id %" G_GINT64_FORMAT " term %s", name,
          relative (&self->first_view, message->body.elected.view_number), message->body.elected.id,
          relative (&self->first_term, message->body.elected.term));
  else if (message->type == HUB_MESSAGE_SIGNAL)
    note (self->log, "%s %s %.*s", name, message->body.signal.word,
          (int)message->body.signal.n_payload, message->body.signal.payload);
  else if (message->type == HUB_MESSAGE_OVER)
    note (self->log, "%s %d %s", name, message->body.end.exit_status, message->body.end.message);
  else if (message->type == HUB_MESSAGE_STATUS)
    keep_status (self, message);
  else if (message->type == HUB_MESSAGE_UNKNOWN)
    note (self->log, "%s id %" G_GINT64_FORMAT, name, message->body.number.id);
  else if (message->type != HUB_MESSAGE_HEARTBEAT)
    note (self->log, "%s", name);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  End *self = user_data;
  g_auto (HubMessage) message = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (kind, ==, SATIN_FRAME_HUB);
  hub_message_parse (payload, SATIN_ROLE_HUB, &message, &error);
  g_assert_no_error (error);
  note_message (self, &message);
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  End *self = user_data;

  if (link != self->link)
    return;
  self->link = NULL;
  self->is_member = FALSE;
  note (self->log, "down %s", code_name (error));
  g_free (self->why);
  self->why = g_strdup (error != NULL ? error->message : NULL);
}

static const SatinLinkFuncs funcs = { .frame = on_frame, .down = on_down };

End *
end_new (World *self, SatinRole role)
{
  End *end = g_new0 (End, 1);

  end->world = self;
  end->transport = open_transport (self);
  end->log = g_string_new (NULL);
  end->program.name = g_strdup ("fib");
  end->cluster = "cluster";
  end->host = "host";
  end->address = "pipe:x";
  end->identity.role = role;
  end->identity.program = &end->program;
  end->pid = 1000 + self->ends->len;
  g_ptr_array_add (self->ends, end);
  return end;
}

void
end_connect (End *self)
{
  g_autoptr (GError) error = NULL;

  self->link =
      satin_transport_connect (self->transport, "pipe:hub", &self->identity, &funcs, self, &error);
  g_assert_no_error (error);
  world_settle (self->world);
}

void
end_send (End *self, HubMessageType type, gconstpointer body)
{
  g_autoptr (GBytes) payload = hub_message_encode (type, body);

  g_assert_nonnull (self->link);
  satin_link_send (self->link, SATIN_FRAME_HUB, 0, payload);
  world_settle (self->world);
}

void
end_send_garbage (End *self, const char *text)
{
  g_autoptr (GBytes) payload = g_bytes_new (text, strlen (text));

  satin_link_send (self->link, SATIN_FRAME_HUB, 0, payload);
  world_settle (self->world);
}

static HubNode
describe (const End *self)
{
  return (HubNode){ self->id, self->cluster, self->address, self->host, self->pid };
}

void
end_join (End *self)
{
  HubJoin join = { .member = describe (self) };

  join.member.id = 0;
  end_send (self, HUB_MESSAGE_JOIN, &join);
}

End *
world_add_node (World *self)
{
  End *end = end_new (self, SATIN_ROLE_NODE);

  end->is_beating = TRUE;
  end_connect (end);
  end_join (end);
  g_string_truncate (end->log, 0);
  return end;
}

static void
send_return (End *self, HubJoin *join, const gint64 *others, gsize n_others)
{
  g_autofree HubNode *nodes = g_new0 (HubNode, n_others);

  for (gsize i = 0; i < n_others; i++)
    nodes[i] = (HubNode){ others[i], "cluster", "pipe:x", "host", 999 + others[i] };
  join->member = describe (self);
  join->hub = self->hub;
  join->run = self->run;
  join->n_run = HUB_RUN_BYTES;
  join->members = nodes;
  join->n_members = n_others;
  end_send (self, HUB_MESSAGE_JOIN, join);
}

void
end_return (End *self, gint64 view_number, gint64 highest, gint64 master, gint64 term,
            const gint64 *others, gsize n_others)
{
  HubJoin join = {
    .highest = highest,
    .view_number = view_number,
    .master = master,
    .term = term,
  };

  send_return (self, &join, others, n_others);
}

void
end_return_partial (End *self, gint64 view_number, gint64 highest, const gint64 *others,
                    gsize n_others, gint32 gone)
{
  HubJoin join = {
    .highest = highest,
    .view_number = view_number,
    .is_partial = TRUE,
    .gone = &gone,
    .n_gone = gone != 0 ? 1 : 0,
  };

  send_return (self, &join, others, n_others);
}

void
end_break (End *self)
{
  satin_link_drop (self->link);
  world_settle (self->world);
  g_string_truncate (self->log, 0);
}

const char *
end_heard (End *self)
{
  return take_notes (self->log);
}
