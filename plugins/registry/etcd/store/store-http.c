/* store-http.c - a store that is etcd, reached by HTTP at one of several servers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "store-http.h"
#include "curl-common.h"
#include "store-json.h"

#include <string.h>

/* The most bytes of an answer to a login or to a call other than STORE_READ. */
#define MAX_ANSWER_BYTES ((gsize)64 << 10)
/* The most bytes of an answer with all keys of a run, or of a watch's line, which has the changes
 * of one commit. */
#define MAX_KEYS_BYTES ((gsize)16 << 20)

typedef struct
{
  Http *http; /* (owned) */
  HttpOptions options;
  char *files[3]; /* (owned): the strings in @options */
  char **urls;    /* (owned) */
  guint current;  /* index of the server in use */
  char *user;     /* (owned): "" for none */
  char *password; /* (owned) (nullable) */
  char *token;    /* (owned) (nullable): the server gave it for the password */
  gint64 timeout_us;
  GQueue calls;          /* (owned) (element-type Call) */
  HttpRequest *watching; /* (borrowed) (nullable) */
  guint watched;         /* index of the watch's server */
  const StoreWatchFuncs *watch_funcs;
  gpointer watch_data;
} StoreHttp;

typedef struct
{
  StoreHttp *store; /* (borrowed) */
  StoreCallKind kind;
  char *body; /* (owned) */
  StoreDone done;
  gpointer user_data;
  guint n_tried;         /* tried servers */
  guint server;          /* index of the server that is being tried */
  gboolean was_admitted; /* its token was refused once; it asks for no second new token */
} Call;

static void send_call (Call *call);

static char *
make_url (const StoreHttp *self, guint server, const char *path)
{
  return g_strconcat (self->urls[server], path, NULL);
}

/* Sends a request in JSON. @token: (nullable): for the header "Authorization" */
static HttpRequest *
post (StoreHttp *self, HttpQuestion question, const char *token, const HttpFuncs *funcs,
      gpointer user_data)
{
  g_autofree char *line = token != NULL ? g_strconcat ("Authorization: ", token, NULL) : NULL;
  const char *const headers[] = { "Content-Type: application/json", line, NULL };

  question.headers = headers;
  return http_ask (self->http, &question, funcs, user_data);
}

/* ---- the end of a call ---- */

static void
call_free (gpointer data)
{
  Call *call = data;

  g_free (call->body);
  g_free (call);
}

static void
end_call (Call *call, const StoreAnswer *answer, const GError *error)
{
  StoreDone done = call->done;
  gpointer user_data = call->user_data;

  g_queue_remove (&call->store->calls, call);
  call_free (call);
  done (answer, error, user_data);
}

static void
lose_watch (StoreHttp *self, gboolean is_compacted, const GError *error)
{
  const StoreWatchFuncs *funcs = self->watch_funcs;

  http_cancel (g_steal_pointer (&self->watching));
  funcs->lost (is_compacted, error, self->watch_data);
}

/* Tries the next server. When all servers were tried, the call has failed. */
static void
try_next (Call *call, const GError *error)
{
  StoreHttp *self = call->store;
  guint failed = call->server;

  if (self->current == failed)
    self->current = (failed + 1) % g_strv_length (self->urls);
  if (self->watching != NULL && self->watched == failed && self->current != failed)
    lose_watch (self, FALSE, error);
  if (++call->n_tried < g_strv_length (self->urls))
    send_call (call);
  else
    end_call (call, NULL, error);
}

/* ---- refusals of the server ---- */

/* etcd's JSON gateway is itself a client of etcd and shows etcd's own certificate. A failure
 * between the gateway and etcd has a reason that does not begin with "etcdserver:". Returns: a hint
 * for the message of such a failure, because it never goes away by itself; else "" */
static const char *
find_gateway_cause (const StoreHttp *self, const char *reason)
{
  return self->options.certificate_file[0] != '\0' && !g_str_has_prefix (reason, "etcdserver:")
             ? " (always so if etcd's own certificate is for servers alone: its JSON gateway needs "
               "clientAuth in extendedKeyUsage there)"
             : "";
}

/* etcd's plain-text answer to a certificate with a Common Name, when etcd has users. */
#define NAMED_CERTIFICATE "CommonName of client"

