/* bench.h - the measurements of `satin bench`
 *
 * Figures are ratios and times on this machine now; they say nothing about
 * another one. Each measurement adds rows, which are printed as text or JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"

G_BEGIN_DECLS

typedef struct _BenchReport BenchReport;

/* Adds "NAME.FIGURE" with its unit. */
void bench_report_add (BenchReport *self, const char *name, const char *figure, double value,
                       const char *unit);

/**
 * bench_quantile:
 * @samples: (array length=n_samples) (inout): is sorted
 * @n_samples: 1 or more
 * @share: 0.5 for the median, 0.9 for the value that nine of ten do not exceed
 */
double bench_quantile (double *samples, guint n_samples, double share);

/* One measurement. Returns: %FALSE with @error set when it could not be made */
typedef gboolean (*BenchFunc) (BenchReport *report, GError **error);

gboolean bench_spawn (BenchReport *report, GError **error);
gboolean bench_steal (BenchReport *report, GError **error);
gboolean bench_links (BenchReport *report, GError **error);

/* What the command itself is when it measures: a node that is stolen from, a peer that echoes.
 * Their command lines are theirs alone. */
gboolean bench_node_main (int argc, char **argv, int *ret_status, GError **error);
gboolean bench_peer_main (int argc, char **argv, int *ret_status, GError **error);

/* Returns: (transfer full): the file this process runs */
char *bench_own_path (GError **error);

G_END_DECLS
