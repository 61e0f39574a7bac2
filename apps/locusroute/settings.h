/* settings.h - the command line of locusroute
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "../common/output.h"
#include "circuit.h"

G_BEGIN_DECLS

/**
 * Settings:
 * @circuit: (owned): the circuit to route
 * @output: (owned) (nullable): the file for the ways
 * @n_iterations: how often to route each wire
 * @batch: number of wires that are routed with the same costs
 * @is_shared: the ways are a shared object, and all wires together are one batch; with --sequential
 *   each wire is a batch
 * @grain: the most wires that one job routes
 * @place_ns: how long looking at a place takes in a simulation, nanoseconds
 */
typedef struct
{
  AppOptions common;
  Circuit circuit;
  AppOutput *output;
  int n_iterations;
  int batch;
  gboolean is_shared;
  int grain;
  int place_ns;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for app_file_read(), circuit_read() and
 *   app_output_open()
 *
 * Reads the options and the circuit. With --help it reads no circuit.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
