/* answers.c - reads the answers of the metadata servers of EC2, GCP and Azure
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"

#include <curl/curl.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* The most levels and the most values of an answer in JSON. No answer needs more. */
#define MAX_DEPTH  8
#define MAX_VALUES 8192

/* How much time the clouds give at least when they name no moment. */
#define GCP_PREEMPTED_US   ((gint64)30000000)
#define GCP_MAINTENANCE_US ((gint64)60000000)
#define EC2_REBALANCE_US   ((gint64)20000000)
#define UNKNOWN_US         ((gint64)10000000)

/* The longest word of a cloud that is shown to people. */
#define SHOWN_MAX_BYTES 20

/* ---- words and times ---- */

char *
answers_read_word (const char *text, gsize n_bytes, gsize max_bytes)
{
  while (n_bytes > 0 && g_ascii_isspace (text[n_bytes - 1]))
    n_bytes--;
  while (n_bytes > 0 && g_ascii_isspace (*text))
    {
      text++;
      n_bytes--;
    }
  if (n_bytes == 0 || n_bytes > max_bytes)
    return NULL;
  for (gsize i = 0; i < n_bytes; i++)
    if (!g_ascii_isgraph (text[i]))
      return NULL;
  return g_strndup (text, n_bytes);
}

static gint64
seconds_to_us (gint64 time_s)
{
  return time_s > 0 && time_s < G_MAXINT64 / G_USEC_PER_SEC ? time_s * G_USEC_PER_SEC : 0;
}

/* Reads "2017-09-18T08:22:00Z". Returns: 0 for anything else */
static gint64
read_iso_time (const char *text)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;
  return time != NULL ? seconds_to_us (g_date_time_to_unix (time)) : 0;
}

/* Reads "Mon, 19 Sep 2016 18:29:47 GMT". Returns: 0 for anything else */
static gint64
read_http_time (const char *text)
{
  return text != NULL ? seconds_to_us ((gint64)curl_getdate (text, NULL)) : 0;
}

static void
fill (CloudNotice *notice, const char *what, const char *word, gint64 at_us, gint64 left_us)
{
  *notice = (CloudNotice){ .at_us = at_us, .left_us = at_us == 0 ? left_us : 0 };
  g_snprintf (notice->cause, sizeof notice->cause, "%s (%s)", what, word);
}

/* ---- JSON ---- */

/* Returns: (transfer full) (nullable): a parser of an object; %NULL when @text is none */
static JsonParser *
parse (const char *text, gsize n_bytes)
{
  if (n_bytes > ANSWERS_MAX_BYTES || !g_utf8_validate_len (text, n_bytes, NULL)
      || !satin_json_is_bounded (text, n_bytes, MAX_DEPTH, MAX_VALUES))
    return NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!json_parser_load_from_data (parser, text, (gssize)n_bytes, NULL))
    return NULL;
  JsonNode *root = json_parser_get_root (parser);
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? g_steal_pointer (&parser) : NULL;
}

static JsonObject *
get_root (JsonParser *parser)
{
  return json_node_get_object (json_parser_get_root (parser));
}

/* Returns: (nullable): the text that @node is; borrowed. @node: (nullable) */
static const char *
to_text (JsonNode *node)
{
  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  return to_text (json_object_get_member (object, name));
}

static JsonArray *
get_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* ---- EC2 ---- */

AnswerKind
answers_read_ec2_action (const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  g_autoptr (JsonParser) parser = parse (text, n_bytes);
  const char *action = parser != NULL ? get_text (get_root (parser), "action") : NULL;
  g_autofree char *word =
      action != NULL ? answers_read_word (action, strlen (action), SHOWN_MAX_BYTES) : NULL;
  if (word == NULL)
    return ANSWER_WRONG;
  fill (ret_notice, "EC2 takes its machine away", word,
        read_iso_time (get_text (get_root (parser), "time")), UNKNOWN_US);
  return ANSWER_NOTICE;
}

AnswerKind
answers_read_ec2_rebalance (const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  g_autoptr (JsonParser) parser = parse (text, n_bytes);
  if (parser == NULL || get_text (get_root (parser), "noticeTime") == NULL)
    return ANSWER_WRONG;
  fill (ret_notice, "EC2 may soon take its machine away", "rebalance", 0, EC2_REBALANCE_US);
  return ANSWER_NOTICE;
}

/* ---- GCP ---- */

AnswerKind
answers_read_gcp_preempted (const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  g_autofree char *word = answers_read_word (text, n_bytes, SHOWN_MAX_BYTES);
  if (g_strcmp0 (word, "FALSE") == 0)
    return ANSWER_NOTHING;
  if (g_strcmp0 (word, "TRUE") != 0)
    return ANSWER_WRONG;
  fill (ret_notice, "GCP takes its machine away", "preempted", 0, GCP_PREEMPTED_US);
  return ANSWER_NOTICE;
}

/* A machine that migrates stands still for a moment, and its node stays. */
AnswerKind
answers_read_gcp_maintenance (const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  g_autofree char *word = answers_read_word (text, n_bytes, ANSWERS_MAX_BYTES);
  if (g_strcmp0 (word, "NONE") == 0 || g_strcmp0 (word, "MIGRATE_ON_HOST_MAINTENANCE") == 0)
    return ANSWER_NOTHING;
  if (g_strcmp0 (word, "TERMINATE_ON_HOST_MAINTENANCE") != 0)
    return ANSWER_WRONG;
  fill (ret_notice, "GCP stops its machine", "maintenance", 0, GCP_MAINTENANCE_US);
  return ANSWER_NOTICE;
}

/* ---- Azure ---- */

/* Returns: (nullable): the type of an event after which the node's process is gone. A machine that
 * freezes stands still for some seconds, and its node stays. */
static const char *
find_type (const char *type)
{
  static const char *const types[] = { "Preempt", "Terminate", "Reboot", "Redeploy" };
  for (gsize i = 0; type != NULL && i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i], type) == 0)
      return types[i];
  return NULL;
}

static gboolean
is_about (JsonObject *event, const char *machine)
{
  JsonArray *names = get_array (event, "Resources");
  for (guint i = 0; names != NULL && i < json_array_get_length (names); i++)
    {
      const char *name = to_text (json_array_get_element (names, i));
      if (name != NULL && g_ascii_strcasecmp (name, machine) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether @a comes before @b. An event without a time has begun. */
static gboolean
is_before (const CloudNotice *a, const CloudNotice *b)
{
  return a->at_us < b->at_us;
}

AnswerKind
answers_read_azure_events (const char *text, gsize n_bytes, const char *machine,
                           CloudNotice *ret_notice)
{
  g_autoptr (JsonParser) parser = parse (text, n_bytes);
  JsonArray *events = parser != NULL ? get_array (get_root (parser), "Events") : NULL;
  AnswerKind kind = events != NULL ? ANSWER_NOTHING : ANSWER_WRONG;
  for (guint i = 0; events != NULL && i < json_array_get_length (events); i++)
    {
      JsonNode *node = json_array_get_element (events, i);
      JsonObject *event = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *type = event != NULL ? find_type (get_text (event, "EventType")) : NULL;
      CloudNotice notice;
      if (type == NULL || !is_about (event, machine))
        continue;
      fill (&notice, "Azure takes its machine away", type,
            read_http_time (get_text (event, "NotBefore")), UNKNOWN_US);
      if (kind == ANSWER_NOTHING || is_before (&notice, ret_notice))
        *ret_notice = notice;
      kind = ANSWER_NOTICE;
    }
  return kind;
}
