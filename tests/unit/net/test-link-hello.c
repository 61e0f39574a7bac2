/* test-link-hello.c - tests which hellos are accepted, and the check by a link's owner
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/private.h"
#include "link-world.h"

#include <string.h>

#define SECOND G_USEC_PER_SEC

#define assert_says(error, part) g_assert_nonnull (strstr ((error)->message, part))

/* ---- refusals between two links ---- */

static void
check_refused (LinkWorld *world, int code)
{
  link_world_dial (world);
  link_world_run (world, 0);
  assert_link_down (&world->near, code);
  assert_link_down (&world->far, code);
  g_assert_cmpuint (world->near.n_open + world->far.n_open, ==, 0);
}

static void
test_other_program_is_refused_naming_both (LinkWorld *world, gconstpointer unused)
{
  world->far_program.name = "nqueens";
  check_refused (world, SATIN_ERROR_PROGRAM);
  assert_says (world->near.error, "fib");
  assert_says (world->near.error, "nqueens");
  assert_says (world->far.error, "fib");
  assert_says (world->far.error, "nqueens");
}

static void
test_other_build_is_refused (LinkWorld *world, gconstpointer unused)
{
  world->far_program.digest[15] = 1;
  check_refused (world, SATIN_ERROR_PROGRAM);
}

static void
test_other_build_of_the_same_tasks_is_refused_naming_both (LinkWorld *world, gconstpointer unused)
{
  world->near_program.build = "x86-64:0a";
  world->far_program.build = "x86-64:0b";
  check_refused (world, SATIN_ERROR_PROGRAM);
  assert_says (world->near.error, "x86-64:0a");
  assert_says (world->near.error, "x86-64:0b");
}

static void
test_build_for_another_machine_is_let_in (LinkWorld *world, gconstpointer unused)
{
  world->near_program.build = "x86-64:0a";
  world->far_program.build = "arm64:0b";
  link_world_connect (world);
}

static void
test_what_is_no_build_is_refused (LinkWorld *world, gconstpointer unused)
{
  world->near_program.build = "x86-64:0a arm64:0b";
  check_refused (world, SATIN_ERROR_FORMAT);
}

static void
test_other_run_is_refused_naming_both (LinkWorld *world, gconstpointer unused)
{
  memset (world->near_identity.run, 0xaa, 16);
  memset (world->far_identity.run, 0xbb, 16);
  check_refused (world, SATIN_ERROR_INVALID);
  assert_says (world->near.error, "aaaaaaaa");
  assert_says (world->near.error, "bbbbbbbb");
}

static void
test_same_run_is_let_in (LinkWorld *world, gconstpointer unused)
{
  memset (world->near_identity.run, 0xaa, 16);
  memset (world->far_identity.run, 0xaa, 16);
  link_world_connect (world);
}

static void
test_who_has_no_run_yet_is_let_in (LinkWorld *world, gconstpointer unused)
{
  memset (world->far_identity.run, 0xbb, 16);
  link_world_connect (world);
}

static void
test_hub_without_a_program_lets_any_in (LinkWorld *world, gconstpointer unused)
{
  world->far_identity = (SatinIdentity){ .role = SATIN_ROLE_HUB };
  link_world_connect (world);
}

static void
test_hub_with_a_program_refuses_another (LinkWorld *world, gconstpointer unused)
{
  world->far_program.name = "nqueens";
  world->far_identity.role = SATIN_ROLE_HUB;
  check_refused (world, SATIN_ERROR_PROGRAM);
}

static void
test_tool_is_asked_for_no_program (LinkWorld *world, gconstpointer unused)
{
  world->near_identity = (SatinIdentity){ .role = SATIN_ROLE_TOOL };
  link_world_connect (world);
}

/* ---- the owner's check ---- */

static void
test_error_of_the_check_reaches_the_other_side (LinkWorld *world, gconstpointer unused)
{
  world->far.answer = 1;
  check_refused (world, SATIN_ERROR_FENCED);
  assert_says (world->near.error, "you are dead");
}

