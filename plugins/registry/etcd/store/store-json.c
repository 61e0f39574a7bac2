/* store-json.c - converts calls of a store to messages of etcd's JSON gateway, version 3, and back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "store-json.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* The deepest nesting that is parsed; etcd's own messages are not as deep. */
#define MAX_DEPTH 8
/* The most values that are parsed; a run of 16,384 members has a third as many. */
#define MAX_VALUES ((gsize)1 << 20)

static const char *const paths[STORE_N_CALLS] = {
  [STORE_GRANT] = "/v3/lease/grant",
  [STORE_RENEW] = "/v3/lease/keepalive",
  [STORE_TIME_LEFT] = "/v3/lease/timetolive",
  [STORE_REVOKE] = "/v3/lease/revoke",
  [STORE_READ] = "/v3/kv/range",
  [STORE_COMMIT] = "/v3/kv/txn",
};

const char *
store_json_path (StoreCallKind kind)
{
  return paths[kind];
}

/* ---- requests ---- */

static void
add_base64 (GString *text, const char *member, gconstpointer bytes, gsize n_bytes)
{
  g_autofree char *base64 = g_base64_encode (bytes, n_bytes);
  g_string_append_printf (text, "\"%s\":\"%s\"", member, base64);
}

/* Adds the range of all keys that begin with @prefix. The range ends before the prefix with its
 * last byte plus one. */
static void
add_prefix (GString *text, const char *prefix)
{
  g_autofree char *last = g_strdup (prefix);

  last[strlen (last) - 1]++;
  add_base64 (text, "key", prefix, strlen (prefix));
  g_string_append_c (text, ',');
  add_base64 (text, "range_end", last, strlen (last));
}

static void
add_compare (GString *text, const StoreCompare *compare)
{
  g_string_append (text, "{\"target\":\"MOD\",\"result\":\"EQUAL\",");
  add_base64 (text, "key", compare->key, strlen (compare->key));
  g_string_append_printf (text, ",\"mod_revision\":\"%" G_GINT64_FORMAT "\"}", compare->revision);
}

static void
add_put (GString *text, const StoreWrite *write)
{
  gsize n_bytes;
  gconstpointer bytes = g_bytes_get_data (write->value, &n_bytes);

  g_string_append (text, "{\"request_put\":{");
  add_base64 (text, "key", write->key, strlen (write->key));
  g_string_append_c (text, ',');
  add_base64 (text, "value", bytes, n_bytes);
  if (write->lease == STORE_SAME_LEASE)
    g_string_append (text, ",\"ignore_lease\":true");
  else if (write->lease != 0)
    g_string_append_printf (text, ",\"lease\":\"%" G_GINT64_FORMAT "\"", write->lease);
  g_string_append (text, "}}");
}

static void
add_delete (GString *text, const StoreWrite *write)
{
  g_string_append (text, "{\"request_delete_range\":{");
  if (write->is_prefix)
    add_prefix (text, write->key);
  else
    add_base64 (text, "key", write->key, strlen (write->key));
  g_string_append (text, "}}");
}

static void
add_commit (GString *text, const StoreCall *call)
{
  g_string_append (text, "{\"compare\":[");
  for (guint i = 0; i < call->n_compares; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      add_compare (text, &call->compares[i]);
    }
  g_string_append (text, "],\"success\":[");
  for (guint i = 0; i < call->n_writes; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      if (call->writes[i].value != NULL)
        add_put (text, &call->writes[i]);
      else
        add_delete (text, &call->writes[i]);
    }
  g_string_append (text, "]}");
}

char *
store_json_body (const StoreCall *call)
{
  GString *text = g_string_new (NULL);

  switch (call->kind)
    {
    case STORE_GRANT:
      g_string_append_printf (text, "{\"TTL\":\"%" G_GINT64_FORMAT "\"}", call->ttl_s);
      break;
    case STORE_RENEW:
    case STORE_TIME_LEFT:
    case STORE_REVOKE:
      g_string_append_printf (text, "{\"ID\":\"%" G_GINT64_FORMAT "\"}", call->lease);
      break;
    case STORE_READ:
      g_string_append_c (text, '{');
      add_prefix (text, call->prefix);
      g_string_append_c (text, '}');
      break;
    case STORE_COMMIT:
      add_commit (text, call);
      break;
    case STORE_N_CALLS:
      g_assert_not_reached ();
    }
  return g_string_free (text, FALSE);
}

char *
store_json_watch_body (const char *prefix, gint64 from_revision)
{
  GString *text = g_string_new ("{\"create_request\":{");

  add_prefix (text, prefix);
  g_string_append_printf (text, ",\"start_revision\":\"%" G_GINT64_FORMAT "\"}}", from_revision);
  return g_string_free (text, FALSE);
}

char *
store_json_auth_body (const char *user, const char *password)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", user);
  json_object_set_string_member (object, "password", password);
  json_node_take_object (root, object);
  return json_to_string (root, FALSE);
}

/* ---- answers ---- */

/* Returns: (nullable): the object at the root, valid as long as @ret_root */
static JsonObject *
parse_object (const char *text, JsonNode **ret_root, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (JsonNode) root = NULL;

  if (!satin_json_is_bounded (text, strlen (text), MAX_DEPTH, MAX_VALUES))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "the answer is none of etcd: it has too many brackets or values");
      return NULL;
    }
  root = json_from_string (text, &local);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "the answer is none of etcd: %s",
                   local != NULL ? local->message : "it is no object");
      return NULL;
    }
  *ret_root = g_steal_pointer (&root);
  return json_node_get_object (*ret_root);
}

