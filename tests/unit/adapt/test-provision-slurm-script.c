/* test-provision-slurm-script.c - tests the script of a job, by running it as a job runs it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"

#include <glib/gstdio.h>
#include <string.h>

/* A folder with the secret of a job. */
typedef struct
{
  char *folder; /* (owned) */
  char *secret; /* (owned): its path */
} Place;

static void
place_init (Place *self)
{
  self->folder = g_dir_make_tmp ("satin-script-XXXXXX", NULL);
  self->secret = g_build_filename (self->folder, "secret-7-3", NULL);
  g_assert_true (g_file_set_contents (self->secret, "sesame", -1, NULL));
}

static void
place_clear (Place *self)
{
  g_autofree char *complaint = g_build_filename (self->folder, "complaint-7-3", NULL);
  g_unlink (self->secret);
  g_unlink (complaint);
  g_rmdir (self->folder);
  g_free (self->secret);
  g_free (self->folder);
}

/* Runs the script of @start like job 12_3 on node c4. Returns: (transfer full): what it printed */
static char *
run_script_at (const ScriptPlace *where, const SatinStart *start, int *ret_status)
{
  g_autofree char *script = script_make (start, where);
  g_auto (GStrv) environment = g_get_environ ();
  environment = g_environ_setenv (environment, "SLURM_JOB_ID", "15", TRUE);
  environment = g_environ_setenv (environment, "SLURM_ARRAY_JOB_ID", "12", TRUE);
  environment = g_environ_setenv (environment, "SLURM_ARRAY_TASK_ID", "3", TRUE);
  environment = g_environ_setenv (environment, "SLURMD_NODENAME", "c4", TRUE);
  environment = g_environ_setenv (environment, "SLURM_JOB_PARTITION", "p", TRUE);
  char *arguments[] = { "/bin/sh", "-c", script, NULL };
  char *output = NULL;
  g_assert_true (g_spawn_sync (NULL, arguments, environment, G_SPAWN_DEFAULT, NULL, NULL, &output,
                               NULL, ret_status, NULL));
  return output;
}

static char *
run_script (const Place *place, const SatinStart *start, int *ret_status)
{
  const ScriptPlace where = {
    .folder = place->folder, .serial = 7, .program = "/p q/it's", .has_complaint = TRUE
  };
  return run_script_at (&where, start, ret_status);
}

static void
test_arguments_arrive_as_they_were (void)
{
  Place place;
  place_init (&place);
  const char *const arguments[] = { "printf",         "<%s>", "",  "it's",
                                    "$HOME `x` \"\\", "a\nb", "*", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart), .arguments = arguments };
  int status;
  g_autofree char *output = run_script (&place, &start, &status);
  g_assert_cmpstr (output, ==, "<><it's><$HOME `x` \"\\><a\nb><*>");
  place_clear (&place);
}

static void
test_placeholders_are_replaced_wherever_they_stand (void)
{
  Place place;
  place_init (&place);
  const char *const arguments[] = { "printf",          "<%s>",      "{machine}{machine}",
                                    "a {cluster} {x}", "{program}", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart), .arguments = arguments };
  int status;
  g_autofree char *output = run_script (&place, &start, &status);
  g_assert_cmpstr (output, ==, "<job 12_3 on c4job 12_3 on c4><a p {x}></p q/it's>");
  place_clear (&place);
}

static void
test_name_is_the_one_that_is_told (void)
{
  g_autofree char *name = script_machine_name ("12_3", "c4");
  g_assert_cmpstr (name, ==, "job 12_3 on c4");
}

static void
test_variables_are_added (void)
{
  Place place;
  place_init (&place);
  const char *const arguments[] = { "sh", "-c", "printf \"$SATIN_A$SATIN_B\"", NULL };
  const char *const variables[] = { "SATIN_A=it's; echo", "SATIN_B==", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart),
                             .arguments = arguments,
                             .variables = variables };
  int status;
  g_autofree char *output = run_script (&place, &start, &status);
  g_assert_cmpstr (output, ==, "it's; echo=");
  place_clear (&place);
}

