/* inspect.c - `satin inspect`: lists the plugins and their parameters
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

#include <json-glib/json-glib.h>
#include <satin/adapt/adaptation.h>
#include <satin/adapt/provision.h>
#include <satin/core/membership.h>
#include <satin/core/policy.h>
#include <satin/ft/filter.h>
#include <satin/ft/storage.h>
#include <satin/net/launcher.h>
#include <satin/net/registry.h>
#include <satin/net/transport.h>
#include <string.h>

static const char details_format[] =
    "PLUGIN is a kind (transport), a name (tcp), both (transport-tcp), or the path of a file, "
    "with\n"
    "a slash. Plugins lie in the folders of SATIN_PLUGIN_PATH (colon between them) and in\n"
    "%s.\n"
    "\n"
    "Examples:\n"
    "  satin inspect\n"
    "  satin inspect part-net\n"
    "  satin inspect --json ./transport-mine.so";

static const char *
name_thread_model (SatinThreadModel model)
{
  switch (model)
    {
    case SATIN_THREAD_LOOP:
      return "loop";
    case SATIN_THREAD_ONE:
      return "one at a time";
    case SATIN_THREAD_ANY:
      return "any";
    }
  return "unknown";
}

static const char *
name_type (SatinParamType type)
{
  switch (type)
    {
    case SATIN_PARAM_STRING:
      return "text";
    case SATIN_PARAM_INT:
      return "number";
    case SATIN_PARAM_SIZE:
      return "size";
    case SATIN_PARAM_DURATION:
      return "duration";
    case SATIN_PARAM_BOOLEAN:
      return "yes/no";
    case SATIN_PARAM_DOUBLE:
      return "decimal";
    }
  return "unknown";
}

static gboolean
is_meant (const SatinPluginDesc *desc, const char *word)
{
  const char *kind = satin_plugin_kind_name (desc->kind);
  g_autofree char *both = g_strdup_printf ("%s-%s", kind, desc->name);
  return word == NULL || g_str_equal (word, kind) || g_str_equal (word, desc->name)
         || g_str_equal (word, both);
}

static void
print_plugin (const SatinPlugin *plugin)
{
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  g_autofree char *schemes =
      desc->schemes != NULL ? g_strjoinv (", ", (char **)desc->schemes) : NULL;

  g_print ("%s-%s %s\n", satin_plugin_kind_name (desc->kind), desc->name, desc->version);
  g_print ("    %s\n", desc->summary);
  if (schemes != NULL && *schemes != '\0')
    g_print ("    schemes: %s\n", schemes);
  g_print ("    threads: %s\n", name_thread_model (desc->thread_model));
  g_print ("    file: %s\n", satin_plugin_get_path (plugin));
  for (const SatinParam *param = desc->params; param != NULL && param->key != NULL; param++)
    g_print ("      %-14s %-9s %s (%s%s)\n", param->key, name_type (param->type), param->help,
             param->fallback == NULL    ? "must be given"
             : *param->fallback == '\0' ? "default: none"
                                        : "default: ",
             param->fallback != NULL ? param->fallback : "");
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_params (JsonBuilder *builder, const SatinParam *params)
{
  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_array (builder);
  for (const SatinParam *param = params; param != NULL && param->key != NULL; param++)
    {
      json_builder_begin_object (builder);
      add_string (builder, "key", param->key);
      add_string (builder, "type", name_type (param->type));
      add_string (builder, "default", param->fallback);
      add_string (builder, "help", param->help);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_plugin (JsonBuilder *builder, const SatinPlugin *plugin)
{
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  json_builder_begin_object (builder);
  add_string (builder, "kind", satin_plugin_kind_name (desc->kind));
  add_string (builder, "name", desc->name);
  add_string (builder, "version", desc->version);
  add_string (builder, "summary", desc->summary);
  add_string (builder, "author", desc->author);
  add_string (builder, "threads", name_thread_model (desc->thread_model));
  add_string (builder, "file", satin_plugin_get_path (plugin));
  json_builder_set_member_name (builder, "schemes");
  json_builder_begin_array (builder);
  for (const char *const *scheme = desc->schemes; scheme != NULL && *scheme != NULL; scheme++)
    json_builder_add_string_value (builder, *scheme);
  json_builder_end_array (builder);
  add_params (builder, desc->params);
  json_builder_end_object (builder);
}

static void
print_json (const GPtrArray *plugins, const GPtrArray *broken)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "plugins");
  json_builder_begin_array (builder);
  for (guint i = 0; i < plugins->len; i++)
    add_plugin (builder, g_ptr_array_index (plugins, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "broken");
  json_builder_begin_array (builder);
  for (guint i = 0; broken != NULL && i < broken->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (broken, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_print ("%s\n", text);
}

static void
print_text (const GPtrArray *plugins, const GPtrArray *broken)
{
  for (guint i = 0; i < plugins->len; i++)
    {
      if (i > 0)
        g_print ("\n");
      print_plugin (g_ptr_array_index (plugins, i));
    }
  for (guint i = 0; broken != NULL && i < broken->len; i++)
    g_print ("\nbroken: %s\n", (const char *)g_ptr_array_index (broken, i));
}

/* Returns: the operations that each plugin of this kind needs */
static const SatinRequired *
required_of (SatinPluginKind kind)
{
  static const SatinRequired *const required[SATIN_PLUGIN_N_KINDS] = {
    [SATIN_PLUGIN_TRANSPORT] = satin_transport_required,
    [SATIN_PLUGIN_REGISTRY] = satin_registry_required,
    [SATIN_PLUGIN_STORAGE] = satin_storage_required,
    [SATIN_PLUGIN_FILTER] = satin_filter_required,
    [SATIN_PLUGIN_POLICY] = satin_policy_required,
    [SATIN_PLUGIN_PART] = satin_part_required,
    [SATIN_PLUGIN_PROVISION] = satin_provision_required,
    [SATIN_PLUGIN_ADAPTATION] = satin_adaptation_required,
    [SATIN_PLUGIN_LAUNCHER] = satin_launcher_required,
    [SATIN_PLUGIN_WORLD] = satin_world_required,
  };
  return required[kind];
}

