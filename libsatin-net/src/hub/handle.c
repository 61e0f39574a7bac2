/* handle.c - handles each message of a node or a tool
 *
 * A handler returns FALSE with an error when the sender broke a rule, or asks for something that is
 * refused. Then the sender's link is closed with the error, and nothing else happens.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/bytes.h>
#include <string.h>

typedef gboolean (*HubHandler) (SatinHub *self, HubConnection *connection, HubMessage *message,
                                GError **error);

static gboolean
check_build (SatinHub *self, const SatinHello *hello, GError **error)
{
  g_autofree char *ours = satin_builds_find (self->builds, hello->build);
  if (ours == NULL || strcmp (ours, hello->build) == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "the run's program is the build %s of \"%s\", the node's is the build %s; start the "
               "same build everywhere",
               ours, self->program, hello->build);
  return FALSE;
}

gboolean
hub_check_program (SatinHub *self, const SatinHello *hello, GError **error)
{
  g_autofree char *ours = satin_hex (self->digest, 4);
  g_autofree char *theirs = satin_hex (hello->digest, MIN (hello->n_digest, 4));

  if (hello->program[0] == '\0' || hello->n_digest != sizeof self->digest)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
                           "a node has to say which program it runs");
      return FALSE;
    }
  if (self->program == NULL)
    return TRUE;
  if (strcmp (self->program, hello->program) == 0
      && memcmp (self->digest, hello->digest, sizeof self->digest) == 0)
    return check_build (self, hello, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "the run's program is \"%s\" (tasks %s), the node's is \"%s\" (tasks %s); start "
               "the same build everywhere",
               self->program, ours, hello->program, theirs);
  return FALSE;
}

static void
fix_program (SatinHub *self, const SatinHello *hello)
{
  if (self->program == NULL)
    {
      self->program = g_strdup (hello->program);
      memcpy (self->digest, hello->digest, sizeof self->digest);
    }
  /* The first node of each processor architecture decides for this architecture. */
  char *builds = satin_builds_add (self->builds, hello->build);
  g_free (self->builds);
  self->builds = builds;
}

HubMember *
hub_find_returning (SatinHub *self, const HubJoin *join, GError **error)
{
  HubMember *member = hub_member_find (self, join->member.id);
  const char *why = NULL;

  if (!self->has_run || memcmp (self->run, join->run, HUB_RUN_BYTES) != 0)
    why = "the hub serves another run";
  else if (member == NULL)
    why = "it was silent or out of reach for too long";
  else if (member->pid != join->member.pid || strcmp (member->host, join->member.host) != 0
           || strcmp (member->address, join->member.address) != 0)
    why = "the number belongs to another process";
  if (why == NULL)
    return member;
  satin_loop_probe (self->loop, "hub.join-fenced");
  g_propagate_error (error, hub_fenced_error (join->member.id, why));
  return NULL;
}

static gboolean
take_back (SatinHub *self, HubConnection *connection, const HubJoin *join, GError **error)
{
  HubMember *member = hub_find_returning (self, join, error);

  if (member == NULL)
    return FALSE;
  satin_loop_probe (self->loop, "hub.member-back");
  hub_member_attach (self, member, connection);
  hub_member_welcome (self, member);
  return TRUE;
}

/* Finds an earlier member with the process and the address of @node. Either its process joins
 * again, because the answer to its first join was lost, or a new process has taken its place. In
 * both cases the earlier member is gone, because two living nodes never have the same address. */
static HubMember *
find_former (SatinHub *self, const HubNode *node)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      HubMember *member = g_ptr_array_index (self->members, i);
      if (member->pid == node->pid && strcmp (member->address, node->address) == 0
          && strcmp (member->host, node->host) == 0)
        return member;
    }
  return NULL;
}

static gboolean
admit (SatinHub *self, HubConnection *connection, const HubJoin *join, GError **error)
{
  HubMember *former = find_former (self, &join->member);

  if (self->options.n_nodes > 0 && self->is_complete && former == NULL
      && self->n_joined >= self->options.n_nodes)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "the run is closed: all %u nodes have joined; start it with more nodes or "
                   "as an open one",
                   self->options.n_nodes);
      return FALSE;
    }
  if (self->members->len >= HUB_MAX_MEMBERS || self->next_number >= HUB_MAX_NUMBER)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "the run has %u members, a hub serves no more than %d", self->members->len,
                   HUB_MAX_MEMBERS);
      return FALSE;
    }
  if (self->state == HUB_EMPTY)
    hub_enter (self, HUB_RUNNING);
  fix_program (self, satin_link_get_hello (connection->link));
  self->n_joined -= former != NULL;
  hub_member_admit (self, connection, &join->member);
  if (former == NULL)
    return TRUE;
  satin_loop_probe (self->loop, "hub.joined-again");
  hub_member_remove (self, former, HUB_MEMBER_DIED, "its process joined again");
  return TRUE;
}

static void
say_over (SatinHub *self, HubConnection *connection)
{
  SatinRunEnd end = { self->exit_status, self->end_message };
  hub_connection_send (connection, HUB_MESSAGE_OVER, &end);
  hub_connection_close (connection, NULL);
}

