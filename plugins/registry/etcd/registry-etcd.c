/* registry-etcd.c - the registry plugin "etcd": membership kept on a replicated store
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"
#include "curl-common.h"
#include "store/store-http.h"

#include <string.h>

/* etcd grants no shorter leases. */
#define MIN_LEASE_S 2

static const SatinParam params[] = {
  { "lease", SATIN_PARAM_DURATION, "10s",
    "after how much silence a node is dead: whole seconds, 2s or more" },
  { "timeout", SATIN_PARAM_DURATION, "3s",
    "how long a server may take for an answer before the next one is asked" },
  { "join-timeout", SATIN_PARAM_DURATION, "15s",
    "how long the store may take to let this node in" },
  { "leave-timeout", SATIN_PARAM_DURATION, "5s",
    "how long the store may take to answer when this node leaves" },
  { "forget", SATIN_PARAM_DURATION, "60s",
    "how long the store keeps a run that is over: nodes that come too late are told so" },
  { "ca-file", SATIN_PARAM_STRING, "",
    "certificates in PEM that the server's must lead to; else the system's" },
  { "cert-file", SATIN_PARAM_STRING, "", "this node's certificate, where etcd wants one" },
  { "key-file", SATIN_PARAM_STRING, "", "the key of that, readable by its owner alone" },
  { "user", SATIN_PARAM_STRING, "", "the user's name, where etcd wants one" },
  { "password-file", SATIN_PARAM_STRING, "",
    "file with the user's password in its first line, readable by its owner alone" },
  { "clear-password", SATIN_PARAM_BOOLEAN, "no",
    "send the password without TLS to other machines, too" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* ---- opening ---- */

static gboolean
check_time (const SatinParams *parsed, const char *name, gint64 least_us, const char *why,
            GError **error)
{
  gint64 time_us = satin_params_get_duration_us (parsed, name);
  g_autofree char *given = g_strdup_printf ("%.6gs", (double)time_us / G_USEC_PER_SEC);
  return time_us >= least_us || curl_common_refuse (name, given, why, error);
}

static gboolean
take_times (const SatinParams *parsed, ClientTimes *ret_times, GError **error)
{
  gint64 lease_us = satin_params_get_duration_us (parsed, "lease");
  gint64 forget_us = satin_params_get_duration_us (parsed, "forget");

  *ret_times = (ClientTimes){
    .lease_s = lease_us / G_USEC_PER_SEC,
    .forget_s = forget_us / G_USEC_PER_SEC,
    .join_timeout_us = satin_params_get_duration_us (parsed, "join-timeout"),
    .leave_timeout_us = satin_params_get_duration_us (parsed, "leave-timeout"),
  };
  return check_time (parsed, "lease", MIN_LEASE_S * G_USEC_PER_SEC, "it must be 2s or more", error)
         && check_time (parsed, "forget", MIN_LEASE_S * G_USEC_PER_SEC, "it must be 2s or more",
                        error)
         && check_time (parsed, "timeout", G_TIME_SPAN_MILLISECOND,
                        "it must be a millisecond or more", error);
}

/* Refuses a store on another machine without TLS, unless --insecure was given: anybody on the way
 * could read which nodes are in the run, and delete keys. Sealing (seal.h) prevents neither. */
static gboolean
check_way (const SatinRegistryContext *context, const Place *place, GError **error)
{
  if (place->has_tls || place->is_loopback || context->is_insecure)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
               "%s: anybody on the way to that machine could change who is in the run: write "
               "etcds:// for TLS, or give --insecure for a network that nobody else is in",
               context->uri);
  return FALSE;
}

static gboolean
check_user (const Place *place, const SatinParams *parsed, GError **error)
{
  const char *user = satin_params_get_string (parsed, "user");
  const char *path = satin_params_get_string (parsed, "password-file");

  if ((user[0] != '\0') != (path[0] != '\0'))
    return curl_common_refuse ("user", user, "user and password-file go together", error);
  if (user[0] == '\0' || place->has_tls || place->is_loopback
      || satin_params_get_boolean (parsed, "clear-password"))
    return TRUE;
  return curl_common_refuse (
      "password-file", path,
      "anybody on the way would see the password: use etcds:// or clear-password=yes", error);
}

static gboolean
check_files (const Place *place, const SatinParams *parsed, GError **error)
{
  const char *key_file = satin_params_get_string (parsed, "key-file");
  const char *ca_file = satin_params_get_string (parsed, "ca-file");
  const char *cert_file = satin_params_get_string (parsed, "cert-file");
  const char *name = ca_file[0] != '\0'     ? "ca-file"
                     : cert_file[0] != '\0' ? "cert-file"
                                            : "key-file";
  const char *given = satin_params_get_string (parsed, name);

  if (given[0] != '\0' && !place->has_tls)
    return curl_common_refuse (name, given, "certificates are for TLS: write etcds:// for etcd://",
                               error);
  if (cert_file[0] == '\0' && key_file[0] != '\0')
    return curl_common_refuse ("key-file", key_file, "give its certificate, too: cert-file", error);
  if (key_file[0] == '\0' && cert_file[0] != '\0')
    return curl_common_refuse ("cert-file", cert_file, "give its key, too: key-file", error);
  if (ca_file[0] != '\0' && !g_file_test (ca_file, G_FILE_TEST_IS_REGULAR))
    return curl_common_refuse ("ca-file", ca_file, "there is no such file", error);
  if (cert_file[0] != '\0' && !g_file_test (cert_file, G_FILE_TEST_IS_REGULAR))
    return curl_common_refuse ("cert-file", cert_file, "there is no such file", error);
  return key_file[0] == '\0' || curl_common_check_private_file ("key-file", key_file, error);
}

static gpointer
open_store (SatinLoop *loop, const Place *place, const SatinParams *parsed, GError **error)
{
  const char *path = satin_params_get_string (parsed, "password-file");
  char *password = NULL;

  if (!check_user (place, parsed, error) || !check_files (place, parsed, error))
    return NULL;
  if (path[0] != '\0')
    {
      password = curl_common_read_password ("password-file", path, error);
      if (password == NULL)
        return NULL;
    }
  const StoreHttpOptions options = {
    .http = { .ca_file = satin_params_get_string (parsed, "ca-file"),
              .certificate_file = satin_params_get_string (parsed, "cert-file"),
              .key_file = satin_params_get_string (parsed, "key-file") },
    .user = satin_params_get_string (parsed, "user"),
    .password = password,
    .timeout_us = satin_params_get_duration_us (parsed, "timeout"),
  };
  gpointer store = store_http_new (loop, place, &options, error);
  curl_common_free_secret (password);
  return store;
}

static gpointer
etcd_open (const SatinRegistryContext *context, const SatinParams *parsed,
           const SatinRegistryEvents *events, gpointer user_data, GError **error)
{
  Client *self = NULL;
  ClientTimes times;
  Place place;

  if (!take_times (parsed, &times, error) || !place_parse (context->uri, &place, error))
    return NULL;
  gpointer store = NULL;
  if (check_way (context, &place, error))
    store = open_store (context->loop, &place, parsed, error);
  if (store != NULL)
    {
      self = client_new (context, &store_http_ops, store, place.run, &times, events, user_data);
      client_start (self);
    }
  place_clear (&place);
  return self;
}

/* ---- operations ---- */

static void
etcd_leave (gpointer registry)
{
  client_leave (registry);
}

static void
etcd_abandon (gpointer registry)
{
  client_abandon (registry);
}

static void
etcd_elect (gpointer registry)
{
  client_offer (registry);
}

static void
etcd_signal (gpointer registry, SatinNodeId to, const char *word, GBytes *payload)
{
  if (to != SATIN_RUN_HOLDER) /* there is no process that holds the registry */
    client_say (registry, to, word, payload);
}

static void
etcd_suspect (gpointer registry, SatinNodeId id)
{
  client_suspect (registry, id);
}

/* The store keeps no figures, so reports are dropped. */
static void
etcd_report (gpointer registry, GBytes *report)
{
}

static void
etcd_end (gpointer registry, int exit_status, const char *message)
{
  client_end (registry, exit_status, message);
}

static void
etcd_waits (gpointer registry, SatinWaitFunc add, gpointer user_data)
{
  client_waits (registry, add, user_data);
}

static void
etcd_leaving (gpointer registry, gint64 deadline_us)
{
  client_say_leaving (registry, deadline_us);
}

static const SatinRegistryOps ops = {
  .struct_size = sizeof (SatinRegistryOps),
  .open = etcd_open,
  .leave = etcd_leave,
  .abandon = etcd_abandon,
  .elect = etcd_elect,
  .signal = etcd_signal,
  .suspect = etcd_suspect,
  .report = etcd_report,
  .end = etcd_end,
  .waits = etcd_waits,
  .leaving = etcd_leaving,
};

static const char *const schemes[] = { "etcd", "etcds", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_REGISTRY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "etcd",
  .version = "0.1.0",
  .summary = "membership on a replicated store, etcd 3.4",
  .author = "Satin",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
