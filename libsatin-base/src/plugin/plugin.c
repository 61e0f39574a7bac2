/* plugin.c - the plugins that are open, and how a plugin is found
 *
 * A plugin stays open for the life of the process. One list has all of them; it is global because
 * the dynamic linker is global too. No lock is held while a file is opened. If two threads open the
 * same file, the second result is dropped.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>
#include <satin/base/atomic.h>

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
/* guarded by open_lock */
static GPtrArray *open_plugins; /* (owned) to (owned) SatinPlugin*, in order of opening */

typedef gboolean (*MatchFunc) (const SatinPlugin *plugin, SatinPluginKind kind, const char *text);

static gboolean
has_name (const SatinPlugin *plugin, SatinPluginKind kind, const char *name)
{
  return plugin->desc.kind == kind && strcmp (plugin->desc.name, name) == 0;
}

static gboolean
has_path (const SatinPlugin *plugin, SatinPluginKind kind, const char *path)
{
  return strcmp (plugin->path, path) == 0;
}

/* Call it with open_lock held. */
static const SatinPlugin *
find_locked (MatchFunc matches, SatinPluginKind kind, const char *text)
{
  for (guint i = 0; open_plugins != NULL && i < open_plugins->len; i++)
    if (matches (open_plugins->pdata[i], kind, text))
      return open_plugins->pdata[i];
  return NULL;
}

static const SatinPlugin *
find_open (MatchFunc matches, SatinPluginKind kind, const char *text)
{
  const SatinPlugin *plugin;

  pthread_mutex_lock (&open_lock);
  plugin = find_locked (matches, kind, text);
  pthread_mutex_unlock (&open_lock);
  return plugin;
}

const SatinPlugin *
satin_plugin_open (const char *path, GError **error)
{
  g_autofree char *full_path = NULL;
  const SatinPlugin *known;
  SatinPlugin *fresh;

  g_return_val_if_fail (path != NULL, NULL);

  full_path = g_canonicalize_filename (path, NULL);
  known = find_open (has_path, 0, full_path);
  if (known != NULL)
    return known;
  fresh = satin_plugin_read (full_path, error);
  if (fresh == NULL)
    return NULL;

  pthread_mutex_lock (&open_lock);
  known = find_locked (has_path, 0, full_path);
  if (known == NULL)
    {
      if (open_plugins == NULL)
        open_plugins = g_ptr_array_new ();
      g_ptr_array_add (open_plugins, fresh);
    }
  pthread_mutex_unlock (&open_lock);
  if (known == NULL)
    return fresh;
  satin_plugin_drop (fresh);
  return known;
}

const SatinPlugin *
satin_plugin_load (SatinPluginKind kind, const char *name, GError **error)
{
  g_autofree char *path = NULL;
  const SatinPlugin *known;

  g_return_val_if_fail (kind > 0 && kind < SATIN_PLUGIN_N_KINDS, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (!satin_plugin_is_name (name))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' is not the name of a plugin: use letters, digits and dashes%s", name,
                   strchr (name, '/') != NULL
                       ? "; for a file of your own put its folder into SATIN_PLUGIN_PATH"
                       : "");
      return NULL;
    }
  known = find_open (has_name, kind, name);
  if (known != NULL)
    return known;
  path = satin_plugin_find_file (kind, name);
  if (path == NULL)
    {
      g_autofree char *folders = satin_plugin_get_search_path ();

      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "no plugin %s-%s.so in %s; set SATIN_PLUGIN_PATH to its folder",
                   satin_plugin_kind_name (kind), name, folders);
      return NULL;
    }
  return satin_plugin_open (path, error);
}

static gboolean
serves_scheme (const SatinPlugin *plugin, const char *scheme)
{
  return plugin->desc.schemes != NULL && g_strv_contains (plugin->desc.schemes, scheme);
}

/* Searches all plugins of @kind. @ret_fault: (out) (transfer full) (nullable): the error of the
 * first plugin that could not be opened. */
