/* filter.h - which events of nodes a journal takes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/run.h>

G_BEGIN_DECLS

/* What the journal has of the events of nodes. */
typedef struct _EventFilter EventFilter;

EventFilter *event_filter_new (void);

/* Whether the journal takes an event. Of long jobs it takes those that are among the longest of the
 * run so far. Of bounds it takes values that are better than all values of the object before, for a
 * limited number of objects. It takes all other events. From a node that has sent far too many
 * events it takes no more. */
gboolean event_filter_lets_pass (EventFilter *self, SatinNodeId node, const SatinEvent *event);
void event_filter_free (EventFilter *self);

G_END_DECLS
