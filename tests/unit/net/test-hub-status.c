/* test-hub-status.c - tests figures that the hub's holder and tools ask for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

#define SECOND WORLD_SECOND_US

static void
note_status (GString *log, const SatinRunStatus *status)
{
  g_string_append_printf (log, "%s view %" G_GINT64_FORMAT ":", status->program,
                          status->view_number);
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];

      g_string_append_printf (log, " %" G_GINT64_FORMAT " %s%s", node->node, node->state,
                              node->is_master ? " master" : "");
      for (gsize f = 0; f < node->n_figures; f++)
        g_string_append_printf (log, " %s=%" G_GINT64_FORMAT, node->figures[f].name,
                                node->figures[f].value);
      g_string_append_c (log, ';');
    }
}

static void
on_status (const SatinRunStatus *status, gpointer user_data)
{
  note_status (user_data, status);
}

static void
report (End *node, gint64 value)
{
  SatinFigure figure = { "jobs", value };
  SatinReport body = { .figures = &figure, .n_figures = 1 };
  end_send (node, HUB_MESSAGE_REPORT, &body);
}

/* Sends a report with @dump, as a node does after an ASK that wants a dump. */
static void
report_dump (End *node, const char *dump)
{
  SatinReport body = { .dump = (const guint8 *)dump, .n_dump = strlen (dump) };
  end_send (node, HUB_MESSAGE_REPORT, &body);
}

static void
on_dumps (const SatinRunStatus *status, gpointer user_data)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    g_string_append_printf (user_data, "%.*s;", (int)status->nodes[i].n_dump,
                            (const char *)status->nodes[i].dump);
}

static void
test_dumps_are_asked_and_awaited (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  satin_hub_ask_dumps (world->hub, SECOND, on_dumps, log);
  world_settle (world);
  report_dump (first, "one");
  report (second, 20); /* answers an earlier ASK, which wanted no dump */
  g_assert_cmpstr (log->str, ==, "");
  report_dump (second, "two");
  g_assert_cmpstr (log->str, ==, "one;two;");
  world_free (world);
}

/* A dump is of one moment: an old one is no answer. */
static void
test_old_dumps_are_not_shown (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  satin_hub_ask_dumps (world->hub, SECOND, on_dumps, log);
  report_dump (first, "one");
  report_dump (second, "two");
  g_string_truncate (log, 0);
  satin_hub_ask_dumps (world->hub, SECOND, on_dumps, log);
  world_settle (world);
  report_dump (second, "new");
  world_advance (world, SECOND);
  g_assert_cmpstr (log->str, ==, ";new;");
  g_string_truncate (log, 0);
  satin_hub_ask_status (world->hub, 0, on_dumps, log);
  world_settle (world);
  g_assert_cmpstr (log->str, ==, ";;");
  world_free (world);
}

/* While a question for dumps waits for a silent node, another question asks for figures only. */
static void
test_figures_leave_the_dump (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  world_add_node (world);

  satin_hub_ask_dumps (world->hub, SECOND, on_dumps, log);
  world_settle (world);
  report_dump (first, "one");
  report (first, 10);
  world_advance (world, SECOND);
  g_assert_cmpstr (log->str, ==, "one;;");
  world_free (world);
}

static void
test_who_joins_meanwhile_is_asked_for_a_dump (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  End *second = end_new (world, SATIN_ROLE_NODE);

  satin_hub_ask_dumps (world->hub, SECOND, on_dumps, log);
  world_settle (world);
  end_connect (second);
  end_join (second);
  assert_heard (second, "welcome 2 self 2 members 1 complete; ask");
  report_dump (second, "two");
  report_dump (first, "one");
  g_assert_cmpstr (log->str, ==, "one;two;");
  world_free (world);
}

static void
test_who_joins_meanwhile_is_not_asked_for_figures (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  End *second = end_new (world, SATIN_ROLE_NODE);

  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  world_settle (world);
  end_connect (second);
  end_join (second);
  assert_heard (second, "welcome 2 self 2 members 1 complete");
  report (first, 10);
  g_assert_cmpstr (log->str, ==, "fib view 2: 1 member jobs=10; 2 member;");
  world_free (world);
}

