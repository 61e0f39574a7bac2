/* rank.c - this command as one of several that srun or mpirun has started together
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rank.h"
#include "launched.h"

#include <satin/core/workers.h>
#include <sched.h>
#include <string.h>

/* The largest number of ranks. */
#define MAX_RANKS 4096

/* How long rank 0 stays after it has given up, so that the other ranks learn that it has. */
#define GIVE_UP_US ((gulong)500000)

struct _RunRank
{
  SatinLauncherOps ops;
  gpointer handle;  /* (owned) (nullable): %NULL after run_rank_release() */
  char *cluster;    /* (owned) */
  gboolean has_met; /* exchange was called */
  SatinLauncherPlace place;
};

/* ---- finding the place ---- */

/* Loads the launcher @text. If the user did not name it and its plugin is not installed, tries the
 * launcher that may take its place. */
static const SatinPlugin *
load (const char *text, gboolean is_given, SatinParams **ret_params, GError **error)
{
  g_autoptr (GError) local = NULL;
  const SatinPlugin *plugin =
      satin_plugin_load_spec (SATIN_PLUGIN_LAUNCHER, text, ret_params, &local);
  const char *other = plugin == NULL && !is_given ? launched_find_other (text) : NULL;
  if (plugin == NULL && other != NULL
      && g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    {
      g_clear_error (&local);
      plugin = satin_plugin_load_spec (SATIN_PLUGIN_LAUNCHER, other, ret_params, &local);
    }
  if (plugin == NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&local),
                                "this command is one of several that were started together, and "
                                "they cannot meet (--launcher none: each runs alone): ");
  return plugin;
}

static gboolean
check_place (const SatinLauncherPlace *place, const char *text, GError **error)
{
  if (place->n_ranks > MAX_RANKS)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "a run has at most %d nodes, not %u",
                 MAX_RANKS, place->n_ranks);
  else if (place->rank >= place->n_ranks || place->local_rank >= place->n_local)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "launcher %s gives rank %u of %u, and %u of %u on this host", text, place->rank,
                 place->n_ranks, place->local_rank, place->n_local);
  else
    return TRUE;
  return FALSE;
}

static RunRank *
open_launcher (const char *text, gboolean is_given, GError **error)
{
  g_autoptr (SatinParams) params = NULL;
  const SatinPlugin *plugin = load (text, is_given, &params, error);
  g_autoptr (RunRank) self = g_new0 (RunRank, 1);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_launcher_required, &self->ops, sizeof self->ops,
                                 error))
    return NULL;
  self->place.struct_size = sizeof self->place;
  self->handle = self->ops.open (params, &self->place, error);
  if (self->handle == NULL)
    {
      satin_plugin_explain (plugin, error);
      g_prefix_error (error, "launcher %s: ", text);
      return NULL;
    }
  self->cluster = g_strdup (self->place.cluster);
  self->place.cluster = self->cluster;
  return check_place (&self->place, text, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
run_rank_find (const char *launcher, RunRank **ret_rank, GError **error)
{
  const char *text = launcher != NULL ? launcher : launched_find ();
  if (text == NULL || g_str_equal (text, "none"))
    {
      *ret_rank = NULL;
      return TRUE;
    }
  g_autoptr (RunRank) self = open_launcher (text, launcher != NULL, error);
  if (self == NULL)
    return FALSE;
  *ret_rank = self->place.n_ranks > 1 ? g_steal_pointer (&self) : NULL;
  return TRUE;
}

const SatinLauncherPlace *
run_rank_get_place (const RunRank *self)
{
  return &self->place;
}

/* satin_count_processors() also looks at the limit of a control group. Such a limit counts time,
 * not processors, so the ranks of a host share it. */
guint
run_rank_count_workers (const RunRank *self)
{
  const SatinLauncherPlace *place = &self->place;
  cpu_set_t mask;
  guint n = satin_count_processors ();
  gboolean has_limit =
      sched_getaffinity (0, sizeof mask, &mask) == 0 && n < (guint)CPU_COUNT (&mask);
  if (has_limit || place->n_processors == 0)
    n = n / place->n_local + (place->local_rank < n % place->n_local ? 1 : 0);
  if (place->n_processors > 0)
    n = MIN (n, place->n_processors);
  return MAX (n, 1);
}

/* ---- meeting ---- */

/* Frees a text that may hold a secret. */
static void
wipe (gpointer text)
{
  explicit_bzero (text, strlen (text));
  g_free (text);
}

gboolean
run_rank_give (RunRank *self, const char *hub_uri, const SatinSecret *secret, GError **error)
{
  char *keys = secret != NULL ? satin_secret_to_text (secret) : g_strdup ("");
  char *text = g_strdup_printf ("%s\n%s", hub_uri, keys);
  g_autoptr (GBytes) own = g_bytes_new_with_free_func (text, strlen (text), wipe, text);
  wipe (keys);
  if (g_bytes_get_size (own) > SATIN_LAUNCHER_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "the address of the hub is too long: %s",
                   hub_uri);
      return FALSE;
    }
  self->has_met = TRUE;
  g_autoptr (GBytes) same = self->ops.exchange (self->handle, own, error);
  return same != NULL;
}

void
run_rank_give_up (RunRank *self)
{
  if (self->has_met)
    return;
  self->has_met = TRUE;
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) same = self->ops.exchange (self->handle, nothing, NULL);
  g_usleep (GIVE_UP_US);
}

/* Takes apart what run_rank_give() has put together. */
static gboolean
parse (const char *text, char **ret_uri, SatinSecret **ret_secret, GError **error)
{
  const char *end = strchr (text, '\n');
  g_autofree char *uri = g_strndup (text, end != NULL ? (gsize)(end - text) : 0);
  if (!satin_address_check (uri, error))
    {
      g_prefix_error (error, "what rank 0 gives is not the address of a hub: ");
      return FALSE;
    }
  SatinSecret *secret = NULL;
  if (end[1] != '\0')
    {
      secret = satin_secret_from_text (end + 1, "what rank 0 gives", error);
      if (secret == NULL)
        return FALSE;
    }
  *ret_uri = g_steal_pointer (&uri);
  *ret_secret = secret;
  return TRUE;
}

gboolean
run_rank_take (RunRank *self, char **ret_uri, SatinSecret **ret_secret, GError **error)
{
  g_autoptr (GBytes) bytes = self->ops.exchange (self->handle, NULL, error);
  if (bytes == NULL)
    return FALSE;
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  if (n == 0)
    {
      /* mpirun kills all ranks when one of them ends with an error. So this rank waits until rank 0
       * has printed its error. */
      g_usleep (2 * GIVE_UP_US);
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_CLOSED,
                           "rank 0 has failed; its message says why");
      return FALSE;
    }
  char *text = g_strndup (data != NULL ? data : "", n);
  gboolean is_right = parse (text, ret_uri, ret_secret, error);
  wipe (text);
  return is_right;
}

void
run_rank_release (RunRank *self)
{
  if (self != NULL && self->handle != NULL)
    self->ops.close (g_steal_pointer (&self->handle));
}

void
run_rank_free (RunRank *self)
{
  if (self == NULL)
    return;
  run_rank_release (self);
  g_free (self->cluster);
  g_free (self);
}