/* Removes the plugins that lack an operation from @plugins, and adds the reasons to @broken. */
static void
set_unfit_aside (GPtrArray *plugins, GPtrArray *broken)
{
  for (guint i = plugins->len; i-- > 0;)
    {
      const SatinPlugin *plugin = g_ptr_array_index (plugins, i);
      const SatinRequired *required = required_of (satin_plugin_get_desc (plugin)->kind);
      gsize ops_size;
      g_autoptr (GError) error = NULL;
      if (required == NULL
          || satin_plugin_copy_ops (plugin, required, &ops_size, sizeof ops_size, &error))
        continue;
      g_ptr_array_remove_index (plugins, i);
      g_ptr_array_add (broken, g_strdup (error->message));
    }
}

/* Returns: (transfer full) (nullable): the plugin in the file @path; %NULL with @error */
static GPtrArray *
open_one (const char *path, GError **error)
{
  const SatinPlugin *plugin = satin_plugin_open (path, error);
  gsize ops_size;
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, required_of (satin_plugin_get_desc (plugin)->kind),
                                 &ops_size, sizeof ops_size, error))
    return NULL;
  GPtrArray *one = g_ptr_array_new ();
  g_ptr_array_add (one, (gpointer)plugin);
  return one;
}

/* Finds the plugins that @word names. @word: (nullable): %NULL for all plugins. @ret_broken: (out)
 * (transfer full): why plugins cannot be opened; set only if @word is %NULL. Returns: (transfer
 * full) (nullable): %NULL with @error */
static GPtrArray *
find_plugins (const char *word, GPtrArray **ret_broken, GError **error)
{
  if (word != NULL && strchr (word, '/') != NULL)
    return open_one (word, error);
  g_autoptr (GPtrArray) broken = NULL;
  g_autoptr (GPtrArray) plugins = satin_plugin_list (&broken);
  set_unfit_aside (plugins, broken);
  for (guint i = plugins->len; i-- > 0;)
    if (!is_meant (satin_plugin_get_desc (g_ptr_array_index (plugins, i)), word))
      g_ptr_array_remove_index (plugins, i);
  if (plugins->len == 0 && word != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "there is no plugin \"%s\"; satin inspect lists all%s%s", word,
                   broken != NULL && broken->len > 0 ? "; broken: " : "",
                   broken != NULL && broken->len > 0 ? (char *)g_ptr_array_index (broken, 0) : "");
      return NULL;
    }
  if (word == NULL)
    *ret_broken = g_steal_pointer (&broken);
  return g_steal_pointer (&plugins);
}

gboolean
command_inspect (int argc, char **argv, int *ret_status, GError **error)
{
  gboolean is_json = FALSE;
  const GOptionEntry entries[] = { { "json", 0, 0, G_OPTION_ARG_NONE, &is_json, "As JSON", NULL },
                                   G_OPTION_ENTRY_NULL };
  g_autofree char *installed = satin_installed_path (SATIN_PLUGIN_DIR);
  g_autofree char *details = g_strdup_printf (details_format, installed);
  const CommandSyntax syntax = {
    .name = "inspect",
    .usage = "[PLUGIN]",
    .summary = "Lists the plugins that can be found, what they are for and their parameters.",
    .details = details,
    .options = entries,
    .n_words_max = 1,
  };
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  g_autoptr (GPtrArray) broken = NULL;
  g_autoptr (GPtrArray) plugins = find_plugins (argc > 1 ? argv[1] : NULL, &broken, error);
  if (plugins == NULL)
    return FALSE;
  if (is_json)
    print_json (plugins, broken);
  else
    print_text (plugins, broken);
  *ret_status = 0;
  return TRUE;
}
