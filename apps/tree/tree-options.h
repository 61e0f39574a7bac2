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

/* The highest skew, in per cent. */
#define MAX_SKEW 99

/* How a leaf spends its time in a real run: not at all, computing, or sleeping. */
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
  Tree tree; /* tree.shape is %NULL for the shape "halves" */
  int skew;
  int seed;
  int n_iterations;
  gint64 limit; /* --best: the value that ends the search; 0: the program counts leaves */
  gboolean is_shared;
  gboolean is_guarded;
  int pace;
} TreeOptions;

/**
 * tree_options_read:
 * @argv: (array length=n_argv): the program's arguments
 * @n_argv: number of arguments
 * @options: (inout): all zero when the function is called
 * @error: %SATIN_ERROR_INVALID, with a message that says which values are allowed
 *
 * Returns: %TRUE on success
 */
gboolean tree_options_read (const SatinString *argv, gsize n_argv, TreeOptions *options,
                            GError **error);

G_END_DECLS
