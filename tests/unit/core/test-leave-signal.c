/* test-leave-signal.c - tests what SIGTERM does to a node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"
#include "member/leave.h"

#include <signal.h>

SATIN_TASK (root, (int), (array_string, argv)) { return (gint32)n_argv; }

static void
on_over (SatinMembership *member, int exit_status, gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
}

static void
turn_until (const gboolean *is_done)
{
  while (!*is_done)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
on_pause (gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Only a second SIGTERM ends the process, and this one is the first. The node may have been made to
 * leave already, for example by the fleet. */
static void
test_a_node_that_has_left_ends_in_good_order (void)
{
  static const SatinMembershipEvents events = { .struct_size = sizeof events, .over = on_over };
  char *argv[] = { "root", NULL };
  const SatinEntry entry = {
    .struct_size = sizeof entry, .name = "root", .root = &root_task, .argc = 1, .argv = argv
  };
  g_autoptr (GError) error = NULL;
  gboolean is_over = FALSE;
  gboolean is_late = FALSE;
  SatinLoop *loop = satin_loop_new (g_main_context_default (), 0, &error);
  g_assert_no_error (error);
  SatinWorkers *workers = make_workers (1, 0);
  /* No such part exists, so the membership ends at once. */
  SatinMembership *member =
      satin_membership_new (loop, &entry, workers, "nowhere", "", &events, &is_over);
  leave_on_signal (member);
  g_assert_true (satin_membership_is_over (member));
  raise (SIGTERM);
  turn_until (&is_over);
  g_timeout_add (20, on_pause, &is_late);
  turn_until (&is_late);
  satin_membership_free (member);
  satin_workers_free (workers);
  satin_loop_free (loop);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/leave-signal/a-node-that-has-left-ends-in-good-order",
                   test_a_node_that_has_left_ends_in_good_order);
  return g_test_run ();
}
