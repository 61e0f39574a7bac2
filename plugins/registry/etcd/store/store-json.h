/* store-json.h - calls of a store as messages of etcd's JSON gateway, version 3
 *
 * Keys and values are in base64, numbers of 64 bits are strings, and what is zero or false is left
 * out.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "store.h"

G_BEGIN_DECLS

/* What is posted where. Returns: (transfer none) */
const char *store_json_path (StoreCallKind kind);

/* Returns: (transfer full) */
char *store_json_body (const StoreCall *call);

/* Where a watch is posted, and where a password is. */
#define STORE_JSON_WATCH_PATH "/v3/watch"
#define STORE_JSON_AUTH_PATH  "/v3/auth/authenticate"

/* Returns: (transfer full) */
char *store_json_watch_body (const char *prefix, gint64 from_revision);
/* Returns: (transfer full): not to be seen by others */
char *store_json_auth_body (const char *user, const char *password);

/**
 * store_json_parse:
 * @ret_answer: (out caller-allocates): its items point into @ret_items
 * @ret_items: (out) (transfer full) (element-type StoreItem)
 * @error: %SATIN_ERROR_FORMAT when it is no answer to such a call; nothing is set then
 */
gboolean store_json_parse (StoreCallKind kind, const char *text, StoreAnswer *ret_answer,
                           GArray **ret_items, GError **error);

/* What one line of a watch tells. */
typedef struct
{
  GArray *items; /* (owned) (element-type StoreItem) */
  gboolean is_over;
  gboolean is_compacted;
} StoreJsonEvents;

/* @error: %SATIN_ERROR_FORMAT. Then free with store_json_events_clear() */
gboolean store_json_parse_events (const char *line, StoreJsonEvents *ret_events, GError **error);
void store_json_events_clear (StoreJsonEvents *events);

/* Returns: (transfer full) (nullable): the token, or %NULL with %SATIN_ERROR_FORMAT */
char *store_json_parse_token (const char *text, GError **error);

/* Codes of what etcd refuses, those of gRPC. */
#define STORE_JSON_INVALID         3
#define STORE_JSON_NOT_FOUND       5
#define STORE_JSON_DENIED          7
#define STORE_JSON_UNAUTHENTICATED 16

/* @ret_text: (out) (transfer full): the reason. Returns: the code, -1 when it is no such message */
int store_json_parse_refusal (const char *text, char **ret_text);

G_END_DECLS
