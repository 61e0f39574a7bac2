/* world.c - handles of the storage under test, and their watchdog
 *
 * Operations block, so a plugin that hangs would hang the suite. For each handle, a thread of its
 * own interrupts the operations when the handle is used for too long.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long a case may use one handle before its operations are interrupted, in seconds. */
#define HANDLE_LIFETIME_S 60

struct _StorageWatchdog
{
  Storage *storage;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /* Guarded by @lock. */
  gboolean is_over;
  gboolean has_bitten;
};

static void *
watch (void *data)
{
  StorageWatchdog *self = data;
  struct timespec until;
  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_sec += HANDLE_LIFETIME_S;
  pthread_mutex_lock (&self->lock);
  while (!self->is_over)
    if (pthread_cond_timedwait (&self->changed, &self->lock, &until) != 0)
      {
        self->has_bitten = TRUE;
        storage_interrupt (self->storage);
        until.tv_sec++;
      }
  pthread_mutex_unlock (&self->lock);
  return NULL;
}

static StorageWatchdog *
watchdog_new (Storage *storage)
{
  StorageWatchdog *self = g_new0 (StorageWatchdog, 1);
  pthread_condattr_t attributes;
  self->storage = storage;
  pthread_mutex_init (&self->lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&self->changed, &attributes);
  pthread_condattr_destroy (&attributes);
  int status = pthread_create (&self->thread, NULL, watch, self);
  g_assert (status == 0);
  return self;
}

/* Stops the watchdog and frees it. Returns: whether it had to interrupt the storage */
static gboolean
watchdog_free (StorageWatchdog *self)
{
  pthread_mutex_lock (&self->lock);
  self->is_over = TRUE;
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
  pthread_join (self->thread, NULL);
  gboolean has_bitten = self->has_bitten;
  pthread_cond_destroy (&self->changed);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
  return has_bitten;
}

const char *
storage_uri (const Case *c)
{
  const char *const *schemes = satin_plugin_get_desc (c->plugin)->schemes;
  for (guint i = 0; c->uri == NULL && schemes != NULL && schemes[i] != NULL; i++)
    if (strcmp (schemes[i], "mem") == 0 || strcmp (schemes[i], "sim") == 0)
      return schemes[i][0] == 'm' ? "mem:satin-conformance" : "sim:satin-conformance";
  return c->uri;
}

gboolean
storage_has_param (const Case *c, const char *key)
{
  const SatinParam *params = satin_plugin_get_desc (c->plugin)->params;
  for (guint i = 0; params != NULL && params[i].key != NULL; i++)
    if (strcmp (params[i].key, key) == 0)
      return TRUE;
  return FALSE;
}

void
storage_interrupt (Storage *self)
{
  self->ops.interrupt (self->handle);
}

gboolean
storage_needs (Storage *self, SatinStorageCan can)
{
  if ((self->can & can) != 0)
    return TRUE;
  case_skip (self->c, can == SATIN_STORAGE_CAN_APPEND    ? "cannot append to a file that is there"
                      : can == SATIN_STORAGE_CAN_REPLACE ? "its replace is not atomic"
                                                         : "cannot read from the middle");
  return FALSE;
}

/* Returns: (transfer full) (nullable): the parameters for the plugin, with those in @more */
static SatinParams *
parse_params (const Case *c, const char *more, GError **error)
{
  g_auto (GStrv) words = g_strsplit (more != NULL ? more : "", " ", -1);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (guint i = 0; c->assignments != NULL && c->assignments[i] != NULL; i++)
    g_ptr_array_add (all, (gpointer)c->assignments[i]);
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (all, words[i]);
  g_ptr_array_add (all, NULL);
  return satin_params_parse (satin_plugin_get_desc (c->plugin)->params,
                             (const char *const *)all->pdata, error);
}

/* Opens the plugin, without a watchdog. Returns %FALSE, and breaks the rule, when the plugin does
 * not open. */