/* The question was lost with the link. */
static void
test_who_comes_back_is_asked_again (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);
  const gint64 others[] = { 1 };

  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  world_settle (world);
  end_break (second);
  end_connect (second);
  end_return (second, 2, 2, 0, 0, others, 1);
  assert_heard (second, "welcome 2 self 2 members 1 complete; ask");
  report (first, 10);
  report (second, 20);
  g_assert_cmpstr (log->str, ==, "fib view 2: 1 member jobs=10; 2 member jobs=20;");
  world_free (world);
}

static void
test_all_are_asked_and_awaited (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *first = world_add_node (world);
  End *second = world_add_node (world);

  end_heard (first);
  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  world_settle (world);
  assert_heard (first, "ask");
  assert_heard (second, "ask");
  report (second, 20);
  g_assert_cmpstr (log->str, ==, "");
  report (first, 10);
  g_assert_cmpstr (log->str, ==, "fib view 2: 1 member jobs=10; 2 member jobs=20;");
  world_free (world);
}

static void
note_holder (const SatinRunStatus *status, gpointer user_data)
{
  g_string_append_len (user_data, (const char *)status->holder, (gssize)status->n_holder);
}

static void
test_holder_adds_to_it (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  satin_hub_ask_status (world->hub, 0, note_holder, log);
  world_settle (world);
  g_assert_cmpstr (log->str, ==, "held");
  world_free (world);
}

static void
test_time_is_up_without_all_reports (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  world_add_node (world);
  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  world_advance (world, SECOND - 1);
  g_assert_cmpstr (log->str, ==, "");
  world_advance (world, 1);
  g_assert_cmpstr (log->str, ==, "fib view 1: 1 member;");
  world_free (world);
}

static void
test_answer_never_comes_inside_the_call (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  g_assert_cmpstr (log->str, ==, "");
  world_settle (world);
  g_assert_cmpstr (log->str, ==, " view 0:");
  world_free (world);
}

static void
test_death_of_one_who_is_awaited_answers (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *node = world_add_node (world);

  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  satin_hub_process_ended (world->hub, node->host, node->pid, "killed");
  world_settle (world);
  g_assert_cmpstr (log->str, ==, "fib view 2: 1 died;");
  world_free (world);
}

static void
test_who_is_gone_stays_with_the_last_report (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *leaver = world_add_node (world);
  End *master = world_add_node (world);

  end_send (master, HUB_MESSAGE_ELECT, NULL);
  report (leaver, 5);
  report (leaver, 6);
  end_send (leaver, HUB_MESSAGE_LEAVE, NULL);
  satin_hub_ask_status (world->hub, 0, on_status, log);
  world_settle (world);
  g_assert_cmpstr (log->str, ==, "fib view 4: 1 left jobs=6; 2 member master;");
  world_free (world);
}

/* `satin run --stats` prints these reports after the run is over. */
static void
test_last_reports_are_there_when_it_is_over (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *node = world_add_node (world);

  satin_hub_end (world->hub, 0, NULL);
  world_settle (world);
  report (node, 9);
  end_send (node, HUB_MESSAGE_LEAVE, NULL);
  assert_holder (world, "1 joined; 1 left; over 0");
  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  world_settle (world);
  g_assert_cmpstr (log->str, ==, "fib view 2: 1 left jobs=9;");
  world_free (world);
}

static void
test_freed_hub_answers (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  world_add_node (world);
  satin_hub_ask_status (world->hub, SECOND, on_status, log);
  world_lose_hub (world);
  g_assert_cmpstr (log->str, ==, "fib view 1: 1 member;");
  world_free (world);
}

/* ---- tools ---- */

static void
test_tool_is_answered (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *node = world_add_node (world);
  End *tool = end_new (world, SATIN_ROLE_TOOL);
  HubAskStatus ask = { SECOND };

  end_connect (tool);
  end_send (tool, HUB_MESSAGE_ASK_STATUS, &ask);
  assert_heard (tool, "");
  report (node, 1);
  assert_heard (tool, "status");
  note_status (log, tool->status);
  g_assert_cmpstr (log->str, ==, "fib view 1: 1 member jobs=1;");
  world_free (world);
}

