/* bench.h - the measurements of `satin bench`
 *
 * The figures are times and ratios on this machine at this moment; they say nothing about another
 * machine. Each measurement adds rows, which are printed as text or JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"

G_BEGIN_DECLS

typedef struct _BenchReport BenchReport;

/* Adds the row "NAME.FIGURE" with its value and unit. @unit: (borrowed): static */
void bench_report_add (BenchReport *self, const char *name, const char *figure, double value,
                       const char *unit);

/* Adds a line that is printed below the rows, unless they are printed as JSON. */
void bench_report_note (BenchReport *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/**
 * bench_quantile:
 * @samples: (array length=n_samples) (inout): sorted on return
 * @n_samples: 1 or more
 * @share: 0.5 for the median, 0.9 for the value that nine of ten samples do not exceed
 *
 * Returns: one of the samples
 */
double bench_quantile (double *samples, guint n_samples, double share);

/* One measurement. Returns: %FALSE with @error set when it could not be made */
typedef gboolean (*BenchFunc) (BenchReport *report, GError **error);

gboolean bench_spawn (BenchReport *report, GError **error);
gboolean bench_steal (BenchReport *report, GError **error);
gboolean bench_links (BenchReport *report, GError **error);

/* Two hidden commands, which only the measurements start: the node of bench_steal() and the peer of
 * bench_links(). Each reads its own command line. */
gboolean bench_node_main (int argc, char **argv, int *ret_status, GError **error);
gboolean bench_peer_main (int argc, char **argv, int *ret_status, GError **error);

/* Returns: (transfer full): the path of the program that this process runs */
char *bench_own_path (GError **error);

G_END_DECLS
