/* test-node.c - tests how parts start, meet and stop
 *
 * The parts are plugins of these tests. They write what they do into a diary.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <satin/base/node.h>

typedef struct
{
  SatinLoop *loop; /* (owned) */
  SatinNode *node; /* (owned) */
  GString *diary;  /* (owned) */
  guint n_done;    /* calls of satin_node_stop()'s done */
  GError *error;   /* (owned): the last error given to done or to the fail function */
  guint n_failed;  /* calls of the fail function */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  SatinProgram program = { .name = "test", .digest = { 1, 2, 3 } };

  fixture->loop = satin_loop_new_manual (1);
  fixture->node = satin_node_new (fixture->loop, &program);
  fixture->diary = g_string_new (NULL);
  satin_node_provide (fixture->node, "diary", fixture->diary);
}

static void
on_done (const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_string_append (fixture->diary, "done. ");
  fixture->n_done++;
  g_clear_error (&fixture->error);
  fixture->error = error == NULL ? NULL : g_error_copy (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->n_done == 0)
    {
      satin_node_stop (fixture->node, on_done, fixture);
      satin_loop_advance (fixture->loop, 0);
    }
  g_assert_cmpuint (fixture->n_done, ==, 1);
  satin_node_free (fixture->node);
  satin_loop_free (fixture->loop);
  g_string_free (fixture->diary, TRUE);
  g_clear_error (&fixture->error);
}

static void
add (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (satin_node_add_part (fixture->node, text, &error));
  g_assert_no_error (error);
}

static void
stop (Fixture *fixture, gint64 duration_us)
{
  satin_node_stop (fixture->node, on_done, fixture);
  satin_loop_advance (fixture->loop, duration_us);
}

static void
test_node_knows_loop_and_program (Fixture *fixture, gconstpointer data)
{
  const SatinProgram *program = satin_node_get_program (fixture->node);

  g_assert_true (satin_node_get_loop (fixture->node) == fixture->loop);
  g_assert_cmpstr (program->name, ==, "test");
  g_assert_cmpuint (program->digest[2], ==, 3);
}

static void
test_program_is_copied (Fixture *fixture, gconstpointer data)
{
  char name[] = "mine";
  SatinProgram program = { .name = name };
  g_autoptr (SatinNode) node = satin_node_new (fixture->loop, &program);

  name[0] = 'f';
  g_assert_cmpstr (satin_node_get_program (node)->name, ==, "mine");
}

static void
test_parts_start_in_order (Fixture *fixture, gconstpointer data)
{
  add (fixture, "second");
  add (fixture, "first");
  g_assert_cmpstr (fixture->diary->str, ==, "second starts. first starts. ");
}

static void
test_parts_stop_in_reverse_one_after_the_other (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first:stop-time=5ms");
  add (fixture, "second:stop-time=10ms");
  g_string_truncate (fixture->diary, 0);
  stop (fixture, 9999);
  g_assert_cmpstr (fixture->diary->str, ==, "second stops. ");
  satin_loop_advance (fixture->loop, 1);
  g_assert_cmpstr (fixture->diary->str, ==, "second stops. second stopped. first stops. ");
  satin_loop_advance (fixture->loop, 5000);
  g_assert_cmpstr (fixture->diary->str, ==,
                   "second stops. second stopped. first stops. first stopped. done. ");
  g_assert_no_error (fixture->error);
}

static void
test_nothing_happens_inside_stop (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  g_string_truncate (fixture->diary, 0);
  satin_node_stop (fixture->node, on_done, fixture);
  g_assert_cmpstr (fixture->diary->str, ==, "");
  satin_loop_advance (fixture->loop, 0);
}

static void
test_node_without_parts_stops_too (Fixture *fixture, gconstpointer data)
{
  stop (fixture, 0);
  g_assert_cmpuint (fixture->n_done, ==, 1);
}

static void
test_first_error_of_stopping_is_told_and_all_are_stopped (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  add (fixture, "second:stop-fail=yes");
  add (fixture, "third:stop-fail=yes");
  stop (fixture, 0);
  g_assert_error (fixture->error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_cmpstr (fixture->error->message, ==, "part third: third is stuck");
  g_assert_nonnull (strstr (fixture->diary->str, "first stopped. done. "));
}

static void
free_node (const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  satin_node_free (fixture->node);
  fixture->node = NULL;
  fixture->n_done++;
}

static void
test_node_may_be_freed_in_done (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  satin_node_stop (fixture->node, free_node, fixture);
  satin_loop_advance (fixture->loop, 0);
  g_assert_null (fixture->node);
}

/* Checks that @text is refused with @code and a message that contains @needle. */
static void
assert_refused (Fixture *fixture, const char *text, SatinErrorCode code, const char *needle)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (satin_node_add_part (fixture->node, text, &error));
  g_assert_error (error, SATIN_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, needle));
}

