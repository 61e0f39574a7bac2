/* figures.c - collects the figures of the nodes, and answers status requests with them
 *
 * Each query gets a serial number, and the hub asks all members that have a link, and later those
 * that get a link while the query waits. A report that comes after that counts for the query. The
 * hub answers when the last report has arrived or the time is up, with the figures that are there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/bytes.h>

static const char *
describe_state (const HubMember *member)
{
  if (member->state == HUB_MEMBER_HEARD && member->is_leaving)
    return "leaving";
  return hub_member_state_name (member->state);
}

static void
describe_member (const HubQuery *query, const HubMember *member, gint64 now_us,
                 SatinNodeStatus *ret_status)
{
  const SatinHub *hub = query->hub;
  gint64 heard_us = member->connection != NULL
                        ? satin_link_get_last_heard_us (member->connection->link)
                        : member->silence.heard_us;

  *ret_status = (SatinNodeStatus){
    .node = member->id,
    .cluster = member->cluster,
    .host = member->host,
    .pid = member->pid,
    .address = member->address,
    .is_master = member->id == hub->master,
    .state = describe_state (member),
    .heard_us_ago = MAX (now_us - heard_us, 0),
    .figures = member->report.figures,
    .n_figures = member->report.n_figures,
  };
  if (query->wants_dumps && member->dump_serial >= query->serial)
    {
      ret_status->dump = member->report.dump;
      ret_status->n_dump = member->report.n_dump;
    }
}

static gsize
measure (const SatinRecord *record, gconstpointer data)
{
  gsize n_bytes = 0;
  satin_record_measure (record, data, G_MAXINT64, &n_bytes, NULL);
  return n_bytes;
}

/* Makes a status small enough for a message: leaves out dumps, and if that is not enough, figures,
 * both from the last node on. This happens only if nodes send more than they should. */
static void
shrink (const SatinRunStatus *status, SatinNodeStatus *nodes)
{
  gsize n_bytes = measure (&SatinRunStatus_record, status);

  for (guint step = 0; step < 2; step++)
    for (gsize i = status->n_nodes; i-- > 0 && n_bytes > HUB_MAX_STATUS_BYTES;)
      {
        n_bytes -= measure (&SatinNodeStatus_record, &nodes[i]);
        if (step == 0)
          nodes[i].n_dump = 0;
        else
          nodes[i].n_figures = 0;
        n_bytes += measure (&SatinNodeStatus_record, &nodes[i]);
      }
}

static void
answer (HubQuery *query)
{
  SatinHub *hub = query->hub;
  gint64 now_us = satin_loop_now_us (hub->loop);
  g_autofree SatinNodeStatus *nodes =
      g_new0 (SatinNodeStatus, hub->members->len + hub->gone.length);
  g_autofree char *run = satin_hex (hub->run, hub->has_run ? HUB_RUN_BYTES : 0);
  SatinRunStatus status = {
    .program = hub->program != NULL ? hub->program : "",
    .run = run,
    .view_number = (gint64)hub->view_number,
    .term = (gint64)hub->term,
    .up_us = now_us - hub->started_us,
    .n_left = (gint32)hub->n_left,
    .n_died = (gint32)hub->n_died,
    .nodes = nodes,
  };

  g_autoptr (GBytes) holder =
      hub->events.describe != NULL ? hub->events.describe (hub, hub->user_data) : NULL;
  if (holder != NULL)
    status.holder = g_bytes_get_data (holder, &status.n_holder);
  for (const GList *gone = hub->gone.head; gone != NULL; gone = gone->next)
    describe_member (query, gone->data, now_us, &nodes[status.n_nodes++]);
  for (guint i = 0; i < hub->members->len; i++)
    describe_member (query, g_ptr_array_index (hub->members, i), now_us, &nodes[status.n_nodes++]);
  if (query->connection != NULL)
    {
      query->connection->is_asking = FALSE;
      shrink (&status, nodes);
      hub_connection_send (query->connection, HUB_MESSAGE_STATUS, &status);
    }
  if (query->func != NULL)
    query->func (&status, query->user_data);
}

/* Answers the query. The function that receives the answer may ask again or free the hub. So the
 * query leaves the list first. */
static void
on_query_timer (gpointer user_data)
{
  HubQuery *query = user_data;

  guint place = 0;

  query->timer = 0;
  if (g_ptr_array_find (query->hub->queries, query, &place))
    g_ptr_array_steal_index (query->hub->queries, place);
  answer (query);
  g_free (query);
}

