/* settings.c - reads the options of locusroute
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include <string.h>

#include "../common/file.h"

#define DEFAULT_KIND       "bnrE"
#define DEFAULT_ITERATIONS 4
/* The default batch is 1/BATCHES of the wires, but at most BATCH_MOST. README.md has the
 * measurements behind this choice. */
#define BATCHES        32
#define BATCH_MOST     32
#define DEFAULT_GRAIN  2
#define MAX_ITERATIONS 1000
#define PLACE_MAX_NS   1000000

static const char summary[] =
    "Routes the wires of a circuit of standard cells where few others run.\n\n"
    "FILE has the numbers of channels and columns, then a line 'PINS CHANNEL COLUMN\n"
    "CHANNEL COLUMN ...' for each wire. Without FILE a circuit is generated.\n\n"
    "  locusroute apps/locusroute/circuits/small.txt --output ways.txt\n"
    "  locusroute --circuit MDC --iterations 8\n"
    "  locusroute --circuit 3000x100x3000 --costs shared --time\n";

/* The options that say which circuit to use, as the user wrote them. */
typedef struct
{
  char *file; /* (owned) (nullable) */
  char *kind; /* (owned) (nullable) */
  int seed;
} Source;

static void
source_clear (Source *self)
{
  g_free (self->file);
  g_free (self->kind);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

static gboolean
read_circuit (const Source *source, Circuit *ret_circuit, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  if (source->file == NULL)
    return circuit_generate (source->kind != NULL ? source->kind : DEFAULT_KIND, source->seed,
                             ret_circuit, error);
  if (source->kind != NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "FILE and --circuit are two circuits: give one of them");
      return FALSE;
    }
  return app_file_read ("circuit file", source->file, CIRCUIT_MAX_BYTES, &text, &n_text, error)
         && circuit_read (source->file, text, n_text, ret_circuit, error);
}

static gboolean
check_numbers (const Settings *self, GError **error)
{
  return app_range_check ("--iterations", self->n_iterations, 1, MAX_ITERATIONS, error)
         && app_range_check ("--batch", self->batch, 0, CIRCUIT_MAX_WIRES, error)
         && app_range_check ("--grain", self->grain, 1, CIRCUIT_MAX_WIRES, error)
         && app_range_check ("--place-ns", self->place_ns, 0, PLACE_MAX_NS, error);
}

/* Reads --costs, and sets is_shared and the number of wires of a batch. */
static gboolean
read_costs (const char *costs, Settings *self, GError **error)
{
  int n_wires = self->circuit.n_wires;
  self->is_shared = g_strcmp0 (costs, "shared") == 0;
  if (costs != NULL && !self->is_shared && strcmp (costs, "argument") != 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--costs is '%s', but must be argument or shared", costs);
      return FALSE;
    }
  if (self->is_shared && self->batch != 0)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--costs shared has no batches: give no --batch");
      return FALSE;
    }
  /* In plain C, --costs shared means: a batch is one wire, which sees the ways of all wires before
   * it. */
  if (self->is_shared)
    self->batch = self->common.is_sequential ? 1 : n_wires;
  else if (self->batch == 0)
    self->batch = CLAMP (n_wires / BATCHES, 1, BATCH_MOST);
  return TRUE;
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_auto (Source) source = { .seed = 1 };
  g_autofree char *output = NULL, *costs = NULL;
  *ret_settings = (Settings){ .n_iterations = DEFAULT_ITERATIONS, .grain = DEFAULT_GRAIN };
  const GOptionEntry entries[] = {
    { "circuit", 0, 0, G_OPTION_ARG_STRING, &source.kind,
      "Generate bnrE, MDC or WIRESxCHANNELSxCOLUMNS (" DEFAULT_KIND ")", "KIND" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &source.seed, "Another circuit for each N (1)", "N" },
    { "iterations", 0, 0, G_OPTION_ARG_INT, &ret_settings->n_iterations,
      "Route each wire N times (" G_STRINGIFY (DEFAULT_ITERATIONS) ")", "N" },
    { "batch", 0, 0, G_OPTION_ARG_INT, &ret_settings->batch,
      "Route N wires with the same costs (a 32nd of all, at most 32)", "N" },
    { "grain", 0, 0, G_OPTION_ARG_INT, &ret_settings->grain,
      "One job routes N of these (" G_STRINGIFY (DEFAULT_GRAIN) ")", "N" },
    { "costs", 0, 0, G_OPTION_ARG_STRING, &costs,
      "How jobs know other wires: argument, or shared, whose result varies (argument)", "HOW" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the routes of all wires", "FILE" },
    { "place-ns", 0, 0, G_OPTION_ARG_INT, &ret_settings->place_ns,
      "Time of looking at a place in a simulation (0)", "NS" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &source.file, error))
    return FALSE;
  if (ret_settings->common.is_help)
    return TRUE;
  if (!check_numbers (ret_settings, error) || !read_circuit (&source, &ret_settings->circuit, error)
      || !read_costs (costs, ret_settings, error))
    return FALSE;
  if (output != NULL)
    ret_settings->output = app_output_open ("ways", output, error);
  return output == NULL || ret_settings->output != NULL;
}

void
settings_clear (Settings *self)
{
  circuit_clear (&self->circuit);
  g_clear_pointer (&self->output, app_output_free);
}
