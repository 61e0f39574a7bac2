/* metrics.h - the figures of a run for Prometheus and other collectors, as OpenMetrics text
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

/* The last figures in a journal. The run may still write the journal. */
typedef struct _PageMetrics PageMetrics;

#define PAGE_METRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* Returns: (transfer full): free with page_metrics_free() */
PageMetrics *page_metrics_new (const char *path, GError **error);

/**
 * page_metrics_format:
 *
 * Reads what is new in the journal, and writes the last figures of all nodes. A figure
 * "steals.remote" becomes satin_steals_remote_total, and "busy-us" becomes
 * satin_busy_seconds_total, each with the labels node, cluster and host.
 *
 * Cost: O(new events + figures). Returns: (transfer full): OpenMetrics 1.0 text
 */
char *page_metrics_format (PageMetrics *self);

/* @self: (nullable) */
void page_metrics_free (PageMetrics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageMetrics, page_metrics_free)

G_END_DECLS
