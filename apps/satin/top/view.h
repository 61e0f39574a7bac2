/* view.h - the text of `satin top`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

/* What the table is sorted by. */
typedef enum
{
  TOP_BY_NODE,
  TOP_BY_BUSY,
  TOP_BY_JOBS,
  TOP_BY_STEALS,
} TopOrder;

/**
 * TopView:
 * @now: the status to show
 * @before: (nullable): an earlier status; rates are those between the two. %NULL: since the nodes
 *   began
 * @period_us: the time between the two, above 0; the age of the run if @before is %NULL
 * @order: what the table is sorted by
 * @n_rows: lines of the screen; 0: no limit
 * @n_columns: columns of the screen; longer lines are cut
 * @first: how many nodes to skip
 * @left: (nullable): how long the run may still take
 * @notice: (nullable): a line above the table
 *
 * What the screen shows.
 */
typedef struct
{
  const SatinRunStatus *now;
  const SatinRunStatus *before;
  gint64 period_us;
  TopOrder order;
  guint n_rows;
  guint n_columns;
  guint first;
  const char *left;
  const char *notice;
} TopView;

/* Returns: (transfer full): lines, each with an end of line */
char *top_view_format (const TopView *self);

/* The word for an order: "node", "busy", ... */
const char *top_order_name (TopOrder order);

G_END_DECLS