static void
test_unknown_part_is_named (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "nobody:x=1", SATIN_ERROR_NOT_FOUND, "no plugin part-nobody.so");
  assert_refused (fixture, "", SATIN_ERROR_INVALID, "''");
}

static void
test_wrong_parameter_names_the_part (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "first:colour=red", SATIN_ERROR_INVALID, "part first: ");
  assert_refused (fixture, "first:colour=red", SATIN_ERROR_INVALID, "colour");
  g_assert_cmpstr (fixture->diary->str, ==, "");
}

static void
test_part_that_fails_to_start_is_not_stopped (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "first:fail=aloud", SATIN_ERROR_UNREACHABLE, "part first: no luck");
  stop (fixture, 0);
  g_assert_cmpstr (fixture->diary->str, ==, "done. ");
}

static void
test_part_that_fails_without_reason_is_an_error (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "first:fail=silently", SATIN_ERROR_INVALID, "part first: ");
}

static void
test_part_that_failed_may_be_tried_again (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "first:fail=aloud", SATIN_ERROR_UNREACHABLE, "");
  add (fixture, "first");
}

static void
test_part_without_stop_is_refused (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "endless", SATIN_ERROR_INVALID, "no operation stop");
}

static void
test_same_part_twice_is_refused (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  assert_refused (fixture, "first", SATIN_ERROR_INVALID, "already");
}

static void
test_await_before_provide (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first:await=light");
  add (fixture, "second:provide=light");
  g_assert_cmpstr (fixture->diary->str, ==, "first starts. second starts. first got second. ");
}

static void
test_await_after_provide (Fixture *fixture, gconstpointer data)
{
  add (fixture, "second:provide=light");
  add (fixture, "first:await=light");
  g_assert_cmpstr (fixture->diary->str, ==, "second starts. first got second. first starts. ");
}

static void
append (gpointer interface, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", (const char *)interface);
}

static void
test_await_is_called_once (Fixture *fixture, gconstpointer data)
{
  satin_node_await (fixture->node, "light", append, fixture->diary);
  satin_node_provide (fixture->node, "light", "a");
  satin_node_provide (fixture->node, "light", NULL);
  satin_node_provide (fixture->node, "light", "b");
  g_assert_cmpstr (fixture->diary->str, ==, "a ");
}

static void
test_await_hears_only_of_its_name (Fixture *fixture, gconstpointer data)
{
  satin_node_await (fixture->node, "light", append, fixture->diary);
  satin_node_provide (fixture->node, "lightning", "x");
  g_assert_cmpstr (fixture->diary->str, ==, "");
}

static void
withdraw (gpointer interface, gpointer user_data)
{
  Fixture *fixture = user_data;

  append (interface, fixture->diary);
  satin_node_provide (fixture->node, "light", NULL);
}

static void
test_await_goes_on_when_another_withdraws (Fixture *fixture, gconstpointer data)
{
  satin_node_await (fixture->node, "light", withdraw, fixture);
  satin_node_await (fixture->node, "light", append, fixture->diary);
  satin_node_provide (fixture->node, "light", "a");
  g_assert_cmpstr (fixture->diary->str, ==, "a ");
  satin_node_provide (fixture->node, "light", "b");
  g_assert_cmpstr (fixture->diary->str, ==, "a b ");
}

static void
test_await_of_a_part_that_failed_is_forgotten (Fixture *fixture, gconstpointer data)
{
  satin_node_await (fixture->node, "light", append, fixture->diary);
  assert_refused (fixture, "first:await=light,fail=aloud", SATIN_ERROR_UNREACHABLE, "");
  satin_node_provide (fixture->node, "light", "a");
  g_assert_cmpstr (fixture->diary->str, ==, "a ");
}

static void
test_await_is_forgotten_when_the_node_stops (Fixture *fixture, gconstpointer data)
{
  satin_node_await (fixture->node, "light", append, fixture->diary);
  satin_node_stop (fixture->node, on_done, fixture);
  satin_node_await (fixture->node, "light", append, fixture->diary);
  satin_node_provide (fixture->node, "light", "a");
  g_assert_cmpstr (fixture->diary->str, ==, "");
  satin_loop_advance (fixture->loop, 0);
}

static void
test_find_sees_what_is_provided_now (Fixture *fixture, gconstpointer data)
{
  g_assert_null (satin_node_find (fixture->node, "light"));
  satin_node_provide (fixture->node, "light", "a");
  g_assert_cmpstr (satin_node_find (fixture->node, "light"), ==, "a");
  satin_node_provide (fixture->node, "light", NULL);
  g_assert_null (satin_node_find (fixture->node, "light"));
}

