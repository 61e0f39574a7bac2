/* settings.c - reads the options of align
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "../common/file.h"

#define DEFAULT_OPEN   11
#define DEFAULT_EXTEND 1
#define DEFAULT_GRAIN  2000000
#define DEFAULT_BEST   10
#define DEFAULT_LENGTH 200
#define DEFAULT_SEED   1

static const char summary[] =
    "Scores the alignments of each two proteins of FILE, which has the FASTA format.\n"
    "Examples:\n"
    "  align apps/align/proteins/families.fasta\n"
    "  align --generate 200 --length 300 --time";

/* Reads the proteins of @path, or generates @n proteins. @path: (nullable). Fails unless exactly
 * one of the two is given. @n: 0: not given */
static gboolean
read_proteins (Settings *self, const char *path, int n, int length, int seed, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  if ((path != NULL) == (n > 0))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           path != NULL ? "give either a file or --generate, not both"
                                        : "no proteins given: give a file, or --generate N");
      return FALSE;
    }
  if (n > 0)
    {
      self->name = g_strdup_printf ("generated %d of %d", n, length);
      fasta_generate (n, length, (guint64)seed, &self->fasta);
      return TRUE;
    }
  self->name = g_path_get_basename (path);
  return app_file_read ("FASTA file", path, FASTA_MAX_BYTES, &text, &n_text, error)
         && fasta_read (path, text, n_text, &self->fasta, error);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *path = NULL;
  int n, length, seed;
  Settings *self = ret_settings;
  const AppNumber numbers[] = {
    { "open", "What each gap costs", 0, GOTOH_MAX_COST, DEFAULT_OPEN, &self->costs.open },
    { "extend", "What each residue of a gap costs", 0, GOTOH_MAX_COST, DEFAULT_EXTEND,
      &self->costs.extend },
    { "best", "Print the N best pairs", 0, G_MAXINT, DEFAULT_BEST, &self->n_best },
    { "grain", "A job with more than N cells divides", 1, G_MAXINT, DEFAULT_GRAIN, &self->grain },
    { "generate", "Make N proteins, in families of four", 0, FASTA_MAX_SEQUENCES, 0, &n },
    { "length", "Length of generated proteins", 1, FASTA_MAX_LENGTH / 2, DEFAULT_LENGTH, &length },
    { "seed", "Other generated proteins for each seed", 0, G_MAXINT, DEFAULT_SEED, &seed },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "global", 0, 0, G_OPTION_ARG_NONE, &self->costs.is_global,
      "Align proteins from end to end, not the best parts of each", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries, numbers };

  *self = (Settings){ 0 };
  return app_options_parse (&usage, argv, n_argv, &self->common, &path, error)
         && (self->common.is_help || read_proteins (self, path, n, length, seed, error));
}

void
settings_clear (Settings *self)
{
  g_free (self->name);
  fasta_clear (&self->fasta);
}
