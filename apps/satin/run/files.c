/* files.c - finds the files of Satin that a node needs on a machine without Satin
 *
 * This process loads all plugins that a node would load. So the libraries that these plugins and
 * the program need are loaded here too, and the dynamic linker's list of loaded objects has their
 * paths.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "files.h"

#include <link.h>
#include <satin/ft/storage.h>
#include <string.h>

#define LIBRARY_PREFIX "libsatin-"

/* The files found so far. */
typedef struct
{
  GPtrArray *paths;  /* (owned) (element-type utf8) */
  GHashTable *names; /* (owned) set of (owned) file names */
} Found;

static void
add_path (Found *self, const char *path)
{
  if (g_hash_table_add (self->names, g_path_get_basename (path)))
    g_ptr_array_add (self->paths, g_strdup (path));
}

static gboolean
add_plugin (Found *self, const SatinPlugin *plugin)
{
  if (plugin != NULL)
    add_path (self, satin_plugin_get_path (plugin));
  return plugin != NULL;
}

/* Adds a plugin. @text: its name; or its name, a colon and its parameters */
static gboolean
add_named (Found *self, SatinPluginKind kind, const char *text, GError **error)
{
  return add_plugin (self, satin_plugin_load_spec (kind, text, NULL, error));
}

/* If @part is the part ft with a checkpoint, adds the plugins of its storage and of the filters. */
static gboolean
add_storage (Found *self, const char *part, GError **error)
{
  g_autoptr (SatinParams) params = NULL;
  if (!g_str_has_prefix (part, "ft:"))
    return TRUE;
  if (satin_plugin_load_spec (SATIN_PLUGIN_PART, part, &params, error) == NULL)
    return FALSE;
  const char *uri = satin_params_get_string (params, "checkpoint");
  if (*uri == '\0')
    return TRUE;
  g_autoptr (GPtrArray) plugins = satin_storage_find_plugins (uri, error);
  for (guint i = 0; plugins != NULL && i < plugins->len; i++)
    add_plugin (self, g_ptr_array_index (plugins, i));
  return plugins != NULL;
}

static gboolean
add_parts (Found *self, const RunOptions *options, GError **error)
{
  const char *const usual[] = { "net", "so", options->has_no_recovery ? NULL : "ft",
                                options->fleet.adaptation != NULL ? "adapt" : NULL };
  for (gsize i = 0; i < G_N_ELEMENTS (usual); i++)
    if (usual[i] != NULL && !add_named (self, SATIN_PLUGIN_PART, usual[i], error))
      return FALSE;
  for (char **part = options->parts; part != NULL && *part != NULL; part++)
    if (!add_named (self, SATIN_PLUGIN_PART, *part, error) || !add_storage (self, *part, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_plugins (Found *self, const RunOptions *options, GError **error)
{
  const char *policy = options->policy != NULL ? options->policy : g_getenv ("SATIN_POLICY");
  return add_parts (self, options, error) && add_named (self, SATIN_PLUGIN_REGISTRY, "hub", error)
         && add_named (self, SATIN_PLUGIN_TRANSPORT, "tcp", error)
         && (options->gateways == NULL || add_named (self, SATIN_PLUGIN_TRANSPORT, "ssh", error))
         && add_named (self, SATIN_PLUGIN_POLICY, policy != NULL ? policy : "crs", error)
         && (options->fleet.adaptation == NULL
             || add_named (self, SATIN_PLUGIN_ADAPTATION, options->fleet.adaptation, error));
}

static int
add_library (struct dl_phdr_info *info, size_t size_bytes, void *user_data)
{
  const char *slash = strrchr (info->dlpi_name, '/');
  if (slash != NULL && g_str_has_prefix (slash + 1, LIBRARY_PREFIX))
    add_path (user_data, info->dlpi_name);
  return 0;
}

char **
run_files_find (const RunOptions *options, GError **error)
{
  Found found = { .paths = g_ptr_array_new_with_free_func (g_free),
                  .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  char **paths = NULL;
  if (add_plugins (&found, options, error))
    {
      dl_iterate_phdr (add_library, &found);
      g_ptr_array_add (found.paths, NULL);
      paths = g_strdupv ((char **)found.paths->pdata);
    }
  g_ptr_array_unref (found.paths);
  g_hash_table_unref (found.names);
  return paths;
}
