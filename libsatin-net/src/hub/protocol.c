/* protocol.c - writes and reads the messages of the hub
 *
 * A message is read in three steps. The table says which roles may send the type and how large it
 * may be. The record's decoder checks the bytes. The check function of the type checks the values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "protocol.h"

#include <string.h>

#define BIT(role) (1u << (role))

static gboolean
check_range (gint64 value, gint64 low, gint64 high, const char *what, GError **error)
{
  if (value >= low && value <= high)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s is %" G_GINT64_FORMAT ", not within %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
               what, value, low, high);
  return FALSE;
}

static gboolean
check_length (gsize length, gsize most, const char *what, GError **error)
{
  if (length <= most)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s has %" G_GSIZE_FORMAT " bytes, at most %" G_GSIZE_FORMAT " are allowed", what,
               length, most);
  return FALSE;
}

/* Checks the values of @node, but not the form of its address. Each node checks the addresses
 * itself (satin_address_check()), so that one bad address does not make a node refuse a whole
 * view. */
static gboolean
check_node (const HubNode *node, gint64 lowest, GError **error)
{
  return check_range (node->id, lowest, HUB_MAX_NUMBER, "a node's number", error)
         && check_length (strlen (node->cluster), HUB_MAX_LABEL_BYTES, "a cluster's label", error)
         && check_length (strlen (node->address), HUB_MAX_ADDRESS_BYTES, "an address", error)
         && check_length (strlen (node->host), HUB_MAX_LABEL_BYTES, "a host's name", error);
}