static gboolean
is_awaited (const HubQuery *query, const HubMember *member)
{
  guint64 serial = query->wants_dumps ? member->dump_serial : member->report_serial;
  return member->connection != NULL && serial < query->serial;
}

static gboolean
is_answered (const HubQuery *query)
{
  const GPtrArray *members = query->hub->members;

  for (guint i = 0; i < members->len; i++)
    if (is_awaited (query, g_ptr_array_index (members, i)))
      return FALSE;
  return TRUE;
}

static void
schedule (HubQuery *query, gint64 delay_us)
{
  satin_loop_timer_cancel (query->hub->loop, &query->timer);
  query->timer = satin_loop_timer_add (query->hub->loop, delay_us, on_query_timer, query);
}

/* Returns: how large the dump of each member may be, so that a status has room for all */
static gint64
share_dumps (const SatinHub *self)
{
  return (gint64)MIN (HUB_MAX_DUMPS_BYTES / MAX (self->members->len, 1), SATIN_DUMP_MAX_BYTES);
}

void
hub_query_add (SatinHub *self, const HubQuestion *question)
{
  HubQuery *query = g_new0 (HubQuery, 1);
  HubAsk ask = { question->wants_dumps ? share_dumps (self) : 0 };

  query->hub = self;
  query->serial = ++self->ask_serial;
  query->wants_dumps = question->wants_dumps;
  query->func = question->func;
  query->user_data = question->user_data;
  query->connection = question->connection;
  if (query->connection != NULL)
    query->connection->is_asking = TRUE;
  g_ptr_array_add (self->queries, query);
  hub_broadcast (self, HUB_MESSAGE_ASK, &ask, NULL);
  schedule (query, is_answered (query) ? 0 : question->timeout_us);
}

void
hub_query_ask (SatinHub *self, const HubMember *member)
{
  gboolean is_asked = FALSE;
  HubAsk ask = { 0 };

  for (guint i = 0; i < self->queries->len; i++)
    {
      const HubQuery *query = g_ptr_array_index (self->queries, i);
      if (!is_awaited (query, member))
        continue;
      is_asked = TRUE;
      if (query->wants_dumps)
        ask.dump_bytes = share_dumps (self);
    }
  if (is_asked)
    hub_connection_send (member->connection, HUB_MESSAGE_ASK, &ask);
}

void
hub_query_free (HubQuery *query)
{
  satin_loop_timer_cancel (query->hub->loop, &query->timer);
  g_free (query);
}

void
hub_query_check (SatinHub *self)
{
  for (guint i = 0; i < self->queries->len; i++)
    {
      HubQuery *query = g_ptr_array_index (self->queries, i);
      if (!query->is_due && is_answered (query))
        {
          query->is_due = TRUE;
          schedule (query, 0);
        }
    }
}

void
hub_query_forget (SatinHub *self, HubConnection *connection)
{
  for (guint i = self->queries->len; i-- > 0;)
    {
      HubQuery *query = g_ptr_array_index (self->queries, i);
      if (query->connection == connection)
        g_ptr_array_remove_index (self->queries, i);
    }
}

void
hub_query_answer_all (SatinHub *self)
{
  while (self->queries->len > 0)
    {
      HubQuery *query = g_ptr_array_steal_index (self->queries, 0);
      satin_loop_timer_cancel (self->loop, &query->timer);
      answer (query);
      g_free (query);
    }
}

static gboolean
awaits_dumps (const SatinHub *self)
{
  for (guint i = 0; i < self->queries->len; i++)
    if (((const HubQuery *)g_ptr_array_index (self->queries, i))->wants_dumps)
      return TRUE;
  return FALSE;
}

/* Keeps the member's last dump when a report without a dump comes while a query waits for dumps:
 * the report answers another query. */
static void
keep_dump (SatinReport *older, SatinReport *newer)
{
  newer->dump = older->dump;
  newer->n_dump = older->n_dump;
  older->dump = NULL;
  older->n_dump = 0;
}

void
hub_report_take (SatinHub *self, HubMember *member, SatinReport *report)
{
  gboolean has_dump = report->n_dump > 0;
  if (!has_dump && awaits_dumps (self))
    keep_dump (&member->report, report);
  satin_record_clear (&SatinReport_record, &member->report);
  member->report = *report;
  *report = (SatinReport){ 0 };
  member->report_serial = self->ask_serial;
  if (has_dump)
    member->dump_serial = self->ask_serial;
  hub_query_check (self);
}