/* @text: the answer. @reason: (nullable): the reason in it, if it comes from the JSON gateway.
 * Returns: (transfer full): the error for the caller */
static GError *
describe_refusal (const Call *call, long status, int code, const char *text, const char *reason)
{
  const char *url = call->store->urls[call->server];
  gboolean is_about_user =
      code == STORE_JSON_DENIED || code == STORE_JSON_UNAUTHENTICATED
      || (code == STORE_JSON_INVALID
          && (strstr (reason, "authentication") != NULL || strstr (reason, "user") != NULL));

  if (is_about_user)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_SECRET,
                        "etcd at %s: %s (parameters user and password-file)", url, reason);
  if (reason != NULL)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "etcd at %s: %s%s", url, reason,
                        find_gateway_cause (call->store, reason));
  if (g_str_has_prefix (text, NAMED_CERTIFICATE))
    return g_error_new (SATIN_ERROR, SATIN_ERROR_SECRET,
                        "etcd at %s: it has users, and takes no certificate with a Common Name for "
                        "one: give one without in cert-file, and user and password-file",
                        url);
  return g_error_new (SATIN_ERROR, SATIN_ERROR_PROTOCOL,
                      "%s answers with status %ld what no etcd with version 3 of the JSON gateway "
                      "says",
                      url, status);
}

static void
take_refusal (Call *call, long status, const char *text)
{
  g_autofree char *reason = NULL;
  int code = store_json_parse_refusal (text, &reason);
  const StoreAnswer nothing = { .is_lease_lost = TRUE };
  g_autoptr (GError) error = NULL;

  if (code == STORE_JSON_NOT_FOUND && (call->kind == STORE_REVOKE || call->kind == STORE_COMMIT))
    {
      end_call (call, &nothing, NULL); /* the lease does not exist */
      return;
    }
  if (code == STORE_JSON_UNAUTHENTICATED && call->store->token != NULL && !call->was_admitted)
    {
      call->was_admitted = TRUE;
      g_clear_pointer (&call->store->token, g_free);
      send_call (call);
      return;
    }
  error = describe_refusal (call, status, code, text, reason);
  if (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE))
    try_next (call, error);
  else
    end_call (call, NULL, error);
}

/* Returns: (transfer full): the error with the server's name in front */
static GError *
name_server (const Call *call, const GError *error)
{
  return g_error_new (error->domain, error->code, "etcd at %s: %s", call->store->urls[call->server],
                      error->message);
}

/* ---- calls ---- */

static void
on_answer (long status, const char *text, const GError *error, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (GError) local = error != NULL ? name_server (call, error) : NULL;
  g_autoptr (GArray) items = NULL;
  StoreAnswer answer;

  if (local != NULL)
    try_next (call, local);
  else if (status != 200)
    take_refusal (call, status, text);
  else if (store_json_parse (call->kind, text, &answer, &items, &local))
    end_call (call, &answer, NULL);
  else
    {
      g_autoptr (GError) named = name_server (call, local);
      try_next (call, named);
    }
}

static void
on_admitted (long status, const char *text, const GError *error, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (GError) local = error != NULL ? name_server (call, error) : NULL;

  if (local != NULL)
    {
      try_next (call, local);
      return;
    }
  if (status != 200)
    {
      take_refusal (call, status, text);
      return;
    }
  g_free (call->store->token);
  call->store->token = store_json_parse_token (text, &local);
  if (call->store->token != NULL)
    send_call (call);
  else
    try_next (call, local);
}

static void
ask_for_token (Call *call)
{
  static const HttpFuncs funcs = { .done = on_admitted };
  StoreHttp *self = call->store;
  g_autofree char *url = make_url (self, call->server, STORE_JSON_AUTH_PATH);
  char *body = store_json_auth_body (self->user, self->password);
  const HttpQuestion question = {
    .url = url, .body = body, .timeout_us = self->timeout_us, .max_bytes = MAX_ANSWER_BYTES
  };

  post (self, question, NULL, &funcs, call);
  curl_common_free_secret (body);
}

