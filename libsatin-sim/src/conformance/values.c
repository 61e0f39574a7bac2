/* values.c - parameters of a plugin with their defaults, and with extreme values
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "values.h"

/* Calls @func with the user's parameters and one more, if satin_params_parse() accepts the
 * value. */
static void
try_value (Case *c, const SatinParam *param, const char *value, ValuesFunc func)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autofree char *given = g_strdup_printf ("%s=%s", param->key, value);
  for (guint i = 0; c->assignments[i] != NULL; i++)
    g_ptr_array_add (all, (gpointer)c->assignments[i]);
  g_ptr_array_add (all, given);
  g_ptr_array_add (all, NULL);
  g_autoptr (SatinParams) params = satin_params_parse (satin_plugin_get_desc (c->plugin)->params,
                                                       (const char *const *)all->pdata, NULL);
  if (params != NULL)
    func (c, given, params);
}

void
values_each_default (Case *c, ValuesFunc func)
{
  const SatinParam *table = satin_plugin_get_desc (c->plugin)->params;
  g_autoptr (SatinParams) none = satin_params_parse (table, NULL, NULL);
  if (none != NULL)
    func (c, "no parameters", none);
  for (guint i = 0; table != NULL && table[i].key != NULL; i++)
    if (table[i].fallback != NULL)
      try_value (c, &table[i], table[i].fallback, func);
}

/* No 0 for whole numbers: the plugin may use the number as a descriptor, and 0 is the standard
 * input of this process. */
static const char *const ints[] = { "-9223372036854775808", "9223372036854775807", NULL };
static const char *const sizes[] = { "0", "1", "8388607T", NULL };
static const char *const durations[] = { "0", "1us", "2500000000h", NULL };
static const char *const doubles[] = { "-1e308", "-1", "0", "1e-308", "1", "1e308", NULL };
static const char *const booleans[] = { "no", "yes", NULL };

static const char *const none[] = { NULL };

static const char *const *
extremes_of (SatinParamType type)
{
  switch (type)
    {
    case SATIN_PARAM_INT:
      return ints;
    case SATIN_PARAM_SIZE:
      return sizes;
    case SATIN_PARAM_DURATION:
      return durations;
    case SATIN_PARAM_DOUBLE:
      return doubles;
    case SATIN_PARAM_BOOLEAN:
      return booleans;
    case SATIN_PARAM_STRING:
      break;
    }
  return none;
}

void
values_each_extreme (Case *c, ValuesFunc func)
{
  const SatinParam *table = satin_plugin_get_desc (c->plugin)->params;
  for (guint i = 0; table != NULL && table[i].key != NULL; i++)
    for (const char *const *value = extremes_of (table[i].type); *value != NULL; value++)
      try_value (c, &table[i], *value, func);
}
