/* bench.c - `satin bench`: measures the cost of spawns, steals and messages on this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>

static const char details[] =
    "MEASUREMENT is one of these, or all of them when none is given:\n"
    "  spawn   nanoseconds for a spawn and its sync, against a plain call\n"
    "  steal   time from a spawn on one node to its start on an idle node, over each transport\n"
    "  links   round trip, processor time and throughput of messages between two processes; the\n"
    "          lines at the end have the option of satin sim that gives a message this time\n\n"
    "Examples:\n"
    "  satin bench\n"
    "  satin bench --json spawn";

static const struct
{
  const char *name;
  BenchFunc func;
} measurements[] = { { "spawn", bench_spawn }, { "steal", bench_steal }, { "links", bench_links } };

/* A figure of the report. */
typedef struct
{
  char *name; /* (owned): "steal-tcp.median" */
  double value;
  const char *unit; /* (static) */
} Row;

struct _BenchReport
{
  GArray *rows;   /* (owned) (element-type Row) */
  GString *notes; /* (owned) lines */
};

static void
row_clear (gpointer row)
{
  g_free (((Row *)row)->name);
}

void
bench_report_add (BenchReport *self, const char *name, const char *figure, double value,
                  const char *unit)
{
  Row row = { .name = g_strdup_printf ("%s.%s", name, figure), .value = value, .unit = unit };
  g_array_append_val (self->rows, row);
}

void
bench_report_note (BenchReport *self, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_string_append_vprintf (self->notes, format, arguments);
  g_string_append_c (self->notes, '\n');
  va_end (arguments);
}

static int
compare_doubles (const void *left, const void *right)
{
  double a = *(const double *)left;
  double b = *(const double *)right;
  return (a > b) - (a < b);
}

double
bench_quantile (double *samples, guint n_samples, double share)
{
  g_assert (n_samples > 0);
  qsort (samples, n_samples, sizeof *samples, compare_doubles);
  return samples[MIN ((guint)(share * n_samples), n_samples - 1)];
}

char *
bench_own_path (GError **error)
{
  g_autoptr (GError) local = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &local);
  if (path == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot find this command itself: %s",
                 local->message);
  return path;
}

static void
print_text (const BenchReport *report)
{
  for (guint i = 0; i < report->rows->len; i++)
    {
      const Row *row = &g_array_index (report->rows, Row, i);
      g_print ("%-28s %10.2f %s\n", row->name, row->value, row->unit);
    }
  g_print ("%s", report->notes->str);
}

static void
print_json (const BenchReport *report)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  for (guint i = 0; i < report->rows->len; i++)
    {
      const Row *row = &g_array_index (report->rows, Row, i);
      json_builder_set_member_name (builder, row->name);
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "value");
      json_builder_add_double_value (builder, row->value);
      json_builder_set_member_name (builder, "unit");
      json_builder_add_string_value (builder, row->unit);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_print ("%s\n", text);
}

/* Makes the measurement @word, or all for %NULL. */
static gboolean
measure (BenchReport *report, const char *word, GError **error)
{
  gboolean is_known = word == NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (measurements); i++)
    {
      if (word != NULL && !g_str_equal (word, measurements[i].name))
        continue;
      is_known = TRUE;
      if (!measurements[i].func (report, error))
        {
          g_prefix_error (error, "bench %s: ", measurements[i].name);
          return FALSE;
        }
    }
  return is_known || command_refuse (error, "bench", "there is no measurement \"%s\"", word);
}

gboolean
command_bench (int argc, char **argv, int *ret_status, GError **error)
{
  gboolean is_json = FALSE;
  const GOptionEntry entries[] = { { "json", 0, 0, G_OPTION_ARG_NONE, &is_json, "As JSON", NULL },
                                   G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "bench",
    .usage = "[MEASUREMENT]",
    .summary = "Measures what spawns, steals and messages cost on this machine.",
    .details = details,
    .options = entries,
    .n_words_max = 1,
  };
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  BenchReport report = { .rows = g_array_new (FALSE, FALSE, sizeof (Row)),
                         .notes = g_string_new (NULL) };
  g_array_set_clear_func (report.rows, row_clear);
  gboolean is_measured = measure (&report, argc > 1 ? argv[1] : NULL, error);
  if (is_measured && is_json)
    print_json (&report);
  else if (is_measured)
    print_text (&report);
  g_array_unref (report.rows);
  g_string_free (report.notes, TRUE);
  *ret_status = 0;
  return is_measured;
}
