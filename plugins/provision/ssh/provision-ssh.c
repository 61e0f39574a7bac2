/* provision-ssh.c - the provision plugin "ssh": machines on hosts that are reached by ssh
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-ssh.h"

#include <string.h>

/* Limit for a command: it goes to its host in one line, which a shell reads. */
#define COMMAND_MAX ((gsize)256 << 10)

/* Limit for a secret: the size of a pipe, so that writing it never waits for the command. */
#define SECRET_MAX ((gsize)65536)

static const SatinParam params[] = {
  { "hosts", SATIN_PARAM_STRING, NULL,
    "file with a line for each: [user@]host[:port] [cluster=NAME] [slots=N] [speed=X]" },
  SSH_KEY_PARAMS,
  { "folder", SATIN_PARAM_STRING, "",
    "folder there in which the private one is made; else TMPDIR there, or /tmp" },
  { "output", SATIN_PARAM_STRING, "",
    "file there for what commands print, with {machine}; else nowhere" },
  { "start-timeout", SATIN_PARAM_DURATION, "2m",
    "how long it may take to connect, bring the program there, and start a command" },
  SATIN_WRAP_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* ---- checks ---- */

static gsize
count_bytes (const char *const *words)
{
  gsize n_bytes = 0;
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    n_bytes += strlen (words[i]) + 1;
  return n_bytes;
}

static gboolean
check_start (const SatinStart *start, GError **error)
{
  if (count_bytes (start->arguments) + count_bytes (start->variables) > COMMAND_MAX)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                 "the command and its variables have more than %u KiB: put them into a file",
                 (guint)(COMMAND_MAX / 1024));
  else if (start->secret != NULL && g_bytes_get_size (start->secret) > SECRET_MAX)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "the secret has more than %u KiB",
                 (guint)(SECRET_MAX / 1024));
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_params (SatinLoop *loop, const SatinParams *given, GError **error)
{
  const char *key = satin_params_get_string (given, "key");
  const char *folder = satin_params_get_string (given, "folder");
  if (satin_loop_get_context (loop) == NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                         "hosts need a loop with a GMainContext");
  else if (*key != '\0' && !g_file_test (key, G_FILE_TEST_EXISTS))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no key %s", key);
  else if (*folder != '\0' && (*folder != '/' || strchr (folder, '\n') != NULL))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "folder=%s: write a path there that begins with /", folder);
  else
    return TRUE;
  return FALSE;
}

/* ---- opening ---- */

static void
free_site (gpointer data)
{
  site_free (data);
}

static Ssh *
ssh_new (SatinLoop *loop, const SatinParams *given, const SatinProvisionHost *host,
         gpointer user_data)
{
  Ssh *self = g_new0 (Ssh, 1);
  self->loop = loop;
  self->host = *host;
  self->user_data = user_data;
  self->parent = g_strdup (satin_params_get_string (given, "folder"));
  self->output = g_strdup (satin_params_get_string (given, "output"));
  self->patience_us =
      MAX (satin_params_get_duration_us (given, "start-timeout"), G_USEC_PER_SEC / 10);
  self->sites = g_ptr_array_new_with_free_func (free_site);
  self->orders = orders_new ();
  g_queue_init (&self->refusals);
  return self;
}

static gpointer
ssh_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
          const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  if (!check_params (loop, given, error) || !check_start (start, error))
    return NULL;
  g_autoptr (GPtrArray) entries = hosts_read (satin_params_get_string (given, "hosts"), error);
  g_autoptr (SatinStart) copy = entries != NULL ? satin_start_copy (start, error) : NULL;
  gboolean is_right = copy != NULL && satin_start_set_wrap (copy, given, error);
  Pack *pack = is_right ? pack_new (copy, error) : NULL;
  if (pack == NULL)
    return NULL;
  Ssh *self = ssh_new (loop, given, host, user_data);
  self->start = g_steal_pointer (&copy);
  self->pack = pack;
  self->entries = g_steal_pointer (&entries);
  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (self->sites, site_new (self, g_ptr_array_index (self->entries, i), given));
  return self;
}

/* ---- the rest ---- */

static void
ssh_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  orders_request (provision, request_id, n, cluster);
}

static void
ssh_cancel (gpointer provision, guint64 request_id)
{
  orders_cancel (provision, request_id);
}

static void
ssh_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  Ssh *self = provision;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_withdraw (((Site *)self->sites->pdata[i])->leases, name, deadline_us);
}

static void
ssh_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  Ssh *self = provision;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_list (((Site *)self->sites->pdata[i])->leases, func, user_data);
}

static void
ssh_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  orders_offers (provision, func, user_data);
}

static void
ssh_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  closing_begin (provision, done, user_data);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = ssh_open,
  .request = ssh_request,
  .cancel = ssh_cancel,
  .withdraw = ssh_withdraw,
  .list = ssh_list,
  .offers = ssh_offers,
  .close = ssh_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "ssh",
  .version = "0.1.0",
  .summary = "hosts of a file, reached by ssh",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
