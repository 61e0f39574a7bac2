/* settings.h - the command line of align
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "pairs.h"

G_BEGIN_DECLS

/**
 * Settings:
 * @name: (owned): file name, or what was generated
 * @fasta: (owned): the proteins
 * @grain: a job with more cells than this divides (pairs_n_cells())
 * @n_best: how many of the best pairs are printed
 */
typedef struct
{
  AppOptions common;
  char *name;
  Fasta fasta;
  Costs costs;
  int grain;
  int n_best;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for app_file_read() and fasta_read()
 *
 * Reads the options. Without --help, it then reads or generates the proteins.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
