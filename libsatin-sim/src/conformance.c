/* conformance.c - runs the suite of a plugin's kind
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conformance-private.h"

#include <string.h>

/* The suites, by kind; a kind that is not here has none. */
static const Suite *const suites[] = { NULL };

static const Suite *
find_suite (SatinPluginKind kind)
{
  for (guint i = 0; suites[i] != NULL; i++)
    if (suites[i]->kind == kind)
      return suites[i];
  return NULL;
}

void
case_break (Case *c, const char *format, ...)
{
  va_list arguments;
  c->result = SATIN_CONFORMANCE_BROKEN;
  if (c->message->len > 0)
    g_string_append (c->message, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (c->message, format, arguments);
  va_end (arguments);
}

void
case_skip (Case *c, const char *reason)
{
  if (c->result == SATIN_CONFORMANCE_KEPT)
    {
      c->result = SATIN_CONFORMANCE_SKIPPED;
      g_string_assign (c->message, reason);
    }
}

/* Takes "uri=..." out of @given. Returns: (transfer full): what is left for the plugin */
static GStrv
split_params (const char *const *given, const char **ret_uri)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; given != NULL && given[i] != NULL; i++)
    if (g_str_has_prefix (given[i], "uri="))
      *ret_uri = given[i] + strlen ("uri=");
    else
      g_ptr_array_add (left, g_strdup (given[i]));
  g_ptr_array_add (left, NULL);
  return (GStrv)g_ptr_array_steal (left, NULL);
}

static void
run_rule (const Rule *rule, const Case *common, SatinConformanceFunc func, gpointer user_data)
{
  Case c = *common;
  c.message = g_string_new (NULL);
  rule->func (&c);
  func (rule->name, c.result, c.message->len > 0 ? c.message->str : NULL, user_data);
  g_string_free (c.message, TRUE);
}

gboolean
satin_conformance_run (const SatinPlugin *plugin, const char *const *params, const char *filter,
                       SatinConformanceFunc func, gpointer user_data, GError **error)
{
  static const SatinParam no_params[] = { { NULL, SATIN_PARAM_STRING, NULL, NULL } };
  g_return_val_if_fail (plugin != NULL && func != NULL, FALSE);
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  const Suite *suite = find_suite (desc->kind);
  if (suite == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "there is no conformance suite for plugins of kind %s",
                   satin_plugin_kind_name (desc->kind));
      return FALSE;
    }
  Case common = { .plugin = plugin };
  g_auto (GStrv) left = split_params (params, &common.uri);
  g_autoptr (SatinParams) parsed = satin_params_parse (
      desc->params != NULL ? desc->params : no_params, (const char *const *)left, error);
  if (parsed == NULL)
    return FALSE;
  common.params = parsed;
  for (guint i = 0; i < suite->n_rules; i++)
    if (filter == NULL || g_str_has_prefix (suite->rules[i].name, filter))
      run_rule (&suite->rules[i], &common, func, user_data);
  return TRUE;
}

guint
satin_conformance_count (SatinPluginKind kind)
{
  const Suite *suite = find_suite (kind);
  return suite != NULL ? suite->n_rules : 0;
}
