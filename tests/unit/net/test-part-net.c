/* test-part-net.c - tests the part "net" in real nodes, with a hub on a unix socket
 *
 * The loop is the real one. No case waits for a fixed time: each runs the loop until its claim is
 * true.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net.h>

#include <glib/gstdio.h>
#include <string.h>

#define MAX_NODES 3

typedef struct
{
  SatinNode *node; /* (owned) */
  SatinPeers *peers;
  SatinRun *run;
  guint n_complete;
  guint n_over;
  int exit_status;
  char *message; /* (owned) */
  GError *error; /* (owned): why the node failed */
  GString *got;  /* (owned): messages, as "FROM:TEXT," */
  guint n_stopped;
} Member;

typedef struct
{
  SatinLoop *loop;
  char *folder;  /* (owned) */
  char *hub_uri; /* (owned) */
  SatinTransport *transport;
  SatinHub *hub;
  guint n_closed;
  char *report; /* (owned) (nullable): the figures of the last status */
  Member members[MAX_NODES];
} World;

/* ---- what a member hears ---- */

static void
on_complete (gpointer user_data)
{
  Member *self = user_data;

  self->n_complete++;
}

static void
on_over (int exit_status, const char *message, const GError *error, gpointer user_data)
{
  Member *self = user_data;

  self->n_over++;
  self->exit_status = exit_status;
  self->message = g_strdup (message);
}

static const SatinRunEvents run_events = { .struct_size = sizeof (SatinRunEvents),
                                           .complete = on_complete,
                                           .over = on_over };

static void
on_run (gpointer interface, gpointer user_data)
{
  Member *self = user_data;

  self->run = interface;
  satin_run_add_events (self->run, &run_events, self);
}

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  Member *self = user_data;

  g_string_append_printf (self->got, "%u:%.*s,", from, (int)g_bytes_get_size (payload),
                          (const char *)g_bytes_get_data (payload, NULL));
}

static void
on_peers (gpointer interface, gpointer user_data)
{
  Member *self = user_data;

  self->peers = interface;
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_RUN, on_message, self);
}

static void
on_fail (const GError *error, gpointer user_data)
{
  Member *self = user_data;

  self->error = g_error_copy (error);
}

static void
on_stopped (const GError *error, gpointer user_data)
{
  Member *self = user_data;

  g_assert_no_error (error);
  self->n_stopped++;
}

/* ---- the world ---- */

static void
step (World *self)
{
  g_main_context_iteration (satin_loop_get_context (self->loop), TRUE);
}

#define run_until(world, condition)                                                                \
  while (!(condition))                                                                             \
  step (world)

static void
world_open (World *self, gconstpointer unused)
{
  SatinTransportContext context = { .struct_size = sizeof context };
  SatinHubOptions options = { .n_nodes = 2 };
  const SatinHubEvents events = { 0 };
  g_autoptr (GError) error = NULL;

  self->loop = satin_loop_new (NULL, 0, NULL);
  self->folder = g_dir_make_tmp ("satin-XXXXXX", NULL);
  self->hub_uri = g_strdup_printf ("unix:%s/hub", self->folder);
  context.loop = self->loop;
  self->transport = satin_transport_new (self->hub_uri, &context, &error);
  g_assert_no_error (error);
  self->hub =
      satin_hub_new (self->loop, self->transport, self->hub_uri, &options, &events, NULL, &error);
  g_assert_no_error (error);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  World *self = user_data;

  self->n_closed++;
}

static void
member_close (World *self, Member *member)
{
  if (member->node == NULL)
    return;
  if (member->n_stopped == 0)
    {
      satin_node_stop (member->node, on_stopped, member);
      run_until (self, member->n_stopped > 0);
    }
  satin_node_free (member->node);
  g_clear_error (&member->error);
  g_free (member->message);
  g_string_free (member->got, TRUE);
}

static void
world_close (World *self, gconstpointer unused)
{
  for (guint i = 0; i < MAX_NODES; i++)
    member_close (self, &self->members[i]);
  g_clear_pointer (&self->hub, satin_hub_free);
  satin_transport_close (self->transport, on_closed, self);
  run_until (self, self->n_closed > 0);
  satin_loop_free (self->loop);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->hub_uri);
  g_free (self->report);
}

static void
add_figure (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
  add ("test.figure", 42, add_data);
}

static gboolean
member_start (World *self, guint i, const char *program_name, const char *more, GError **error)
{
  Member *member = &self->members[i];
  SatinProgram program = { .name = program_name };
  g_autofree char *text = g_strdup_printf ("net:hub=%s%s", self->hub_uri, more);

  member->node = satin_node_new (self->loop, &program);
  member->got = g_string_new (NULL);
  satin_node_set_fail_func (member->node, on_fail, member);
  satin_node_add_figures (member->node, add_figure, NULL);
  satin_node_await (member->node, SATIN_INTERFACE_PEERS, on_peers, member);
  satin_node_await (member->node, SATIN_INTERFACE_RUN, on_run, member);
  return satin_node_add_part (member->node, text, error);
}

static void
start_two (World *self)
{
  g_autoptr (GError) error = NULL;

  member_start (self, 0, "fib", "", &error);
  member_start (self, 1, "fib", ",cluster=west", &error);
  g_assert_no_error (error);
  run_until (self, self->members[0].n_complete > 0 && self->members[1].n_complete > 0);
}

/* ---- claims ---- */

static void
test_members_find_peers_and_run (World *self, gconstpointer unused)
{
  start_two (self);
  g_assert_cmpuint (satin_peers_get_view (self->members[0].peers)->n_peers, ==, 1);
  g_assert_true (satin_node_find (self->members[0].node, SATIN_INTERFACE_PEERS)
                 == self->members[0].peers);
  g_assert_cmpstr (satin_peers_get_view (self->members[1].peers)->cluster, ==, "west");
}