/* Returns: (nullable): the member @name, %NULL when there is none of this type */
static JsonNode *
get_node (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = get_node (object, name, JSON_NODE_OBJECT);

  return node != NULL ? json_node_get_object (node) : NULL;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = get_node (object, name, JSON_NODE_VALUE);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

/* Reads a member that is a number, or a string with a number. Returns: 0 when there is none */
static gint64
get_long (JsonObject *object, const char *name)
{
  JsonNode *node = get_node (object, name, JSON_NODE_VALUE);
  const char *text = get_text (object, name);

  if (text != NULL)
    return g_ascii_strtoll (text, NULL, 10);
  return node != NULL && json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node)
                                                                         : 0;
}

static gboolean
get_boolean (JsonObject *object, const char *name)
{
  JsonNode *node = get_node (object, name, JSON_NODE_VALUE);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_BOOLEAN
         && json_node_get_boolean (node);
}

static GBytes *
get_bytes (JsonObject *object, const char *name)
{
  const char *text = get_text (object, name);
  gsize n_bytes = 0;
  guchar *bytes = text != NULL ? g_base64_decode (text, &n_bytes) : NULL;

  return g_bytes_new_take (bytes, n_bytes);
}

static GArray *
make_items (void)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (StoreItem));

  g_array_set_clear_func (items, store_item_clear);
  return items;
}

/* Returns: FALSE when the key is empty or has a zero byte */
static gboolean
add_item (GArray *items, JsonObject *pair, gboolean is_deleted)
{
  g_autoptr (GBytes) key = get_bytes (pair, "key");
  gsize n_bytes;
  const char *bytes = g_bytes_get_data (key, &n_bytes);
  StoreItem item = { .revision = get_long (pair, "mod_revision") };

  if (n_bytes == 0 || memchr (bytes, '\0', n_bytes) != NULL)
    return FALSE;
  item.key = g_strndup (bytes, n_bytes);
  item.value = is_deleted ? NULL : get_bytes (pair, "value");
  g_array_append_val (items, item);
  return TRUE;
}

/* Called for each object of an array; elements that are no objects are skipped. */
typedef void (*ObjectFunc) (JsonObject *object, GArray *items);

static void
for_each_object (JsonObject *object, const char *name, ObjectFunc func, GArray *items)
{
  JsonNode *node = get_node (object, name, JSON_NODE_ARRAY);
  JsonArray *array = node != NULL ? json_node_get_array (node) : NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      if (JSON_NODE_HOLDS_OBJECT (element))
        func (json_node_get_object (element), items);
    }
}

static void
add_pair (JsonObject *pair, GArray *items)
{
  add_item (items, pair, FALSE);
}

static void
add_event (JsonObject *event, GArray *items)
{
  add_item (items, get_object (event, "kv"), g_strcmp0 (get_text (event, "type"), "DELETE") == 0);
}

gboolean
store_json_parse (StoreCallKind kind, const char *text, StoreAnswer *ret_answer, GArray **ret_items,
                  GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object = parse_object (text, &root, error);

  if (object == NULL)
    return FALSE;
  if (kind == STORE_RENEW)
    object = get_object (object, "result");
  JsonObject *header = get_object (object, "header");
  if (header == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "the answer is none of etcd: it has no header");
      return FALSE;
    }
  GArray *items = make_items ();
  for_each_object (object, "kvs", add_pair, items);
  *ret_items = items;
  *ret_answer = (StoreAnswer){
    .revision = get_long (header, "revision"),
    .lease = get_long (object, "ID"),
    .ttl_s = MAX (get_long (object, "TTL"), 0),
    .granted_s = get_long (object, "grantedTTL"),
    .is_committed = get_boolean (object, "succeeded"),
    .items = (const StoreItem *)(gpointer)items->data,
    .n_items = items->len,
  };
  return TRUE;
}

gboolean
store_json_parse_events (const char *line, StoreJsonEvents *ret_events, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object = parse_object (line, &root, error);
  JsonObject *result = get_object (object, "result");

  if (object == NULL)
    return FALSE;
  *ret_events = (StoreJsonEvents){ .items = make_items () };
  for_each_object (result, "events", add_event, ret_events->items);
  ret_events->is_over = result == NULL || get_boolean (result, "canceled");
  ret_events->is_compacted = get_long (result, "compact_revision") > 0;
  return TRUE;
}

void
store_json_events_clear (StoreJsonEvents *events)
{
  g_clear_pointer (&events->items, g_array_unref);
}

char *
store_json_parse_token (const char *text, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object = parse_object (text, &root, error);
  const char *token = get_text (object, "token");

  if (object != NULL && token == NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                         "the answer to a password has no token");
  return g_strdup (token);
}

int
store_json_parse_refusal (const char *text, char **ret_text)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object = parse_object (text, &root, NULL);
  const char *reason = get_text (object, "error");

  *ret_text = NULL;
  if (object == NULL || reason == NULL)
    return -1;
  *ret_text = g_strdup (reason);
  return (int)get_long (object, "code");
}
