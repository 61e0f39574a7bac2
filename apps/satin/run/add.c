/* add.c - adds nodes to a running program when another command asks for them
 *
 * The new nodes run the same program with the same options as the first ones. Their output goes to
 * the same place, and they end with this command. If the run gets machines (--provision), the new
 * nodes are machines too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "add.h"
#include "control.h"

#include <satin/base/run.h>

static gboolean
check (const RunControl *self, const RunAdd *add, GError **error)
{
  guint n_nodes = run_options_count_members (self->options);
  if (self->phase != RUN_ALL || self->n_joined < n_nodes)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "the run %s",
                 self->phase < RUN_STORING ? "has not all of its own nodes yet; ask again soon"
                                           : "ends and takes no more nodes");
  else if (add->n_nodes < 1 || add->n_nodes > RUN_MAX_NODES)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "satin run starts from 1 to %d nodes at once, not %d", RUN_MAX_NODES,
                 add->n_nodes);
  else
    return TRUE;
  return FALSE;
}

static gboolean
add_nodes (RunControl *self, const RunAdd *add, GError **error)
{
  if (!check (self, add, error))
    return FALSE;
  if (self->fleet != NULL)
    return run_fleet_add (self->fleet, (guint)add->n_nodes, add->cluster, error);
  run_hub_expect_more (self->hub, (guint)add->n_nodes);
  for (int i = 0; i < add->n_nodes; i++)
    if (!run_control_start_node (self, add->cluster, error))
      return FALSE;
  return TRUE;
}

gboolean
run_control_asked (const char *word, GBytes *payload, gpointer user_data, GError **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  RunAdd add;
  if (!g_str_equal (word, RUN_ADD_WORD))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "satin run does not know what \"%s\" is", word);
      return FALSE;
    }
  if (!satin_record_decode (&RunAdd_record, bytes, n_bytes, &add, error))
    return FALSE;
  gboolean is_done = add_nodes (user_data, &add, error);
  satin_record_clear (&RunAdd_record, &add);
  return is_done;
}

gboolean
run_add_say (Session *session, const char *hub, guint n_nodes, const char *cluster,
             SatinRunStatus *ret_status, GError **error)
{
  const RunAdd add = { .n_nodes = (gint32)n_nodes, .cluster = (char *)cluster };
  const SatinNodeId holder = SATIN_RUN_HOLDER;
  g_autoptr (GBytes) payload = satin_record_to_bytes (&RunAdd_record, &add);
  const SatinToolWord word = { &holder, 1, RUN_ADD_WORD, payload };
  return session_say (session, hub, &word, SESSION_ANSWER_US, ret_status, error);
}