static const SatinPlugin *
search_scheme (SatinPluginKind kind, const char *scheme, GError **ret_fault)
{
  g_autoptr (GPtrArray) paths = satin_plugin_find_all_files ();

  for (guint i = 0; i < paths->len; i++)
    {
      const SatinPlugin *plugin;
      g_autofree char *name = NULL;

      if (satin_plugin_parse_path (paths->pdata[i], &name) != kind)
        continue;
      plugin = satin_plugin_load (kind, name, *ret_fault == NULL ? ret_fault : NULL);
      if (plugin != NULL && serves_scheme (plugin, scheme))
        return plugin;
    }
  return NULL;
}

/* Opens the plugin that has the name of the scheme. Returns: (nullable): %NULL without @error when
 * there is none, or when it does not serve the scheme */
static const SatinPlugin *
load_namesake (SatinPluginKind kind, const char *scheme, GError **error)
{
  const SatinPlugin *plugin;
  g_autoptr (GError) local = NULL;

  if (!satin_plugin_is_name (scheme))
    return NULL;
  plugin = satin_plugin_load (kind, scheme, &local);
  if (plugin != NULL)
    return serves_scheme (plugin, scheme) ? plugin : NULL;
  if (!g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

const SatinPlugin *
satin_plugin_load_for_uri (SatinPluginKind kind, const char *uri, GError **error)
{
  g_autofree char *scheme = NULL;
  g_autofree char *folders = NULL;
  const SatinPlugin *plugin;
  g_autoptr (GError) fault = NULL;

  g_return_val_if_fail (kind > 0 && kind < SATIN_PLUGIN_N_KINDS, NULL);
  g_return_val_if_fail (uri != NULL, NULL);

  scheme = g_uri_parse_scheme (uri);
  if (scheme == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' is not a URI: it must begin with a scheme and a colon", uri);
      return NULL;
    }
  plugin = load_namesake (kind, scheme, &fault);
  if (plugin == NULL && fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return NULL;
    }
  if (plugin == NULL)
    plugin = search_scheme (kind, scheme, &fault);
  if (plugin != NULL)
    return plugin;
  folders = satin_plugin_get_search_path ();
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
      "no %s plugin serves '%s:' in %s; set SATIN_PLUGIN_PATH to its folder%s%s",
      satin_plugin_kind_name (kind), scheme, folders,
      fault == NULL ? "" : "; one could not be asked: ", fault == NULL ? "" : fault->message);
  return NULL;
}

static int
compare_plugins (gconstpointer a, gconstpointer b)
{
  const SatinPluginDesc *desc_a = &(*(SatinPlugin *const *)a)->desc;
  const SatinPluginDesc *desc_b = &(*(SatinPlugin *const *)b)->desc;

  if (desc_a->kind != desc_b->kind)
    return desc_a->kind < desc_b->kind ? -1 : 1;
  return strcmp (desc_a->name, desc_b->name);
}

GPtrArray *
satin_plugin_list (GPtrArray **ret_broken)
{
  g_autoptr (GPtrArray) paths = satin_plugin_find_all_files ();
  g_autoptr (GPtrArray) broken = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *plugins = g_ptr_array_new ();

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *name = NULL;
      SatinPluginKind kind = satin_plugin_parse_path (paths->pdata[i], &name);
      const SatinPlugin *plugin = satin_plugin_load (kind, name, &error);

      if (plugin != NULL)
        g_ptr_array_add (plugins, (gpointer)plugin);
      else
        g_ptr_array_add (broken, g_strdup (error->message));
    }
  g_ptr_array_sort (plugins, compare_plugins);
  if (ret_broken != NULL)
    *ret_broken = g_steal_pointer (&broken);
  return plugins;
}

const SatinPluginDesc *
satin_plugin_get_desc (const SatinPlugin *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->desc;
}

const char *
satin_plugin_get_path (const SatinPlugin *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}