static gboolean
check_nodes (const HubNode *nodes, gsize n_nodes, GError **error)
{
  if (!check_range ((gint64)n_nodes, 0, HUB_MAX_MEMBERS, "the number of members", error))
    return FALSE;
  for (gsize i = 0; i < n_nodes; i++)
    if (!check_node (&nodes[i], 1, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_run (gsize n_run, gboolean may_be_empty, GError **error)
{
  if (n_run == HUB_RUN_BYTES || (n_run == 0 && may_be_empty))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "a run's id has %" G_GSIZE_FORMAT " bytes, not %d", n_run, HUB_RUN_BYTES);
  return FALSE;
}

static gboolean
check_counters (gint64 view_number, gint64 master, gint64 term, GError **error)
{
  return check_range (view_number, 0, HUB_MAX_COUNTER, "a view's number", error)
         && check_range (master, 0, HUB_MAX_NUMBER, "the master's number", error)
         && check_range (term, 0, HUB_MAX_COUNTER, "a term", error);
}

static gboolean
check_gone_numbers (const HubJoin *join, GError **error)
{
  if (!check_range ((gint64)join->n_gone, 0, HUB_MAX_KNOWN_GONE,
                    "the number of those that are gone", error))
    return FALSE;
  for (gsize i = 0; i < join->n_gone; i++)
    if (!check_range (join->gone[i], 1, HUB_MAX_NUMBER, "a node's number", error))
      return FALSE;
  return TRUE;
}

static gboolean
check_join (const HubMessage *message, GError **error)
{
  const HubJoin *join = &message->body.join;
  return check_node (&join->member, 0, error) && satin_address_check (join->member.address, error)
         && check_run (join->n_run, join->member.id == 0, error)
         && check_range (join->highest, join->member.id, HUB_MAX_NUMBER, "the highest number",
                         error)
         && check_counters (join->view_number, join->master, join->term, error)
         && check_nodes (join->members, join->n_members, error) && check_gone_numbers (join, error);
}

static gboolean
check_welcome (const HubMessage *message, GError **error)
{
  const HubWelcome *welcome = &message->body.welcome;
  return check_run (welcome->n_run, FALSE, error)
         && check_range (welcome->self, 1, HUB_MAX_NUMBER, "a node's number", error)
         && check_counters (welcome->view_number, welcome->master, welcome->term, error)
         && check_nodes (welcome->members, welcome->n_members, error)
         && check_range (welcome->heartbeat_us, 1, G_MAXINT64, "the time between heartbeats", error)
         && check_range (welcome->death_us, 1, G_MAXINT64, "the silence that means death", error);
}

static gboolean
check_joined (const HubMessage *message, GError **error)
{
  return check_counters (message->body.joined.view_number, 0, 0, error)
         && check_node (&message->body.joined.member, 1, error);
}

static gboolean
check_gone (const HubMessage *message, GError **error)
{
  return check_counters (message->body.gone.view_number, 0, 0, error)
         && check_range (message->body.gone.id, 1, HUB_MAX_NUMBER, "a node's number", error)
         && check_range (message->body.gone.signal_number, 0, HUB_MAX_SIGNAL, "a signal's number",
                         error);
}

static gboolean
check_elected (const HubMessage *message, GError **error)
{
  const HubElected *elected = &message->body.elected;
  return check_counters (elected->view_number, 0, elected->term, error)
         && check_range (elected->id, 1, HUB_MAX_NUMBER, "the master's number", error);
}

static gboolean
check_signal (const HubMessage *message, GError **error)
{
  const HubSignal *signal = &message->body.signal;
  return check_range (signal->to, 0, HUB_MAX_NUMBER, "a node's number", error)
         && check_length (strlen (signal->word), HUB_MAX_WORD_BYTES, "a signal's word", error)
         && check_length (signal->n_payload, HUB_MAX_PAYLOAD_BYTES, "a signal's payload", error);
}

static gboolean
check_number (const HubMessage *message, GError **error)
{
  return check_range (message->body.number.id, 1, HUB_MAX_NUMBER, "a node's number", error);
}

static gboolean
check_ask (const HubMessage *message, GError **error)
{
  return check_range (message->body.ask.dump_bytes, 0, (gint64)SATIN_DUMP_MAX_BYTES,
                      "the size of a dump", error);
}

static gboolean
check_report (const HubMessage *message, GError **error)
{
  return check_length (message->body.report.n_dump, SATIN_DUMP_MAX_BYTES, "a dump", error);
}

static gboolean
check_ask_status (const HubMessage *message, GError **error)
{
  return check_range (message->body.ask_status.timeout_us, 0, (gint64)3600 * G_USEC_PER_SEC,
                      "a time to wait in microseconds", error);
}

static gboolean
check_end (const HubMessage *message, GError **error)
{
  return check_length (strlen (message->body.end.message), HUB_MAX_TEXT_BYTES, "a message", error);
}

static gboolean
check_leave (const HubMessage *message, GError **error)
{
  return check_range (message->body.leave.deadline_us, 0, SATIN_LEAVE_MAX_US,
                      "a time to leave in microseconds", error);
}

#define NODE            BIT (SATIN_ROLE_NODE)
#define HUB             BIT (SATIN_ROLE_HUB)
#define TOOL            BIT (SATIN_ROLE_TOOL)
#define VIEW_MAX_BYTES  ((gsize)HUB_MAX_MEMBERS * 2048)
#define SMALL_MAX_BYTES ((gsize)8 << 10)

/* clang-format off */
static const struct
{
  const char *name;
  guint senders; /* BIT (SatinRole) of each role that may send the message */
  const SatinRecord *record; /* (nullable) */
  gsize max_bytes;
  gboolean (*check) (const HubMessage *message, GError **error); /* (nullable) */
} messages[HUB_N_MESSAGES] = {
  [HUB_MESSAGE_JOIN] = { "join", NODE, &HubJoin_record, VIEW_MAX_BYTES, check_join },
  [HUB_MESSAGE_WELCOME] = { "welcome", HUB, &HubWelcome_record, VIEW_MAX_BYTES, check_welcome },
  [HUB_MESSAGE_JOINED] = { "joined", HUB, &HubJoined_record, SMALL_MAX_BYTES, check_joined },
  [HUB_MESSAGE_LEFT] = { "left", HUB, &HubGone_record, SMALL_MAX_BYTES, check_gone },
  [HUB_MESSAGE_DIED] = { "died", HUB, &HubGone_record, SMALL_MAX_BYTES, check_gone },
  [HUB_MESSAGE_ELECTED] = { "elected", HUB, &HubElected_record, SMALL_MAX_BYTES, check_elected },
  [HUB_MESSAGE_COMPLETE] = { "complete", HUB, NULL, 0, NULL },
  [HUB_MESSAGE_SIGNAL] = { "signal", NODE | HUB | TOOL, &HubSignal_record,
                           HUB_MAX_PAYLOAD_BYTES + SMALL_MAX_BYTES, check_signal },
  [HUB_MESSAGE_HEARTBEAT] = { "heartbeat", NODE | HUB, NULL, 0, NULL },
  [HUB_MESSAGE_ELECT] = { "elect", NODE, NULL, 0, NULL },
  [HUB_MESSAGE_SUSPECT] = { "suspect", NODE, &HubNumber_record, SMALL_MAX_BYTES, check_number },
  [HUB_MESSAGE_ASK] = { "ask", HUB, &HubAsk_record, SMALL_MAX_BYTES, check_ask },
  [HUB_MESSAGE_REPORT] = { "report", NODE, &SatinReport_record, HUB_MAX_REPORT_BYTES,
                           check_report },
  [HUB_MESSAGE_ASK_STATUS] = { "ask-status", TOOL, &HubAskStatus_record, SMALL_MAX_BYTES,
                               check_ask_status },
  [HUB_MESSAGE_STATUS] = { "status", HUB, &SatinRunStatus_record, HUB_MAX_STATUS_BYTES, NULL },
  [HUB_MESSAGE_LEAVE] = { "leave", NODE, NULL, 0, NULL },
  [HUB_MESSAGE_END] = { "end", NODE, &SatinRunEnd_record, SMALL_MAX_BYTES, check_end },
  [HUB_MESSAGE_OVER] = { "over", HUB, &SatinRunEnd_record, SMALL_MAX_BYTES, check_end },
  [HUB_MESSAGE_PARTIAL] = { "partial", HUB, NULL, 0, NULL },
  [HUB_MESSAGE_INTRODUCE] = { "introduce", NODE, &HubNumber_record, SMALL_MAX_BYTES, check_number },
  [HUB_MESSAGE_UNKNOWN] = { "unknown", HUB, &HubNumber_record, SMALL_MAX_BYTES, check_number },
  [HUB_MESSAGE_SAY_LEAVING] = { "say-leaving", NODE, &SatinLeave_record, SMALL_MAX_BYTES,
                                check_leave },
  [HUB_MESSAGE_LEAVING] = { "leaving", HUB, &HubGone_record, SMALL_MAX_BYTES, check_gone },
};
/* clang-format on */

const char *
hub_message_name (HubMessageType type)
{
  return messages[type].name;
}

GBytes *
hub_message_encode (HubMessageType type, gconstpointer body)
{
  const SatinRecord *record = messages[type].record;
  GByteArray *bytes = g_byte_array_new ();
  guint8 head = (guint8)type;

  g_assert ((record == NULL) == (body == NULL));
  g_byte_array_append (bytes, &head, 1);
  if (record != NULL)
    satin_record_encode (record, body, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

GBytes *
hub_message_wrap (HubMessageType type, GBytes *body)
{
  gsize n_body;
  const guint8 *bytes = g_bytes_get_data (body, &n_body);
  GByteArray *payload = g_byte_array_sized_new ((guint)n_body + 1);
  guint8 head = (guint8)type;

  g_byte_array_append (payload, &head, 1);
  g_byte_array_append (payload, bytes, (guint)n_body);
  return g_byte_array_free_to_bytes (payload);
}

static gboolean
parse_body (HubMessageType type, const guint8 *bytes, gsize n_bytes, HubMessage *ret_message,
            GError **error)
{
  HubMessage message = { .type = type };

  if (n_bytes > messages[type].max_bytes)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%" G_GSIZE_FORMAT " bytes are above the limit of %" G_GSIZE_FORMAT, n_bytes,
                   messages[type].max_bytes);
      return FALSE;
    }
  if (messages[type].record != NULL
      && !satin_record_decode (messages[type].record, bytes, n_bytes, &message.body, error))
    return FALSE;
  if (messages[type].check != NULL && !messages[type].check (&message, error))
    {
      hub_message_clear (&message);
      return FALSE;
    }
  *ret_message = message;
  return TRUE;
}

gboolean
hub_message_parse (GBytes *payload, SatinRole sender, HubMessage *ret_message, GError **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint type = n_bytes > 0 ? bytes[0] : 0;

  if (type == 0 || type >= HUB_N_MESSAGES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "there is no hub message of type %u",
                   type);
      return FALSE;
    }
  if ((messages[type].senders & BIT (sender)) == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "the message \"%s\" is not for this side to send", messages[type].name);
      return FALSE;
    }
  if (!parse_body ((HubMessageType)type, bytes + 1, n_bytes - 1, ret_message, error))
    {
      g_prefix_error (error, "the message \"%s\": ", messages[type].name);
      return FALSE;
    }
  return TRUE;
}

void
hub_message_clear (HubMessage *message)
{
  if (message->type != 0 && messages[message->type].record != NULL)
    satin_record_clear (messages[message->type].record, &message->body);
  message->type = 0;
}
