/* settings.c - parses the parameters
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

static void
add (GPtrArray *arguments, const char *option, const char *value)
{
  if (*value != '\0')
    g_ptr_array_add (arguments, g_strconcat (option, "=", value, NULL));
}

static void
add_time (GPtrArray *arguments, gint64 time_us)
{
  gint64 time_s = (time_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
  if (time_s > 0)
    g_ptr_array_add (arguments, g_strdup_printf ("--time=%" G_GINT64_FORMAT ":%02d", time_s / 60,
                                                 (int)(time_s % 60)));
}

static void
add_memory (GPtrArray *arguments, guint64 size_bytes)
{
  if (size_bytes > 0)
    g_ptr_array_add (arguments,
                     g_strdup_printf ("--mem=%" G_GUINT64_FORMAT "K", (size_bytes + 1023) / 1024));
}

static void
add_processors (GPtrArray *arguments, guint n)
{
  g_ptr_array_add (arguments,
                   n == 0 ? g_strdup ("--exclusive") : g_strdup_printf ("--cpus-per-task=%u", n));
}

/* The user's options come last, so they win. */
static gboolean
add_options (GPtrArray *arguments, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) local = NULL;
  if (*text == '\0')
    return TRUE;
  if (!g_shell_parse_argv (text, NULL, &words, &local))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "options=%s: write options of sbatch as in a shell: %s", text, local->message);
      return FALSE;
    }
  for (char **word = words; *word != NULL; word++)
    g_ptr_array_add (arguments, g_strdup (*word));
  return TRUE;
}

static gboolean
read_count (const SatinParams *params, const char *key, guint min, guint max, guint *ret_value,
            GError **error)
{
  gint64 value = satin_params_get_int (params, key);
  if (value >= min && value <= max)
    {
      *ret_value = (guint)value;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s=%" G_GINT64_FORMAT ": write a number from %u to %u", key, value, min, max);
  return FALSE;
}

static gboolean
read_pause (const SatinParams *params, const char *key, gint64 *ret_value_us, GError **error)
{
  *ret_value_us = satin_params_get_duration_us (params, key);
  if (*ret_value_us >= SLURM_PAUSE_US)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s: write %d ms or more", key,
               (int)(SLURM_PAUSE_US / 1000));
  return FALSE;
}

static gboolean
add_all (SlurmSettings *self, const SatinParams *params, GError **error)
{
  const char *output = satin_params_get_string (params, "output");
  add (self->common, "--account", satin_params_get_string (params, "account"));
  add (self->common, "--qos", satin_params_get_string (params, "qos"));
  add (self->common, "--reservation", satin_params_get_string (params, "reservation"));
  add (self->common, "--constraint", satin_params_get_string (params, "constraint"));
  add_time (self->common, satin_params_get_duration_us (params, "time"));
  add_processors (self->common, self->n_processors);
  add_memory (self->common, satin_params_get_size_bytes (params, "memory"));
  add (self->common, "--output", *output != '\0' ? output : "/dev/null");
  self->has_complaint = *output == '\0';
  return add_options (self->common, satin_params_get_string (params, "options"), error);
}

gboolean
settings_read (SlurmSettings *settings, const SatinParams *params, GError **error)
{
  const char *partition = satin_params_get_string (params, "partition");
  *settings = (SlurmSettings){ .common = g_ptr_array_new_with_free_func (g_free) };
  if (*partition != '\0')
    settings->partitions = g_strsplit (partition, ",", -1);
  settings->warning_us = satin_params_get_duration_us (params, "warning");
  return read_count (params, "cpus", 0, G_MAXUINT16, &settings->n_processors, error)
         && read_count (params, "max", 1, SATIN_PROVISION_MAX, &settings->max, error)
         && read_count (params, "array", 1, SLURM_ARRAY_MAX, &settings->array_max, error)
         && read_pause (params, "poll", &settings->poll_us, error)
         && read_pause (params, "patience", &settings->patience_us, error)
         && add_all (settings, params, error);
}

void
settings_clear (SlurmSettings *settings)
{
  g_strfreev (settings->partitions);
  g_clear_pointer (&settings->common, g_ptr_array_unref);
}