static void
test_second_provider_is_a_programming_error (Fixture *fixture, gconstpointer data)
{
  satin_node_provide (fixture->node, "light", "a");
  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*satin_node_find*");
  satin_node_provide (fixture->node, "light", "b");
  g_test_assert_expected_messages ();
  g_assert_cmpstr (satin_node_find (fixture->node, "light"), ==, "a");
}

static void
on_failed (const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_failed++;
  g_clear_error (&fixture->error);
  fixture->error = g_error_copy (error);
}

static void
fail (Fixture *fixture, const char *message)
{
  satin_node_fail (fixture->node, g_error_new_literal (SATIN_ERROR, SATIN_ERROR_FENCED, message));
}

static void
test_failure_is_told_on_the_loop_not_inside (Fixture *fixture, gconstpointer data)
{
  satin_node_set_fail_func (fixture->node, on_failed, fixture);
  fail (fixture, "a");
  g_assert_cmpuint (fixture->n_failed, ==, 0);
  satin_loop_advance (fixture->loop, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
  g_assert_error (fixture->error, SATIN_ERROR, SATIN_ERROR_FENCED);
}

static void
test_only_the_first_failure_is_told (Fixture *fixture, gconstpointer data)
{
  satin_node_set_fail_func (fixture->node, on_failed, fixture);
  fail (fixture, "a");
  fail (fixture, "b");
  satin_loop_advance (fixture->loop, 0);
  fail (fixture, "c");
  satin_loop_advance (fixture->loop, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
  g_assert_cmpstr (fixture->error->message, ==, "a");
}

static void
test_failure_is_told_to_one_function_only (Fixture *fixture, gconstpointer data)
{
  satin_node_set_fail_func (fixture->node, on_failed, fixture);
  fail (fixture, "a");
  satin_loop_advance (fixture->loop, 0);
  satin_node_set_fail_func (fixture->node, on_failed, fixture);
  satin_loop_advance (fixture->loop, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
}

static void
test_failure_before_the_function_is_told_later (Fixture *fixture, gconstpointer data)
{
  fail (fixture, "a");
  satin_loop_advance (fixture->loop, 0);
  satin_node_set_fail_func (fixture->node, on_failed, fixture);
  satin_loop_advance (fixture->loop, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
}

static void
test_function_taken_back_is_not_called (Fixture *fixture, gconstpointer data)
{
  satin_node_set_fail_func (fixture->node, on_failed, fixture);
  fail (fixture, "a");
  satin_node_set_fail_func (fixture->node, NULL, NULL);
  satin_loop_advance (fixture->loop, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 0);
}

static void
test_failure_of_a_freed_node_is_not_told (Fixture *fixture, gconstpointer data)
{
  SatinProgram program = { .name = "other" };
  SatinNode *node = satin_node_new (fixture->loop, &program);

  satin_node_set_fail_func (node, on_failed, fixture);
  satin_node_fail (node, g_error_new_literal (SATIN_ERROR, SATIN_ERROR_IO, "a"));
  satin_node_free (node);
  satin_loop_advance (fixture->loop, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 0);
}

static void
write_figure (const char *name, gint64 value, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %" G_GINT64_FORMAT " ", name, value);
}

static void
source_figures (SatinFigureFunc add_figure, gpointer add_data, gpointer user_data)
{
  add_figure (user_data, 7, add_data);
}

static void
test_figures_of_sources_and_parts (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  add (fixture, "second");
  satin_node_add_figures (fixture->node, source_figures, "core.jobs");
  g_string_truncate (fixture->diary, 0);
  satin_node_figures (fixture->node, write_figure, fixture->diary);
  g_assert_cmpstr (fixture->diary->str, ==,
                   "core.jobs 7 first.one 1 first.two 2 second.one 1 second.two 2 ");
}

static void
test_part_that_stops_has_no_figures (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first:stop-time=1s");
  stop (fixture, 0);
  g_string_truncate (fixture->diary, 0);
  satin_node_figures (fixture->node, write_figure, fixture->diary);
  g_assert_cmpstr (fixture->diary->str, ==, "");
  satin_loop_advance (fixture->loop, G_USEC_PER_SEC);
}

static void
write_wait (const SatinWait *wait, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", wait->what);
}

static void
test_waits_of_parts (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  add (fixture, "second");
  g_string_truncate (fixture->diary, 0);
  satin_node_waits (fixture->node, write_wait, fixture->diary);
  g_assert_cmpstr (fixture->diary->str, ==, "first second ");
}

static void
test_part_that_stops_still_waits (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first:stop-time=1s");
  stop (fixture, 0);
  g_string_truncate (fixture->diary, 0);
  satin_node_waits (fixture->node, write_wait, fixture->diary);
  g_assert_cmpstr (fixture->diary->str, ==, "first ");
  satin_loop_advance (fixture->loop, G_USEC_PER_SEC);
}

static void
test_free_with_parts_is_a_programming_error (Fixture *fixture, gconstpointer data)
{
  add (fixture, "first");
  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*parts->len == 0*");
  satin_node_free (fixture->node);
  g_test_assert_expected_messages ();
}

static void
test_part_after_stop_is_a_programming_error (Fixture *fixture, gconstpointer data)
{
  satin_node_stop (fixture->node, on_done, fixture);
  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*stop_func == NULL*");
  g_assert_false (satin_node_add_part (fixture->node, "first", NULL));
  g_test_assert_expected_messages ();
  satin_loop_advance (fixture->loop, 0);
}

#define ADD(name, func) g_test_add ("/base/node/" name, Fixture, NULL, set_up, func, tear_down)

static void
add_part_tests (void)
{
  ADD ("node-knows-loop-and-program", test_node_knows_loop_and_program);
  ADD ("program-is-copied", test_program_is_copied);
  ADD ("parts-start-in-order", test_parts_start_in_order);
  ADD ("parts-stop-in-reverse-one-after-the-other", test_parts_stop_in_reverse_one_after_the_other);
  ADD ("nothing-happens-inside-stop", test_nothing_happens_inside_stop);
  ADD ("node-without-parts-stops-too", test_node_without_parts_stops_too);
  ADD ("first-error-of-stopping-is-told-and-all-are-stopped",
       test_first_error_of_stopping_is_told_and_all_are_stopped);
  ADD ("node-may-be-freed-in-done", test_node_may_be_freed_in_done);
  ADD ("unknown-part-is-named", test_unknown_part_is_named);
  ADD ("wrong-parameter-names-the-part", test_wrong_parameter_names_the_part);
  ADD ("part-that-fails-to-start-is-not-stopped", test_part_that_fails_to_start_is_not_stopped);
  ADD ("part-that-fails-without-reason-is-an-error",
       test_part_that_fails_without_reason_is_an_error);
  ADD ("part-that-failed-may-be-tried-again", test_part_that_failed_may_be_tried_again);
  ADD ("part-without-stop-is-refused", test_part_without_stop_is_refused);
  ADD ("same-part-twice-is-refused", test_same_part_twice_is_refused);
  ADD ("free-with-parts-is-a-programming-error", test_free_with_parts_is_a_programming_error);
  ADD ("part-after-stop-is-a-programming-error", test_part_after_stop_is_a_programming_error);
}

static void
add_meeting_tests (void)
{
  ADD ("await-before-provide", test_await_before_provide);
  ADD ("await-after-provide", test_await_after_provide);
  ADD ("await-is-called-once", test_await_is_called_once);
  ADD ("await-hears-only-of-its-name", test_await_hears_only_of_its_name);
  ADD ("await-goes-on-when-another-withdraws", test_await_goes_on_when_another_withdraws);
  ADD ("await-of-a-part-that-failed-is-forgotten", test_await_of_a_part_that_failed_is_forgotten);
  ADD ("await-is-forgotten-when-the-node-stops", test_await_is_forgotten_when_the_node_stops);
  ADD ("find-sees-what-is-provided-now", test_find_sees_what_is_provided_now);
  ADD ("second-provider-is-a-programming-error", test_second_provider_is_a_programming_error);
  ADD ("failure-is-told-on-the-loop-not-inside", test_failure_is_told_on_the_loop_not_inside);
  ADD ("only-the-first-failure-is-told", test_only_the_first_failure_is_told);
  ADD ("failure-is-told-to-one-function-only", test_failure_is_told_to_one_function_only);
  ADD ("failure-before-the-function-is-told-later", test_failure_before_the_function_is_told_later);
  ADD ("function-taken-back-is-not-called", test_function_taken_back_is_not_called);
  ADD ("failure-of-a-freed-node-is-not-told", test_failure_of_a_freed_node_is_not_told);
  ADD ("figures-of-sources-and-parts", test_figures_of_sources_and_parts);
  ADD ("part-that-stops-has-no-figures", test_part_that_stops_has_no_figures);
  ADD ("waits-of-parts", test_waits_of_parts);
  ADD ("part-that-stops-still-waits", test_part_that_stops_still_waits);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_part_tests ();
  add_meeting_tests ();
  return g_test_run ();
}