/* Sends the call to the current server. First asks for a token if one is needed. */
static void
send_call (Call *call)
{
  static const HttpFuncs funcs = { .done = on_answer };
  StoreHttp *self = call->store;
  g_autofree char *url = make_url (self, self->current, store_json_path (call->kind));
  const HttpQuestion question = { .url = url,
                                  .body = call->body,
                                  .timeout_us = self->timeout_us,
                                  .max_bytes = call->kind == STORE_READ ? MAX_KEYS_BYTES
                                                                        : MAX_ANSWER_BYTES };

  call->server = self->current;
  if (self->user[0] != '\0' && self->token == NULL)
    ask_for_token (call);
  else
    post (self, question, self->token, &funcs, call);
}

static void
http_store_call (gpointer store, const StoreCall *what, StoreDone done, gpointer user_data)
{
  StoreHttp *self = store;
  Call *call = g_new0 (Call, 1);

  call->store = self;
  call->kind = what->kind;
  call->body = store_json_body (what);
  call->done = done;
  call->user_data = user_data;
  g_queue_push_tail (&self->calls, call);
  send_call (call);
}

/* ---- the watch ---- */

static void
on_line (const char *line, gpointer user_data)
{
  StoreHttp *self = user_data;
  g_autoptr (GError) error = NULL;
  StoreJsonEvents events = { NULL };

  if (!store_json_parse_events (line, &events, &error))
    lose_watch (self, FALSE, error);
  else if (events.is_over)
    lose_watch (self, events.is_compacted, NULL);
  else if (events.items->len > 0)
    self->watch_funcs->changed ((const StoreItem *)(gpointer)events.items->data, events.items->len,
                                self->watch_data);
  store_json_events_clear (&events);
}

static void
on_watch_done (long status, const char *text, const GError *error, gpointer user_data)
{
  StoreHttp *self = user_data;

  self->watching = NULL;
  if (self->current == self->watched)
    self->current = (self->watched + 1) % g_strv_length (self->urls);
  self->watch_funcs->lost (FALSE, error, self->watch_data);
}

static void
http_store_watch (gpointer store, const char *prefix, gint64 from_revision,
                  const StoreWatchFuncs *funcs, gpointer user_data)
{
  static const HttpFuncs http_funcs = { .line = on_line, .done = on_watch_done };
  StoreHttp *self = store;
  g_autofree char *url = make_url (self, self->current, STORE_JSON_WATCH_PATH);
  g_autofree char *body = store_json_watch_body (prefix, from_revision);
  const HttpQuestion question = { .url = url, .body = body, .max_bytes = MAX_KEYS_BYTES };

  if (self->watching != NULL)
    http_cancel (self->watching);
  self->watch_funcs = funcs;
  self->watch_data = user_data;
  self->watched = self->current;
  self->watching = post (self, question, self->token, &http_funcs, self);
}

/* ---- life ---- */

static void
http_store_close (gpointer store)
{
  StoreHttp *self = store;

  if (self->http != NULL)
    http_free (self->http);
  g_queue_clear_full (&self->calls, call_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->files); i++)
    g_free (self->files[i]);
  g_strfreev (self->urls);
  g_free (self->user);
  curl_common_free_secret (self->password);
  g_free (self->token);
  g_free (self);
}

const StoreOps store_http_ops = {
  .call = http_store_call,
  .watch = http_store_watch,
  .close = http_store_close,
};

gpointer
store_http_new (SatinLoop *loop, const Place *place, const StoreHttpOptions *options,
                GError **error)
{
  StoreHttp *self = g_new0 (StoreHttp, 1);

  self->files[0] = g_strdup (options->http.ca_file);
  self->files[1] = g_strdup (options->http.certificate_file);
  self->files[2] = g_strdup (options->http.key_file);
  self->options = (HttpOptions){ self->files[0], self->files[1], self->files[2], FALSE };
  self->urls = g_strdupv (place->urls);
  self->user = g_strdup (options->user);
  self->password = g_strdup (options->password);
  self->timeout_us = options->timeout_us;
  g_queue_init (&self->calls);
  self->current = satin_loop_random_below (loop, g_strv_length (self->urls));
  self->http = http_new (loop, &self->options, error);
  if (self->http != NULL)
    return self;
  http_store_close (self);
  return NULL;
}
