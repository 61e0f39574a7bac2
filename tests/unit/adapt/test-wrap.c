/* test-wrap.c - tests the words in front of a node's program: their quoting, and the shell's script
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/wrap.h>

#include <string.h>
#include <sys/wait.h>

/* Arguments that a careless quoting would change. */
static const char *const hard[] = { "",       "a b", "it's",     "$HOME `id` \"\\",
                                    "a\nb\n", "*",   "{number}", "-n",
                                    "ä→€",    "{}",  "${x}",     ";|&",
                                    NULL };

static void
check_refused (const char *wrap, const char *before, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_wrap_check (&(SatinWrap){ wrap, before }, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  if (strstr (error->message, text) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, text);
}

static void
check_accepted (const char *wrap, const char *before)
{
  g_autoptr (GError) error = NULL;
  satin_wrap_check (&(SatinWrap){ wrap, before }, &error);
  g_assert_no_error (error);
}

/* Starts @command behind the words of @self. @variables: as for satin_wrap_words(). Returns:
 * (transfer full): what the command printed. @ret_errors: (out) (nullable) */
static char *
run (const SatinWrap *self, const char *const *command, const char *const *variables,
     int *ret_status, char **ret_errors)
{
  g_auto (GStrv) first = satin_wrap_words (self, "east", "7", variables);
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_autofree char *errors = NULL;
  char *output = NULL;
  g_strv_builder_addv (line, (const char **)first);
  g_strv_builder_addv (line, (const char **)command);
  g_auto (GStrv) words = g_strv_builder_end (line);
  g_assert_true (g_spawn_sync (NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &errors,
                               ret_status, NULL));
  if (ret_errors != NULL)
    *ret_errors = g_steal_pointer (&errors);
  return output;
}

/* Checks that all hard arguments arrive as they are. */
static void
check_passes (const char *wrap, const char *before)
{
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_autoptr (GString) expected = g_string_new (NULL);
  int status;
  g_strv_builder_add_many (line, "printf", "<%s>", NULL);
  g_strv_builder_addv (line, (const char **)hard);
  g_auto (GStrv) command = g_strv_builder_end (line);
  for (guint i = 0; hard[i] != NULL; i++)
    g_string_append_printf (expected, "<%s>", hard[i]);
  g_autofree char *output =
      run (&(SatinWrap){ wrap, before }, (const char *const *)command, NULL, &status, NULL);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (output, ==, expected->str);
}

static void
test_nothing_set_adds_no_word (void)
{
  const SatinWrap none[] = { { NULL, NULL }, { "", "" } };
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_auto (GStrv) words = satin_wrap_words (&none[i], "c", "1", NULL);
      g_assert_cmpuint (g_strv_length (words), ==, 0);
      g_assert_false (satin_wrap_is_set (&none[i]));
    }
}

static void
test_arguments_arrive_as_they_were (void)
{
  check_passes ("env", NULL);
  check_passes (NULL, "true");
  check_passes ("env A='x y' nice -n 0", "cd / && B=2 && export B");
  check_passes (" # a comment only", "true");
}

static void
test_wrapper_is_split_as_by_a_shell_without_expansion (void)
{
  const char *const command[] = { "end", NULL };
  int status;
  g_autofree char *output =
      run (&(SatinWrap){ "printf '<%s>' \"it's\" 'a b' c\\ d $HOME \"é\"\"f\" '' *.c", NULL },
           command, NULL, &status, NULL);
  g_assert_true (g_str_has_prefix (output, "<it's><a b><c d><$HOME><éf><><*.c><env>"));
  g_assert_true (g_str_has_suffix (output, "<end>"));
}

static void
test_places_are_filled_in (void)
{
  const char *const command[] = { "end", NULL };
  int status;
  g_autofree char *output = run (
      &(SatinWrap){ "printf '<%s>' x-{cluster}-{number}{number} {a,b} {{.ID}} {1..3} {{cluster}}",
                    NULL },
      command, NULL, &status, NULL);
  g_assert_true (g_str_has_prefix (output, "<x-east-77><{a,b}><{{.ID}}><{1..3}><{east}>"));
  const char *const show[] = { "sh", "-c", "echo \"$A\"", NULL };
  g_autofree char *shown =
      run (&(SatinWrap){ NULL, "A=\"{cluster} {number}\" && export A && : ${HOME}" }, show, NULL,
           &status, NULL);
  g_assert_cmpstr (shown, ==, "east 7\n");
}

static void
test_cluster_is_quoted_in_a_shell_command (void)
{
  const SatinWrap wrap = { NULL, "A={cluster}; export A" };
  g_auto (GStrv) words = satin_wrap_words (&wrap, "a b; exit 3", "1", NULL);
  g_assert_cmpstr (words[4], ==, "A='a b; exit 3'; export A");
}

static void
test_places_may_stay (void)
{
  const SatinWrap wrap = { "w {cluster} {number}", "b {cluster} {number}" };
  g_auto (GStrv) words = satin_wrap_words (&wrap, NULL, NULL, NULL);
  g_assert_cmpstr (words[4], ==, "b {cluster} {number}");
  g_assert_cmpstr (words[7], ==, "{cluster}");
  g_assert_cmpstr (words[8], ==, "{number}");
}

