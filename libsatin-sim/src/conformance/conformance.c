/* conformance.c - runs the suite of a plugin's kind
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/adapt/adaptation.h>
#include <satin/adapt/provision.h>
#include <satin/core/membership.h>
#include <satin/core/policy.h>
#include <satin/ft/filter.h>
#include <satin/net/launcher.h>
#include <satin/net/registry.h>

#include <string.h>

/* All suites. A kind of plugin without a suite here cannot be checked. */
static const Suite *const suites[] = { &conformance_transport, &conformance_policy,
                                       &conformance_registry,  &conformance_storage,
                                       &conformance_provision, &conformance_adaptation,
                                       &conformance_part,      NULL };

/* How long a case waits for an event, unless the parameter "patience" says otherwise. */
#define PATIENCE_US ((gint64)5000000)

/* The parameter "seeds", if it is not given. */
#define N_SEEDS 40

/* Nothing is added to a message that is longer than this: later breaks of a rule rarely tell
 * anything new. */
#define MAX_MESSAGE_BYTES 300

/* The operations that a plugin of each kind must have. */
static const SatinRequired *const required[SATIN_PLUGIN_N_KINDS] = {
  [SATIN_PLUGIN_TRANSPORT] = satin_transport_required,
  [SATIN_PLUGIN_REGISTRY] = satin_registry_required,
  [SATIN_PLUGIN_STORAGE] = satin_storage_required,
  [SATIN_PLUGIN_POLICY] = satin_policy_required,
  [SATIN_PLUGIN_PROVISION] = satin_provision_required,
  [SATIN_PLUGIN_PART] = satin_part_required,
  [SATIN_PLUGIN_WORLD] = satin_world_required,
  [SATIN_PLUGIN_ADAPTATION] = satin_adaptation_required,
  [SATIN_PLUGIN_FILTER] = satin_filter_required,
  [SATIN_PLUGIN_LAUNCHER] = satin_launcher_required,
};

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
  if (c->message->len > MAX_MESSAGE_BYTES)
    return;
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

void
case_note_open (Case *c, gboolean is_open)
{
  c->watch->has_opened |= is_open;
  c->watch->is_closed = !c->watch->has_opened;
}

gboolean
case_expect_open (Case *c, gboolean is_open, const GError *error)
{
  case_note_open (c, is_open);
  return CASE_EXPECT (c, is_open, "open failed: %s",
                      error != NULL ? error->message : "without an error");
}

void
case_note (Case *c, const char *rule, const char *format, ...)
{
  va_list arguments;
  if (case_has_note (c, rule))
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_hash_table_insert (c->watch->notes, g_strdup (rule),
                       g_strdup_printf ("%s (in %s)", text, c->name));
}

gboolean
case_has_note (const Case *c, const char *rule)
{
  return g_hash_table_contains (c->watch->notes, rule);
}

/* Reads @assignment, which begins with "seeds=". Returns: %FALSE with @error when the value is not
 * a number of at least 1 */
static gboolean
take_seeds (const char *assignment, Case *common, GError **error)
{
  guint64 n_seeds;
  if (!g_ascii_string_to_unsigned (assignment + strlen ("seeds="), 10, 1, G_MAXUINT, &n_seeds,
                                   NULL))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s: write a number from 1 on",
                   assignment);
      return FALSE;
    }
  common->n_seeds = (guint)n_seeds;
  return TRUE;
}

/* Stores the suite's own parameters of @given in @common. @ret_left: (transfer full): the other
 * parameters, which are for the plugin */
static gboolean
split_params (const char *const *given, Case *common, GStrv *ret_left, GError **error)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; given != NULL && given[i] != NULL; i++)
    if (g_str_has_prefix (given[i], "uri="))
      common->uri = given[i] + strlen ("uri=");
    else if (g_str_has_prefix (given[i], "seeds="))
      {
        if (!take_seeds (given[i], common, error))
          return FALSE;
      }
    else if (!g_str_has_prefix (given[i], "patience="))
      g_ptr_array_add (left, g_strdup (given[i]));
    else if (!satin_parse_duration (given[i] + strlen ("patience="), &common->patience_us, error))
      {
        g_prefix_error (error, "%s: ", given[i]);
        return FALSE;
      }
  g_ptr_array_add (left, NULL);
  *ret_left = (GStrv)g_ptr_array_steal (left, NULL);
  return TRUE;
}

static void
run_rule (const Rule *rule, const Case *common, SatinConformanceFunc func, gpointer user_data)
{
  Case c = *common;
  c.name = rule->name;
  c.message = g_string_new (NULL);
  rule->func (&c);
  const char *note = g_hash_table_lookup (c.watch->notes, c.name);
  if (note != NULL)
    case_break (&c, "%s", note);
  func (rule->name, c.result, c.message->len > 0 ? c.message->str : NULL, user_data);
  g_string_free (c.message, TRUE);
}

gboolean
satin_conformance_run (const SatinPlugin *plugin, const char *const *params, const char *filter,
                       SatinConformanceFunc func, gpointer user_data, GError **error)
{
  g_return_val_if_fail (plugin != NULL && func != NULL, FALSE);
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);
  const Suite *suite = find_suite (desc->kind);
  gsize ops_bytes = sizeof (gsize);
  if (!satin_plugin_copy_ops (plugin, required[desc->kind], &ops_bytes, sizeof ops_bytes, error))
    return FALSE;
  if (suite == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "there is no conformance suite for plugins of kind %s",
                   satin_plugin_kind_name (desc->kind));
      return FALSE;
    }
  Case common = { .plugin = plugin, .patience_us = PATIENCE_US, .n_seeds = N_SEEDS };
  g_auto (GStrv) left = NULL;
  if (!split_params (params, &common, &left, error))
    return FALSE;
  common.assignments = (const char *const *)left;
  g_autoptr (SatinParams) parsed = satin_params_parse (desc->params, common.assignments, error);
  if (parsed == NULL)
    return FALSE;
  g_autoptr (GHashTable) notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Watch watch = { .notes = notes };
  common.params = parsed;
  common.watch = &watch;
  if (suite->check != NULL && !suite->check (&common, error))
    return FALSE;
  for (guint i = 0; i < suite->n_rules && !watch.is_closed; i++)
    if (filter == NULL || g_str_has_prefix (suite->rules[i].name, filter))
      run_rule (&suite->rules[i], &common, func, user_data);
  if (watch.is_closed)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "the plugin does not open with these parameters, so no other rule was checked");
  return !watch.is_closed;
}

guint
satin_conformance_count (SatinPluginKind kind)
{
  const Suite *suite = find_suite (kind);
  return suite != NULL ? suite->n_rules : 0;
}