static gboolean
open_plain (Storage *self, Case *c, const char *assignments)
{
  g_autoptr (GError) error = NULL;
  memset (self, 0, sizeof *self);
  self->c = c;
  g_autoptr (SatinParams) params = parse_params (c, assignments, &error);
  if (!CASE_EXPECT (c, params != NULL, "%s is refused: %s", assignments,
                    error != NULL ? error->message : ""))
    return FALSE;
  self->opened = satin_storage_open_plugin (c->plugin, storage_uri (c), params, &error);
  if (assignments == NULL)
    case_note_open (c, self->opened != NULL);
  return storage_expect_done (c, self->opened != NULL, &error, "open");
}

/* Puts the filter "fault" before a storage. @next: (transfer full). Returns: (transfer full)
 * (nullable): the filtered storage; %NULL with @error */
static SatinStorage *
wrap (SatinStorage *next, const char *const *assignments, GError **error)
{
  const SatinPlugin *fault = satin_plugin_load (SATIN_PLUGIN_FILTER, "fault", error);
  g_autoptr (SatinParams) params =
      fault != NULL ? satin_params_parse (satin_plugin_get_desc (fault)->params, assignments, error)
                    : NULL;
  if (params != NULL)
    return satin_filter_wrap (next, fault, params, error);
  satin_storage_close (next);
  return NULL;
}

static gboolean
begin (Storage *self)
{
  self->ops = self->opened->ops;
  self->handle = self->opened->handle;
  self->can = self->opened->can;
  self->watchdog = watchdog_new (self);
  return TRUE;
}

gboolean
storage_open (Storage *self, Case *c, const char *assignments)
{
  return open_plain (self, c, assignments) && begin (self);
}

gboolean
storage_open_faulty (Storage *self, Case *c, const char *key, guint call, guint seed)
{
  g_autofree char *call_text = g_strdup_printf ("%s=%u", key, call);
  g_autofree char *seed_text = g_strdup_printf ("seed=%u", seed);
  g_autoptr (GError) error = NULL;
  if (storage_has_param (c, key))
    {
      g_autofree char *own =
          g_strjoin (" ", call_text, storage_has_param (c, "seed") ? seed_text : NULL, NULL);
      return storage_open (self, c, own);
    }
  if (!open_plain (self, c, NULL))
    return FALSE;
  self->opened = wrap (self->opened, (const char *const[]){ call_text, seed_text, NULL }, &error);
  return CASE_EXPECT (c, self->opened != NULL, "the filter fault cannot be used: %s",
                      error != NULL ? error->message : "")
         && begin (self);
}

void
storage_close (Storage *self)
{
  if (self->opened == NULL)
    return;
  if (watchdog_free (g_steal_pointer (&self->watchdog)))
    case_break (self->c, "what was done with one handle took more than %d s", HANDLE_LIFETIME_S);
  g_clear_pointer (&self->opened, satin_storage_close);
}

gboolean
storage_reopen (Storage *self)
{
  storage_close (self);
  return storage_open (self, self->c, NULL);
}

static void
take_name (const char *name, guint64 size_bytes, gpointer user_data)
{
  if (g_str_has_prefix (name, STORAGE_PREFIX))
    g_ptr_array_add (user_data, g_strdup (name));
}

/* Removes the files that this case or earlier cases left. Errors are ignored here, because other
 * rules check list and remove. */
static void
sweep (Storage *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  self->ops.list (self->handle, take_name, names, NULL);
  for (guint i = 0; i < names->len; i++)
    self->ops.remove (self->handle, g_ptr_array_index (names, i), NULL);
}

gboolean
storage_begin (Storage *self, Case *c)
{
  if (!storage_open (self, c, NULL))
    return FALSE;
  sweep (self);
  return TRUE;
}

void
storage_end (Storage *self)
{
  if (self->opened == NULL)
    return;
  sweep (self);
  storage_close (self);
}