static void
test_members_send_to_each_other (World *self, gconstpointer unused)
{
  g_autoptr (GBytes) payload = g_bytes_new_static ("hello", 5);
  SatinNodeId first;
  SatinNodeId second;
  g_autofree char *expected = NULL;

  start_two (self);
  first = satin_peers_get_view (self->members[0].peers)->self;
  second = satin_peers_get_view (self->members[1].peers)->self;
  expected = g_strdup_printf ("%u:hello,", first);
  g_assert_true (satin_peers_send (self->members[0].peers, second, SATIN_CHANNEL_RUN, payload));
  run_until (self, self->members[1].got->len > 0);
  g_assert_cmpstr (self->members[1].got->str, ==, expected);
}

static void
test_master_ends_the_run_for_all (World *self, gconstpointer unused)
{
  start_two (self);
  satin_run_elect (self->members[1].run);
  run_until (self, satin_peers_get_view (self->members[0].peers)->master
                       == satin_peers_get_view (self->members[1].peers)->self);
  satin_run_end (self->members[1].run, 3, "enough");
  run_until (self, self->members[0].n_over > 0 && self->members[1].n_over > 0);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (self->members[i].exit_status, ==, 3);
      g_assert_cmpstr (self->members[i].message, ==, "enough");
      g_assert_no_error (self->members[i].error);
    }
}

static void
on_status (const SatinRunStatus *status, gpointer user_data)
{
  World *self = user_data;
  GString *text = g_string_new (NULL);

  for (gsize n = 0; n < status->n_nodes; n++)
    for (gsize f = 0; f < status->nodes[n].n_figures; f++)
      g_string_append_printf (text, "%s=%" G_GINT64_FORMAT ",", status->nodes[n].figures[f].name,
                              status->nodes[n].figures[f].value);
  self->report = g_string_free (text, FALSE);
}

static void
test_whoever_asks_gets_all_figures (World *self, gconstpointer unused)
{
  start_two (self);
  satin_hub_ask_status (self->hub, 10 * G_USEC_PER_SEC, on_status, self);
  run_until (self, self->report != NULL);
  g_assert_nonnull (strstr (self->report, "test.figure=42,"));
  g_assert_nonnull (strstr (self->report, "net.links=0,"));
}

static void
test_stopping_withdraws_what_was_provided (World *self, gconstpointer unused)
{
  Member *member = &self->members[0];

  start_two (self);
  satin_node_stop (member->node, on_stopped, member);
  run_until (self, member->n_stopped > 0);
  g_assert_null (satin_node_find (member->node, SATIN_INTERFACE_PEERS));
  g_assert_null (satin_node_find (member->node, SATIN_INTERFACE_RUN));
  run_until (self, satin_peers_get_view (self->members[1].peers)->n_peers == 0);
  g_assert_no_error (self->members[1].error);
}

static void
test_other_program_fails_the_node (World *self, gconstpointer unused)
{
  g_autoptr (GError) error = NULL;

  start_two (self);
  member_start (self, 2, "nqueens", "", &error);
  g_assert_no_error (error);
  run_until (self, self->members[2].error != NULL);
  g_assert_error (self->members[2].error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
  g_assert_null (self->members[2].run);
}

static void
test_missing_hub_fails_the_node (World *self, gconstpointer unused)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->hub, satin_hub_free);
  member_start (self, 0, "fib", ",registry=hub:join-timeout=50ms", &error);
  g_assert_no_error (error);
  run_until (self, self->members[0].error != NULL);
  g_assert_error (self->members[0].error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
}

static void
check_refused (World *self, const char *more, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (member_start (self, 0, "fib", more, &error));
  g_assert_error (error, SATIN_ERROR, code);
  member_close (self, &self->members[0]);
  self->members[0] = (Member){ 0 };
}

static void
test_wrong_parameters_are_refused (World *self, gconstpointer unused)
{
  check_refused (self, ",max-links=0", SATIN_ERROR_INVALID);
  check_refused (self, ",secret-fd=-2", SATIN_ERROR_INVALID);
  check_refused (self, ",secret-file=/nowhere,secret-fd=3", SATIN_ERROR_INVALID);
  check_refused (self, ",secret-file=/nowhere/at/all", SATIN_ERROR_NOT_FOUND);
  check_refused (self, ",listen=nonsense", SATIN_ERROR_INVALID);
  check_refused (self, ",registry=unheard-of", SATIN_ERROR_NOT_FOUND);
  check_refused (self, ",registry=hub:colour=red", SATIN_ERROR_INVALID);
  check_refused (self, ",no-such-key=1", SATIN_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (World *, gconstpointer);
  } cases[] = {
    { "members-find-peers-and-run", test_members_find_peers_and_run },
    { "members-send-to-each-other", test_members_send_to_each_other },
    { "master-ends-the-run-for-all", test_master_ends_the_run_for_all },
    { "whoever-asks-gets-all-figures", test_whoever_asks_gets_all_figures },
    { "stopping-withdraws-what-was-provided", test_stopping_withdraws_what_was_provided },
    { "other-program-fails-the-node", test_other_program_fails_the_node },
    { "missing-hub-fails-the-node", test_missing_hub_fails_the_node },
    { "wrong-parameters-are-refused", test_wrong_parameters_are_refused },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/part-net/", cases[i].name, NULL);

      g_test_add (path, World, NULL, world_open, cases[i].func, world_close);
    }
  return g_test_run ();
}