static void
test_tool_asks_once_at_a_time (void)
{
  World *world = world_new (NULL);
  End *tool = end_new (world, SATIN_ROLE_TOOL);
  HubAskStatus ask = { SECOND };

  world_add_node (world);
  end_connect (tool);
  end_send (tool, HUB_MESSAGE_ASK_STATUS, &ask);
  end_send (tool, HUB_MESSAGE_ASK_STATUS, &ask);
  assert_heard (tool, "down LIMIT");
  world_advance (world, 2 * SECOND);
  world_free (world);
}

static void
test_tool_that_went_away_is_forgotten (void)
{
  World *world = world_new (NULL);
  End *node = world_add_node (world);
  End *tool = end_new (world, SATIN_ROLE_TOOL);
  HubAskStatus ask = { SECOND };

  end_connect (tool);
  end_send (tool, HUB_MESSAGE_ASK_STATUS, &ask);
  end_break (tool);
  report (node, 1);
  world_advance (world, 2 * SECOND);
  assert_heard (node, "ask");
  world_free (world);
}

static void
test_tools_are_bounded (void)
{
  World *world = world_new (NULL);
  End *last = NULL;

  for (guint i = 0; i <= HUB_MAX_TOOLS; i++)
    {
      last = end_new (world, SATIN_ROLE_TOOL);
      end_connect (last);
      if (i < HUB_MAX_TOOLS)
        assert_heard (last, "");
    }
  assert_heard (last, "down LIMIT");
  world_free (world);
}

/* ---- satin_status_ask () ---- */

static void
on_asked (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  if (status != NULL)
    note_status (user_data, status);
  else
    g_string_append_printf (user_data, "error %d %s", error->code, error->message);
}

static void
test_asking_brings_the_status (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  End *node = world_add_node (world);
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  satin_status_ask (world->loop, tool->transport, "pipe:hub", SECOND, on_asked, log);
  world_settle (world);
  g_assert_cmpstr (log->str, ==, "");
  report (node, 3);
  g_assert_cmpstr (log->str, ==, "fib view 1: 1 member jobs=3;");
  world_free (world);
}

static void
assert_fails (World *world, const char *uri, int code)
{
  g_autoptr (GString) log = g_string_new (NULL);
  g_autofree char *expected = g_strdup_printf ("error %d ", code);
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  satin_status_ask (world->loop, tool->transport, uri, SECOND, on_asked, log);
  g_assert_cmpstr (log->str, ==, "");
  world_advance (world, 3 * SECOND);
  g_assert_true (g_str_has_prefix (log->str, expected));
}

/* The hub gets the tool's word first, and then its question for the status. */
static void
test_tool_says_a_word_to_those_that_it_names (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (GBytes) payload = g_bytes_new ("now", 3);
  const SatinNodeId to[] = { 1, 3 };
  const SatinToolWord word = { to, 2, "leave", payload };
  End *nodes[3];
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  for (guint i = 0; i < 3; i++)
    nodes[i] = world_add_node (world);
  for (guint i = 0; i < 3; i++)
    end_heard (nodes[i]);
  satin_tool_say (world->loop, tool->transport, "pipe:hub", &word, SECOND, on_asked, log);
  world_settle (world);
  assert_heard (nodes[0], "signal leave now; ask");
  assert_heard (nodes[1], "ask");
  assert_heard (nodes[2], "signal leave now; ask");
  world_advance (world, 2 * SECOND);
  g_assert_cmpstr (log->str, !=, "");
  world_free (world);
}

static void
say_to_holder (World *world, const char *what, GString *log)
{
  g_autoptr (GBytes) payload = g_bytes_new ("now", 3);
  const SatinNodeId to = SATIN_RUN_HOLDER;
  const SatinToolWord word = { &to, 1, what, payload };
  End *tool = end_new (world, SATIN_ROLE_TOOL);

  satin_tool_say (world->loop, tool->transport, "pipe:hub", &word, SECOND, on_asked, log);
  world_settle (world);
}

static void
test_tool_says_a_word_to_the_holder (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  say_to_holder (world, "dance", log);
  assert_holder (world, "asked to dance now");
  g_assert_cmpstr (log->str, ==, " view 0:");
  world_free (world);
}