static void
test_unknown_places_are_refused (void)
{
  check_refused ("podman --name {node}", NULL,
                 "wrap: {node} is not known: there are {cluster} and {number}");
  check_refused (NULL, "echo {machine}", "before: {machine} is not known");
  check_refused ("a ${cluster}", NULL, "write {cluster} without the $");
  check_refused ("a 'b", NULL, "wrap: ");
  check_accepted ("podman --format {{.ID}} {} {cluster} ${home}",
                  "f() { :; }; echo ${x} {a,b} {X}");
  check_accepted ("", "");
}

static void
test_failure_before_names_command_and_status (void)
{
  static const struct
  {
    const char *before;
    int status;
  } cases[] = { { "sh -c 'exit 5'", 5 },      { "exit 6", 6 },   { "exit", 1 },
                { "set -e; false; true", 1 }, { "return 4", 4 }, { "no-such-command-x", 127 } };
  const char *const command[] = { "echo", "started", NULL };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      int status;
      g_autofree char *errors = NULL;
      g_autofree char *output =
          run (&(SatinWrap){ "env", cases[i].before }, command, NULL, &status, &errors);
      g_assert_cmpstr (output, ==, "");
      g_assert_cmpint (WEXITSTATUS (status), ==, cases[i].status);
      g_assert_nonnull (strstr (errors, cases[i].before));
      g_assert_nonnull (strstr (errors, "which runs before the node, ended with status"));
    }
  int status;
  g_autofree char *errors = NULL;
  g_autofree char *output =
      run (&(SatinWrap){ NULL, "if then (" }, command, NULL, &status, &errors);
  g_assert_cmpstr (output, ==, "");
  g_assert_cmpint (status, !=, 0);
  g_assert_nonnull (strstr (errors, "which runs before the node"));
}

static void
test_command_before_shares_the_shell (void)
{
  const char *const command[] = { "sh", "-c", "pwd; echo $A; ulimit -n", NULL };
  int status;
  g_autofree char *output = run (
      &(SatinWrap){ NULL, "cd /usr; export A=1; ulimit -n 99; set -eu; set -- x; echo noise; cat" },
      command, NULL, &status, NULL);
  g_assert_cmpstr (output, ==, "/usr\n1\n99\n");
}

static void
test_variables_reach_a_node_behind_a_wrapper_that_drops_them (void)
{
  const char *const variables[] = { "MINE=it's \"x\"\n$y", "LD_LIBRARY_PATH=/x", "SATIN_UNSET",
                                    NULL };
  const char *const command[] = {
    "/bin/sh", "-c", "echo \"$SATIN_WORKERS|$MINE|$HOME|${LD_LIBRARY_PATH-}|${SATIN_UNSET-unset}\"",
    NULL
  };
  int status;
  g_setenv ("SATIN_WORKERS", "3", TRUE);
  g_setenv ("MINE", "it's \"x\"\n$y", TRUE);
  g_autofree char *output =
      run (&(SatinWrap){ "env -i PATH=/usr/bin:/bin", NULL }, command, variables, &status, NULL);
  g_assert_cmpstr (output, ==, "3|it's \"x\"\n$y|||unset\n");
  g_unsetenv ("SATIN_WORKERS");
  g_unsetenv ("MINE");
}

static void
test_node_is_told_its_number_outside (void)
{
  const char *const command[] = { "/bin/sh", "-c", "echo \"$SATIN_PARTS\"; echo net:pid=$$,hub=x",
                                  NULL };
  int status;
  g_setenv ("SATIN_PARTS", "net:hub=x", TRUE);
  g_autofree char *output = run (&(SatinWrap){ "env -i", NULL }, command, NULL, &status, NULL);
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  g_assert_cmpstr (lines[0], ==, lines[1]);
  g_unsetenv ("SATIN_PARTS");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/wrap/nothing-set-adds-no-word", test_nothing_set_adds_no_word);
  g_test_add_func ("/adapt/wrap/arguments-arrive-as-they-were", test_arguments_arrive_as_they_were);
  g_test_add_func ("/adapt/wrap/wrapper-is-split-as-by-a-shell-without-expansion",
                   test_wrapper_is_split_as_by_a_shell_without_expansion);
  g_test_add_func ("/adapt/wrap/places-are-filled-in", test_places_are_filled_in);
  g_test_add_func ("/adapt/wrap/cluster-is-quoted-in-a-shell-command",
                   test_cluster_is_quoted_in_a_shell_command);
  g_test_add_func ("/adapt/wrap/places-may-stay", test_places_may_stay);
  g_test_add_func ("/adapt/wrap/unknown-places-are-refused", test_unknown_places_are_refused);
  g_test_add_func ("/adapt/wrap/failure-before-names-command-and-status",
                   test_failure_before_names_command_and_status);
  g_test_add_func ("/adapt/wrap/command-before-shares-the-shell",
                   test_command_before_shares_the_shell);
  g_test_add_func ("/adapt/wrap/variables-reach-a-node-behind-a-wrapper-that-drops-them",
                   test_variables_reach_a_node_behind_a_wrapper_that_drops_them);
  g_test_add_func ("/adapt/wrap/node-is-told-its-number-outside",
                   test_node_is_told_its_number_outside);
  return g_test_run ();
}