gboolean
hub_handle_join (SatinHub *self, HubConnection *connection, const HubJoin *join, GError **error)
{
  gboolean is_new = join->member.id == 0;

  if (!hub_check_program (self, satin_link_get_hello (connection->link), error))
    return FALSE;
  if (self->state == HUB_OVER || (self->state == HUB_ENDING && is_new))
    {
      say_over (self, connection);
      return TRUE;
    }
  if (!is_new && (self->state == HUB_EMPTY || self->state == HUB_RESTORING))
    {
      if (!hub_restore_member (self, connection, join, error))
        return FALSE;
      fix_program (self, satin_link_get_hello (connection->link));
      return TRUE;
    }
  if (!is_new)
    return take_back (self, connection, join, error);
  if (self->state == HUB_RESTORING)
    {
      satin_loop_probe (self->loop, "hub.join-held");
      connection->held_join = hub_message_encode (HUB_MESSAGE_JOIN, join);
      return TRUE;
    }
  return admit (self, connection, join, error);
}

static gboolean
handle_join (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  if (connection->member != NULL || connection->held_join != NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "a link joins once");
      return FALSE;
    }
  return hub_handle_join (self, connection, &message->body.join, error);
}

static gboolean
ask_holder (SatinHub *self, const HubSignal *signal, GError **error)
{
  g_autoptr (GBytes) payload = g_bytes_new (signal->payload, signal->n_payload);

  if (self->events.asked != NULL)
    return self->events.asked (self, signal->word, payload, self->user_data, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "this run's hub is not part of satin run, so it starts no nodes and does not do "
               "\"%s\": start "
               "nodes with satin node, and let others leave with satin leave",
               signal->word);
  return FALSE;
}

static gboolean
handle_signal (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  const HubSignal *signal = &message->body.signal;

  if (signal->to != SATIN_RUN_HOLDER)
    hub_signal (self, signal);
  else if (connection->role == SATIN_ROLE_TOOL)
    return ask_holder (self, signal, error);
  else if (self->events.told != NULL)
    {
      g_autoptr (GBytes) payload = g_bytes_new (signal->payload, signal->n_payload);
      self->events.told (self, connection->member->id, signal->word, payload, self->user_data);
    }
  return TRUE;
}

/* Whether the sender reads its answers. If the sender does not read, the hub may leave an answer
 * out: the sender asks again. */
static gboolean
may_answer (HubConnection *connection)
{
  return satin_link_queued_bytes (connection->link) < SATIN_LINK_ANSWER_MAX_BYTES;
}

static gboolean
handle_heartbeat (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  if (may_answer (connection))
    hub_connection_send (connection, HUB_MESSAGE_HEARTBEAT, NULL);
  return TRUE;
}

static gboolean
handle_elect (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  hub_election_offer (self, connection->member->id);
  return TRUE;
}

static gboolean
handle_suspect (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  HubMember *suspect = hub_member_find (self, message->body.number.id);
  if (suspect != NULL)
    hub_watch_suspect (self, suspect);
  return TRUE;
}

/* Introduces the sender and another member to each other, or answers UNKNOWN. While the hub is
 * being restored, an unknown node may still come back. So the hub does not answer yet, and the
 * sender asks again. */
static gboolean
handle_introduce (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  HubMember *other = hub_member_find (self, message->body.number.id);

  if (other != NULL)
    hub_view_introduce (self, connection->member, other);
  else if (self->state != HUB_RESTORING && may_answer (connection))
    hub_connection_send (connection, HUB_MESSAGE_UNKNOWN, &message->body.number);
  return TRUE;
}

static gboolean
handle_report (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  hub_report_take (self, connection->member, &message->body.report);
  return TRUE;
}

static gboolean
handle_ask_status (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  if (connection->is_asking)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                           "a tool asks again only when it was answered");
      return FALSE;
    }
  const HubAskStatus *ask = &message->body.ask_status;
  hub_query_add (self, &(HubQuestion){ .timeout_us = ask->timeout_us,
                                       .wants_dumps = ask->wants_dumps,
                                       .connection = connection });
  return TRUE;
}

static gboolean
handle_leave (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  hub_member_remove (self, connection->member, HUB_MEMBER_LEFT, "left in good order");
  return TRUE;
}

static gboolean
handle_say_leaving (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  hub_leaving_begin (self, connection->member, message->body.leave.deadline_us);
  return TRUE;
}

static gboolean
handle_end (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  const SatinRunEnd *end = &message->body.end;

  if (connection->member->id != self->master)
    g_info ("node %u wants to end the run, but the master is node %u", connection->member->id,
            self->master);
  else
    satin_hub_end (self, end->exit_status, end->message[0] != '\0' ? end->message : NULL);
  return TRUE;
}

static const HubHandler handlers[HUB_N_MESSAGES] = {
  [HUB_MESSAGE_JOIN] = handle_join,
  [HUB_MESSAGE_SIGNAL] = handle_signal,
  [HUB_MESSAGE_HEARTBEAT] = handle_heartbeat,
  [HUB_MESSAGE_ELECT] = handle_elect,
  [HUB_MESSAGE_SUSPECT] = handle_suspect,
  [HUB_MESSAGE_INTRODUCE] = handle_introduce,
  [HUB_MESSAGE_REPORT] = handle_report,
  [HUB_MESSAGE_ASK_STATUS] = handle_ask_status,
  [HUB_MESSAGE_LEAVE] = handle_leave,
  [HUB_MESSAGE_END] = handle_end,
  [HUB_MESSAGE_SAY_LEAVING] = handle_say_leaving,
};

gboolean
hub_handle (SatinHub *self, HubConnection *connection, HubMessage *message, GError **error)
{
  if (connection->role == SATIN_ROLE_NODE && connection->member == NULL
      && message->type != HUB_MESSAGE_JOIN)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "a node sent \"%s\" before it joined",
                   hub_message_name (message->type));
      return FALSE;
    }
  return handlers[message->type](self, connection, message, error);
}
