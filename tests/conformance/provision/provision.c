/* provision.c - a provisioner that breaks the rule that its parameter "fault" names, or none
 *
 * It passes all calls to the provisioner "local", and changes some of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/leases.h>
#include <satin/adapt/wrap.h>

#include <string.h>

/* The descriptor of the plugin local. The compiler's command line has renamed its function. */
const SatinPluginDesc *local_plugin_desc (void);

static const SatinParam params[] = {
  { "fault", SATIN_PARAM_STRING, "none", "which rule is broken" },
  { "max", SATIN_PARAM_INT, "0", "as of local" },
  { "cluster", SATIN_PARAM_STRING, "", "as of local" },
  SATIN_WRAP_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  gpointer local; /* (owned by itself): freed by its close() */
  char *fault;    /* (owned) */
  SatinLoop *loop;
  const SatinProvisionHost *host;
  gpointer user_data;
  GPtrArray *granted; /* (owned) (element-type utf8): names of all granted machines, in order */
  GPtrArray *ended;   /* (owned) (element-type utf8): names of all ended machines */
  SatinDoneFunc done;
  gpointer done_data;
} Spoiled;

static guint n_open;

static const SatinProvisionOps *
local (void)
{
  return local_plugin_desc ()->ops;
}

static gboolean
has (const Spoiled *self, const char *fault)
{
  return strcmp (self->fault, fault) == 0;
}

/* ---- events of local, for the suite ---- */

static void
on_granted (const SatinMachine *machine, gpointer user_data)
{
  Spoiled *self = user_data;
  SatinMachine spoiled = *machine;
  g_ptr_array_add (self->granted, g_strdup (machine->name));
  if (has (self, "grants-another-cluster"))
    spoiled.cluster = "another";
  self->host->granted (&spoiled, self->user_data);
}

static void
on_refused (guint64 request_id, guint n, const GError *reason, gpointer user_data)
{
  static const GError foreign = { 1, 0, (char *)"foreign" };
  Spoiled *self = user_data;
  if (has (self, "refuses-in-silence"))
    return;
  if (has (self, "grants-after-cancel")
      && g_error_matches (reason, SATIN_ERROR, SATIN_ERROR_CANCELLED))
    {
      g_autofree char *name = g_strdup_printf ("late-%u", self->granted->len);
      const SatinMachine machine = { name, "", request_id };
      g_ptr_array_add (self->granted, g_strdup (name));
      self->host->granted (&machine, self->user_data);
      self->host->ended (name, NULL, self->user_data);
      return;
    }
  if (has (self, "refuses-twice"))
    self->host->refused (request_id, n, reason, self->user_data);
  self->host->refused (request_id, n, has (self, "errors-of-another-domain") ? &foreign : reason,
                       self->user_data);
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  g_autoptr (GError) always = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "it ended");
  Spoiled *self = user_data;
  g_ptr_array_add (self->ended, g_strdup (name));
  if (has (self, "ends-twice"))
    self->host->ended (name, reason, self->user_data);
  if (has (self, "end-always-has-a-reason"))
    reason = always;
  if (has (self, "end-has-no-reason"))
    reason = NULL;
  self->host->ended (name, reason, self->user_data);
}

static const SatinProvisionHost spoiling = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .ended = on_ended,
};

/* ---- operations, passed to local ---- */

/* Changes what the command gets, as the fault says. */
static void
spoil_start (const Spoiled *self, SatinStart *start)
{
  static const char *const none[] = { NULL };
  static const char *const with_secret[] = { "SECRET=secret-of-conformance", NULL };
  if (has (self, "forgets-the-secret"))
    start->secret = NULL;
  if (has (self, "forgets-variables"))
    start->variables = none;
  if (has (self, "tells-the-secret") && start->secret != NULL)
    start->variables = with_secret;
  if (has (self, "takes-a-missing-program") && start->program != NULL
      && !g_file_test (start->program, G_FILE_TEST_EXISTS))
    start->program = "/bin/sh";
  if (has (self, "ignores-files"))
    start->files = NULL;
}

