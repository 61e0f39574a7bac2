/* storage-uri.c - takes a storage's URI apart: filters, storage and their parameters
 *
 * A word before a "+" is a filter if there is a filter plugin of that name. If there is none, the
 * "+" may be part of the storage's own scheme.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-uri.h"

#include <string.h>

#define NAME_CHARACTERS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-"

static const char *
name_of (const SatinPlugin *plugin)
{
  return satin_plugin_get_desc (plugin)->name;
}

/* ---- plugins ---- */

/* Returns: (transfer full) (nullable): the word before the first "+" of the scheme; %NULL when the
 * scheme has no "+" */
static char *
take_word (const char *uri)
{
  gsize n = strspn (uri, NAME_CHARACTERS);
  return n > 0 && uri[n] == '+' ? g_strndup (uri, n) : NULL;
}

/* Takes the next filter from the URI. @ret_is_found: whether there was a filter. Returns: %FALSE
 * with @error when there is a filter that cannot be used */
static gboolean
find_filter (StorageUri *self, gboolean *ret_is_found, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *word = take_word (self->rest);
  const SatinPlugin *filter =
      word != NULL ? satin_plugin_load (SATIN_PLUGIN_FILTER, word, &local) : NULL;
  *ret_is_found = filter != NULL;
  if (filter == NULL)
    {
      if (local == NULL || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (self->n_filters == SATIN_FILTER_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "the URI has more than %d filters before its storage", SATIN_FILTER_MAX);
      return FALSE;
    }
  self->filters[self->n_filters++] = filter;
  self->rest += strlen (word) + 1;
  return TRUE;
}

/* Returns: (transfer full): the names of all filters that can be found, with commas */
static char *
list_filters (void)
{
  g_autoptr (GPtrArray) plugins = satin_plugin_list (NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < plugins->len; i++)
    if (satin_plugin_get_desc (g_ptr_array_index (plugins, i))->kind == SATIN_PLUGIN_FILTER)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              name_of (g_ptr_array_index (plugins, i)));
  return g_strdup (names->len > 0 ? names->str : "none");
}

/* Sets the error for a scheme with a "+" that no storage serves: @word, before the "+", was meant
 * to be a filter. */
static void
set_unknown_filter (const char *word, GError **error)
{
  g_autofree char *names = list_filters ();
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "there is no filter \"%s\" to stand before the storage; found are: %s; set "
               "SATIN_PLUGIN_PATH to the folder of filter-%s.so",
               word, names, word);
}

static gboolean
find_storage (StorageUri *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *word = take_word (self->rest);
  self->storage = satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, self->rest, &local);
  if (self->storage != NULL)
    return TRUE;
  if (word != NULL && g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    set_unknown_filter (word, error);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
storage_uri_find (StorageUri *self, const char *uri, GError **error)
{
  gboolean is_found = TRUE;
  *self = (StorageUri){ .rest = uri };
  while (is_found)
    if (!find_filter (self, &is_found, error))
      return FALSE;
  return find_storage (self, error);
}

/* ---- parameters ---- */

/* Returns: how long the filter's name before the dot is; 0 when the key has no dot */
static gsize
filter_length (const char *assignment)
{
  gsize n = strcspn (assignment, ".=");
  return assignment[n] == '.' ? n : 0;
}

static gboolean
is_for (const char *assignment, const char *filter)
{
  gsize n = filter_length (assignment);
  return n > 0 && strlen (filter) == n && memcmp (assignment, filter, n) == 0;
}

static gboolean
check_filter_is_there (const StorageUri *self, const char *assignment, GError **error)
{
  int n = (int)filter_length (assignment);
  for (guint i = 0; i < self->n_filters; i++)
    if (is_for (assignment, name_of (self->filters[i])))
      return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "parameter %s: the URI has no filter \"%.*s\"; write %.*s+ before its scheme",
               assignment, n, assignment, n, assignment);
  return FALSE;
}

/* Parses the parameters of one plugin. Returns: (transfer full) (nullable): %NULL with @error,
 * whose message names the plugin */
static SatinParams *
parse (const SatinPlugin *plugin, GStrvBuilder *builder, GError **error)
{
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  g_auto (GStrv) assignments = g_strv_builder_end (builder);
  SatinParams *params = satin_params_parse (desc->params, (const char *const *)assignments, error);
  if (params == NULL)
    g_prefix_error (error, "%s-%s: ", satin_plugin_kind_name (desc->kind), desc->name);
  return params;
}

static gboolean
parse_filter (StorageUri *self, guint i, char **all, GError **error)
{
  const char *name = name_of (self->filters[i]);
  g_autoptr (GStrvBuilder) own = g_strv_builder_new ();
  for (; *all != NULL; all++)
    if (is_for (*all, name))
      g_strv_builder_add (own, *all + strlen (name) + 1);
  self->filter_params[i] = parse (self->filters[i], own, error);
  return self->filter_params[i] != NULL;
}

static gboolean
knows_make (const SatinPlugin *storage)
{
  const SatinParam *param = satin_plugin_get_desc (storage)->params;
  while (param->key != NULL && !g_str_equal (param->key, "make"))
    param++;
  return param->key != NULL;
}

static gboolean
parse_storage (StorageUri *self, char **all, gboolean may_make, GError **error)
{
  g_autoptr (GStrvBuilder) own = g_strv_builder_new ();
  if (!may_make && knows_make (self->storage))
    g_strv_builder_add (own, "make=no");
  for (; *all != NULL; all++)
    if (filter_length (*all) == 0)
      g_strv_builder_add (own, *all);
  self->storage_params = parse (self->storage, own, error);
  return self->storage_params != NULL;
}

gboolean
storage_uri_parse (StorageUri *self, const char *text, gboolean may_make, GError **error)
{
  g_auto (GStrv) all = satin_params_split_text (text);
  for (char **each = all; *each != NULL; each++)
    if (filter_length (*each) > 0 && !check_filter_is_there (self, *each, error))
      return FALSE;
  for (guint i = 0; i < self->n_filters; i++)
    if (!parse_filter (self, i, all, error))
      return FALSE;
  return parse_storage (self, all, may_make, error);
}

void
storage_uri_clear (StorageUri *self)
{
  for (guint i = 0; i < self->n_filters; i++)
    g_clear_pointer (&self->filter_params[i], satin_params_free);
  g_clear_pointer (&self->storage_params, satin_params_free);
}