static void
test_side_that_connects_checks_too (LinkWorld *world, gconstpointer unused)
{
  world->near.answer = 1;
  link_world_dial (world);
  link_world_run (world, 0);
  assert_link_down (&world->near, SATIN_ERROR_FENCED);
  assert_link_down (&world->far, SATIN_ERROR_FENCED);
  g_assert_cmpuint (world->near.n_open, ==, 0);
}

static void
test_undecided_check_is_asked_again (LinkWorld *world, gconstpointer unused)
{
  world->far.answer = 2;
  link_world_dial (world);
  link_world_run (world, SECOND);
  g_assert_cmpuint (world->far.n_checks, ==, 1);
  g_assert_cmpuint (world->near.n_open + world->far.n_open, ==, 0);
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, SECOND);
  g_assert_cmpuint (world->far.n_checks, ==, 2);
  g_assert_cmpuint (world->far.n_open, ==, 0);
  world->far.answer = 0;
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, 0);
  g_assert_cmpuint (world->near.n_open, ==, 1);
  g_assert_cmpuint (world->far.n_open, ==, 1);
}

static void
test_undecided_for_too_long_is_a_timeout (LinkWorld *world, gconstpointer unused)
{
  world->far.answer = 2;
  link_world_dial (world);
  link_world_run (world, SATIN_HANDSHAKE_TIMEOUT_US);
  assert_link_down (&world->near, SATIN_ERROR_TIMEOUT);
  assert_link_down (&world->far, SATIN_ERROR_TIMEOUT);
}

static void
test_undecided_link_goes_when_the_other_side_drops_it (LinkWorld *world, gconstpointer unused)
{
  world->far.answer = 2;
  link_world_dial (world);
  link_world_run (world, SECOND);
  satin_link_drop (world->near.link);
  link_world_run (world, 0);
  g_assert_cmpuint (world->far.n_down, ==, 1);
}

static void
test_pause_holds_the_hello_back (LinkWorld *world, gconstpointer unused)
{
  pipe_network_set_delay (world->network, 1000);
  link_world_dial (world);
  link_world_run (world, 1000);
  satin_link_pause (world->far.link, TRUE);
  link_world_run (world, SECOND);
  g_assert_cmpuint (world->far.n_checks, ==, 0);
  world->far_identity.node = 9;
  satin_link_pause (world->far.link, FALSE);
  link_world_run (world, SECOND);
  g_assert_cmpint (satin_link_get_hello (world->near.link)->node, ==, 9);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (LinkWorld *, gconstpointer);
  } cases[] = {
    { "other-program-is-refused-naming-both", test_other_program_is_refused_naming_both },
    { "other-build-is-refused", test_other_build_is_refused },
    { "other-build-of-the-same-tasks-is-refused-naming-both",
      test_other_build_of_the_same_tasks_is_refused_naming_both },
    { "build-for-another-machine-is-let-in", test_build_for_another_machine_is_let_in },
    { "what-is-no-build-is-refused", test_what_is_no_build_is_refused },
    { "other-run-is-refused-naming-both", test_other_run_is_refused_naming_both },
    { "same-run-is-let-in", test_same_run_is_let_in },
    { "who-has-no-run-yet-is-let-in", test_who_has_no_run_yet_is_let_in },
    { "hub-without-a-program-lets-any-in", test_hub_without_a_program_lets_any_in },
    { "hub-with-a-program-refuses-another", test_hub_with_a_program_refuses_another },
    { "tool-is-asked-for-no-program", test_tool_is_asked_for_no_program },
    { "error-of-the-check-reaches-the-other-side", test_error_of_the_check_reaches_the_other_side },
    { "side-that-connects-checks-too", test_side_that_connects_checks_too },
    { "undecided-check-is-asked-again", test_undecided_check_is_asked_again },
    { "undecided-for-too-long-is-a-timeout", test_undecided_for_too_long_is_a_timeout },
    { "undecided-link-goes-when-the-other-side-drops-it",
      test_undecided_link_goes_when_the_other_side_drops_it },
    { "pause-holds-the-hello-back", test_pause_holds_the_hello_back },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/link-hello/", cases[i].name, NULL);

      g_test_add (path, LinkWorld, NULL, link_world_open, cases[i].func, link_world_close);
    }
  return g_test_run ();
}