/* Returns: (transfer full): the arguments, changed as the fault says */
static GStrv
spoil_arguments (const Spoiled *self, const char *const *arguments)
{
  GStrv words = g_strdupv ((GStrv)arguments);
  for (guint i = 3; words[0] != NULL && words[1] != NULL && words[2] != NULL && words[i] != NULL;
       i++)
    {
      g_autoptr (GString) word = g_string_new (words[i]);
      if (has (self, "cuts-arguments") && strchr (word->str, '\n') != NULL)
        g_string_truncate (word, 0);
      if (has (self, "puts-one-name-in") && strstr (word->str, "--name=") != NULL)
        g_string_assign (word, "--name={machine}");
      g_free (words[i]);
      words[i] = g_strdup (word->str);
    }
  return words;
}

static gpointer
spoiled_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
              const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  Spoiled *self = g_new0 (Spoiled, 1);
  SatinStart spoiled = *start;
  self->fault = g_strdup (satin_params_get_string (given, "fault"));
  self->loop = loop;
  self->host = host;
  self->user_data = user_data;
  self->granted = g_ptr_array_new_with_free_func (g_free);
  self->ended = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) arguments = spoil_arguments (self, start->arguments);
  spoiled.arguments = (const char *const *)arguments;
  spoil_start (self, &spoiled);
  if (has (self, "opens-only-one") && n_open > 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "it is open already");
  else
    self->local = local ()->open (loop, given, &spoiled, &spoiling, self, error);
  if (self->local != NULL)
    {
      n_open++;
      return self;
    }
  g_ptr_array_unref (self->granted);
  g_ptr_array_unref (self->ended);
  g_free (self->fault);
  g_free (self);
  return NULL;
}

static void
spoiled_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  Spoiled *self = provision;
  g_autoptr (GError) reason = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_LIMIT, "none left");
  gboolean is_known = strcmp (cluster, "no-such-cluster-of-conformance") != 0;
  if (has (self, "refuses-inside") && !is_known)
    {
      self->host->refused (request_id, n, reason, self->user_data);
      return;
    }
  if (has (self, "ignores-clusters") && !is_known)
    cluster = "";
  local ()->request (self->local, request_id, n, cluster);
}

static void
spoiled_cancel (gpointer provision, guint64 request_id)
{
  Spoiled *self = provision;
  if (has (self, "cancel-withdraws"))
    for (guint i = 0; i < self->granted->len; i++)
      local ()->withdraw (self->local, g_ptr_array_index (self->granted, i), 0);
  if (!has (self, "ignores-cancels"))
    local ()->cancel (self->local, request_id);
}

static void
spoiled_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  Spoiled *self = provision;
  if (has (self, "withdraws-all"))
    for (guint i = 0; i < self->granted->len; i++)
      local ()->withdraw (self->local, g_ptr_array_index (self->granted, i), deadline_us);
  if (has (self, "withdraws-at-once"))
    deadline_us = 0;
  if (has (self, "withdraws-too-late"))
    deadline_us += 20 * G_USEC_PER_SEC;
  local ()->withdraw (self->local, name, deadline_us);
}

static void
spoiled_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  Spoiled *self = provision;
  for (guint i = 0; has (self, "lists-the-dead") && i < self->ended->len; i++)
    {
      const SatinMachine machine = { g_ptr_array_index (self->ended, i), "", 0 };
      func (&machine, user_data);
    }
  if (!has (self, "lists-nobody"))
    local ()->list (self->local, func, user_data);
}

static void
spoiled_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  Spoiled *self = provision;
  const SatinOffer offer = { "odd", 0, -1 };
  local ()->offers (self->local, func, user_data);
  if (has (self, "offers-negative-speeds"))
    func (&offer, user_data);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  Spoiled *self = user_data;
  n_open--;
  if (!has (self, "is-done-early"))
    self->done (error, self->done_data);
  if (has (self, "is-done-twice"))
    self->done (error, self->done_data);
  g_ptr_array_unref (self->granted);
  g_ptr_array_unref (self->ended);
  g_free (self->fault);
  g_free (self);
}

static void
on_early (gpointer user_data)
{
  Spoiled *self = user_data;
  self->done (NULL, self->done_data);
  local ()->close (self->local, on_closed, self);
}

static void
spoiled_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  Spoiled *self = provision;
  self->done = done;
  self->done_data = user_data;
  if (has (self, "is-done-early"))
    satin_loop_post (self->loop, on_early, self);
  else
    local ()->close (self->local, on_closed, self);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = spoiled_open,
  .request = spoiled_request,
  .cancel = spoiled_cancel,
  .withdraw = spoiled_withdraw,
  .list = spoiled_list,
  .offers = spoiled_offers,
  .close = spoiled_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "spoiled",
  .version = "0",
  .summary = "processes of this machine",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
