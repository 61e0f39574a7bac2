/* tree-options.h - the command line of tree
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

#include "../common/options.h"
#include "shape.h"

G_BEGIN_DECLS

/* The highest value of a leaf. */
#define VALUE_MAX 1000000

/* How a leaf takes its time outside a simulation. */
enum
{
  PACE_NONE,
  PACE_SPIN,
  PACE_SLEEP,
};

typedef struct
{
  AppOptions common;
  gint64 work_ns;
  gint64 grain_ns;
  Tree tree; /* its shape is NULL for halves */
  int skew;
  int seed;
  int n_iterations;
  gint64 limit; /* given with --best; 0: leaves are counted */
  gboolean is_shared;
  gboolean is_guarded;
  int pace;
} TreeOptions;

/**
 * tree_options_read:
 * @argv: (array length=n_argv): the program's arguments
 * @n_argv: number of arguments
 * @options: (inout): zeros at first
 * @error: %SATIN_ERROR_INVALID, which says what can be given
 *
 * Returns: %TRUE on success
 */
gboolean tree_options_read (const SatinString *argv, gsize n_argv, TreeOptions *options,
                            GError **error);

G_END_DECLS