static void
test_secret_is_read_and_its_file_gone (void)
{
  Place place;
  place_init (&place);
  g_autoptr (GBytes) secret = g_bytes_new_static ("sesame", 6);
  const char *const arguments[] = { "sh", "-c", "cat <&3; ls \"$0\"", place.folder, NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart),
                             .arguments = arguments,
                             .secret = secret };
  int status;
  g_autofree char *output = run_script (&place, &start, &status);
  g_assert_cmpstr (output, ==, "sesamecomplaint-7-3\n");
  place_clear (&place);
}

static void
test_descriptor_is_empty_without_a_secret (void)
{
  Place place;
  place_init (&place);
  const char *const arguments[] = { "sh", "-c", "cat <&3 && echo empty", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart), .arguments = arguments };
  int status;
  g_autofree char *output = run_script (&place, &start, &status);
  g_assert_cmpstr (output, ==, "empty\n");
  place_clear (&place);
}

static void
test_wrapper_has_cluster_and_number_and_the_command_its_own_words (void)
{
  Place place;
  place_init (&place);
  const guint64 all[] = { 11, 12, 13, 14 };
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_vals (numbers, all, G_N_ELEMENTS (all));
  const char *const arguments[] = { "printf",    "<%s>",      "{number} it's",
                                    "{machine}", "{cluster}", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart),
                             .arguments = arguments,
                             .wrap = "env W='{cluster} it`s' N={number}",
                             .before = "test {cluster}{number} = p14" };
  const ScriptPlace where = { .folder = place.folder, .serial = 7, .numbers = numbers };
  int status;
  g_autofree char *output = run_script_at (&where, &start, &status);
  g_assert_cmpstr (output, ==, "<{number} it's><job 12_3 on c4><p>");
  const char *const shows[] = { "sh", "-c", "echo \"$W $N\"", NULL };
  const SatinStart shown = { .struct_size = sizeof (SatinStart),
                             .arguments = shows,
                             .wrap = start.wrap,
                             .before = start.before };
  g_autofree char *variables = run_script_at (&where, &shown, &status);
  g_assert_cmpstr (variables, ==, "p it`s 14\n");
  place_clear (&place);
}

static void
test_nothing_runs_without_its_secret (void)
{
  Place place;
  place_init (&place);
  g_unlink (place.secret);
  g_autoptr (GBytes) secret = g_bytes_new_static ("sesame", 6);
  const char *const arguments[] = { "echo", "runs", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart),
                             .arguments = arguments,
                             .secret = secret };
  int status;
  g_autofree char *output = run_script (&place, &start, &status);
  g_assert_cmpstr (output, ==, "");
  g_assert_cmpint (status, !=, 0);
  place_clear (&place);
}

static void
test_secret_is_not_in_the_script (void)
{
  g_autoptr (GBytes) secret = g_bytes_new_static ("sesame", 6);
  const char *const arguments[] = { "true", NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart),
                             .arguments = arguments,
                             .secret = secret };
  const ScriptPlace where = { .folder = "/f", .serial = 1 };
  g_autofree char *script = script_make (&start, &where);
  g_assert_null (strstr (script, "sesame"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/adapt/provision-slurm/script/" path, func)
  CLAIM ("arguments-arrive-as-they-were", test_arguments_arrive_as_they_were);
  CLAIM ("placeholders-are-replaced-wherever-they-stand",
         test_placeholders_are_replaced_wherever_they_stand);
  CLAIM ("name-is-the-one-that-is-told", test_name_is_the_one_that_is_told);
  CLAIM ("variables-are-added", test_variables_are_added);
  CLAIM ("secret-is-read-and-its-file-gone", test_secret_is_read_and_its_file_gone);
  CLAIM ("descriptor-is-empty-without-a-secret", test_descriptor_is_empty_without_a_secret);
  CLAIM ("wrapper-has-cluster-and-number-and-the-command-its-own-words",
         test_wrapper_has_cluster_and_number_and_the_command_its_own_words);
  CLAIM ("nothing-runs-without-its-secret", test_nothing_runs_without_its_secret);
  CLAIM ("secret-is-not-in-the-script", test_secret_is_not_in_the_script);
  return g_test_run ();
}