static void
test_tool_hears_why_the_holder_refuses (void)
{
  World *world = world_new (NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  say_to_holder (world, "refuse", log);
  g_assert_nonnull (strstr (log->str, "as the holder was asked to"));
  world_free (world);
}

static void
test_asking_nobody_is_an_error (void)
{
  World *world = world_new (NULL);

  assert_fails (world, "pipe:nobody", SATIN_ERROR_UNREACHABLE);
  world_free (world);
}

static void
test_asking_at_a_wrong_address_is_an_error (void)
{
  World *world = world_new (NULL);

  assert_fails (world, "nonsense", SATIN_ERROR_INVALID);
  world_free (world);
}

static void
test_asking_a_mute_hub_times_out (void)
{
  World *world = world_new (NULL);

  pipe_network_lose (world->network, "hub", NULL, TRUE);
  assert_fails (world, "pipe:hub", SATIN_ERROR_TIMEOUT);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-status/all-are-asked-and-awaited", test_all_are_asked_and_awaited);
  g_test_add_func ("/net/hub-status/dumps-are-asked-and-awaited", test_dumps_are_asked_and_awaited);
  g_test_add_func ("/net/hub-status/who-joins-meanwhile-is-asked-for-a-dump",
                   test_who_joins_meanwhile_is_asked_for_a_dump);
  g_test_add_func ("/net/hub-status/who-joins-meanwhile-is-not-asked-for-figures",
                   test_who_joins_meanwhile_is_not_asked_for_figures);
  g_test_add_func ("/net/hub-status/who-comes-back-is-asked-again",
                   test_who_comes_back_is_asked_again);
  g_test_add_func ("/net/hub-status/old-dumps-are-not-shown", test_old_dumps_are_not_shown);
  g_test_add_func ("/net/hub-status/figures-leave-the-dump", test_figures_leave_the_dump);
  g_test_add_func ("/net/hub-status/holder-adds-to-it", test_holder_adds_to_it);
  g_test_add_func ("/net/hub-status/time-is-up-without-all-reports",
                   test_time_is_up_without_all_reports);
  g_test_add_func ("/net/hub-status/answer-never-comes-inside-the-call",
                   test_answer_never_comes_inside_the_call);
  g_test_add_func ("/net/hub-status/death-of-one-who-is-awaited-answers",
                   test_death_of_one_who_is_awaited_answers);
  g_test_add_func ("/net/hub-status/who-is-gone-stays-with-the-last-report",
                   test_who_is_gone_stays_with_the_last_report);
  g_test_add_func ("/net/hub-status/last-reports-are-there-when-it-is-over",
                   test_last_reports_are_there_when_it_is_over);
  g_test_add_func ("/net/hub-status/freed-hub-answers", test_freed_hub_answers);
  g_test_add_func ("/net/hub-status/tool/is-answered", test_tool_is_answered);
  g_test_add_func ("/net/hub-status/tool/asks-once-at-a-time", test_tool_asks_once_at_a_time);
  g_test_add_func ("/net/hub-status/tool/that-went-away-is-forgotten",
                   test_tool_that_went_away_is_forgotten);
  g_test_add_func ("/net/hub-status/tool/are-bounded", test_tools_are_bounded);
  g_test_add_func ("/net/hub-status/asking/brings-the-status", test_asking_brings_the_status);
  g_test_add_func ("/net/hub-status/tool/says-a-word-to-those-that-it-names",
                   test_tool_says_a_word_to_those_that_it_names);
  g_test_add_func ("/net/hub-status/tool/says-a-word-to-the-holder",
                   test_tool_says_a_word_to_the_holder);
  g_test_add_func ("/net/hub-status/tool/hears-why-the-holder-refuses",
                   test_tool_hears_why_the_holder_refuses);
  g_test_add_func ("/net/hub-status/asking/nobody-is-an-error", test_asking_nobody_is_an_error);
  g_test_add_func ("/net/hub-status/asking/at-a-wrong-address-is-an-error",
                   test_asking_at_a_wrong_address_is_an_error);
  g_test_add_func ("/net/hub-status/asking/a-mute-hub-times-out", test_asking_a_mute_hub_times_out);
  return g_test_run ();
}
