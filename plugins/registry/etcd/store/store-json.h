/* store-json.h - converts calls of a store to messages of etcd's JSON gateway, version 3, and back
 *
 * Keys and values are in base64, 64-bit numbers are strings, and fields that are zero or false are
 * left out.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store.h"

G_BEGIN_DECLS

/* The URL path of a call. Returns: (transfer none) */
const char *store_json_path (StoreCallKind kind);

/* The body of a call. Returns: (transfer full) */
char *store_json_body (const StoreCall *call);

/* URL paths of a watch, and of a login with a password. */
#define STORE_JSON_WATCH_PATH "/v3/watch"
#define STORE_JSON_AUTH_PATH  "/v3/auth/authenticate"

/* The body that begins a watch. Returns: (transfer full) */
char *store_json_watch_body (const char *prefix, gint64 from_revision);
/* The body of a login. Returns: (transfer full): contains the password; free it with
 * curl_common_free_secret() */
char *store_json_auth_body (const char *user, const char *password);

/**
 * store_json_parse:
 * @ret_answer: (out caller-allocates): its items point into @ret_items
 * @ret_items: (out) (transfer full) (element-type StoreItem)
 * @error: %SATIN_ERROR_FORMAT when @text is not an answer to a call of @kind; no output is set then
 */
gboolean store_json_parse (StoreCallKind kind, const char *text, StoreAnswer *ret_answer,
                           GArray **ret_items, GError **error);

/* The events in one line of a watch. */
typedef struct
{
  GArray *items; /* (owned) (element-type StoreItem) */
  gboolean is_over;
  gboolean is_compacted;
} StoreJsonEvents;

/* @error: %SATIN_ERROR_FORMAT. On success, free the events with store_json_events_clear() */
gboolean store_json_parse_events (const char *line, StoreJsonEvents *ret_events, GError **error);
void store_json_events_clear (StoreJsonEvents *events);

/* Parses the answer to a login. Returns: (transfer full) (nullable): the token, or %NULL with
 * %SATIN_ERROR_FORMAT */
char *store_json_parse_token (const char *text, GError **error);

/* Codes of etcd's refusals; they are those of gRPC. */
#define STORE_JSON_INVALID         3
#define STORE_JSON_NOT_FOUND       5
#define STORE_JSON_DENIED          7
#define STORE_JSON_UNAUTHENTICATED 16

/* @ret_text: (out) (transfer full): the reason. Returns: the code of the refusal, -1 when @text is
 * not a refusal */
int store_json_parse_refusal (const char *text, char **ret_text);

G_END_DECLS
