/* test-app-raytracer.c - the program raytracer: the same picture in every mode, and errors
 *
 * SATIN_TEST_APPS is the folder of the programs, SATIN_TEST_SCENES the folder of the scenes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

/**
 * Run:
 * @status: exit status
 * @out: (owned): output on stdout
 * @err: (owned): output on stderr
 */
typedef struct
{
  int status;
  char *out;
  char *err;
} Run;

static void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Runs a command with @workers threads in the folder of the scenes. @words: (transfer full) */
static Run
run_words (char **words, const char *workers)
{
  g_auto (GStrv) command = words;
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "SATIN_WORKERS", workers, TRUE);
  g_autoptr (GError) error = NULL;
  Run run = { 0 };
  int wait_status = 0;
  g_spawn_sync (g_getenv ("SATIN_TEST_SCENES"), command, environment, G_SPAWN_SEARCH_PATH, NULL,
                NULL, &run.out, &run.err, &wait_status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (wait_status, &error))
    {
      /* Anything but an exit status is a crash. */
      g_assert_cmpint (error->domain, ==, G_SPAWN_EXIT_ERROR);
      run.status = error->code;
    }
  return run;
}

/* Returns: (transfer full): the path of a program */
static char *
program_path (const char *name)
{
  return g_build_filename (g_getenv ("SATIN_TEST_APPS"), name, name, NULL);
}

/* Runs the ray tracer with @line's words, then @last if there is one. */
static Run
run_tracer (const char *line, const char *last, const char *workers)
{
  g_autofree char *program = program_path ("raytracer");
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GStrvBuilder) command = g_strv_builder_new ();
  g_strv_builder_add (command, program);
  g_strv_builder_addv (command, (const char **)words);
  if (last != NULL)
    g_strv_builder_add (command, last);
  return run_words (g_strv_builder_end (command), workers);
}

/* Runs the ray tracer with @line's words on three nodes. */
static Run
run_on_nodes (const char *line)
{
  g_autofree char *satin = program_path ("satin"), *tracer = program_path ("raytracer");
  g_autofree char *all = g_strdup_printf ("%s run --quiet -n 3 %s %s", satin, tracer, line);
  return run_words (g_strsplit (all, " ", -1), "1");
}

/* ---- pictures ---- */

typedef struct
{
  const char *line;
  const char *answer;
} Picture;

static const Picture pictures[] = {
  { "--scene balls:2 --size 64x64", "raytracer: 64x64, 93 primitives, digest 27d4f4cdbca90052\n" },
  { "--scene balls:0 --size 1x1", "raytracer: 1x1, 3 primitives, digest a3fc2ccfdea0072a\n" },
  { "--scene balls:1 --size 77x9 --samples 2 --depth 1",
    "raytracer: 77x9, 12 primitives, digest b94255565718dd4b\n" },
  { "still-life.nff --size 96x72 --samples 2",
    "raytracer: 96x72, 80 primitives, digest ceaa36e523bf2419\n" },
  { "gem.nff --size 72x48", "raytracer: 72x48, 64 primitives, digest ba7ab8b5a066072f\n" },
};

static const char *const modes[][2] = {
  { "--sequential", "1" }, { "--tile 8", "1" }, { "--tile 8", "2" },    { "--tile 8", "4" },
  { "--tile 3", "4" },     { "--tile 1", "4" }, { "--tile 1024", "4" }, { "--time", "4" },
};

static void
test_picture_is_the_same_in_every_mode (gconstpointer user_data)
{
  const Picture *picture = user_data;
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *line = g_strdup_printf ("%s %s", picture->line, modes[i][0]);
      g_auto (Run) run = run_tracer (line, NULL, modes[i][1]);
      g_test_message ("%s, %s workers: %s", line, modes[i][1], run.err);
      g_assert_cmpint (run.status, ==, 0);
      g_assert_cmpstr (run.out, ==, picture->answer);
    }
}

static void
test_picture_is_the_same_on_nodes (gconstpointer user_data)
{
  const Picture *picture = user_data;
  g_autofree char *line = g_strdup_printf ("%s --tile 4", picture->line);
  g_auto (Run) run = run_on_nodes (line);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.out, ==, picture->answer);
  /* A node that fails at the end does not change the picture, but prints an error. */
  g_assert_cmpstr (run.err, ==, "");
}

static void
test_scene_has_a_size_of_its_own (void)
{
  g_auto (Run) run = run_tracer ("gem.nff --depth 0", NULL, "4");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "raytracer: 480x320, "));
}

static void
test_time_goes_to_stderr (void)
{
  g_auto (Run) run = run_tracer ("--scene balls:0 --size 8x8 --time", NULL, "2");
  g_assert_null (strstr (run.out, " s\n"));
  g_assert_true (g_str_has_prefix (run.err, "raytracer: "));
  g_assert_true (g_str_has_suffix (run.err, " s\n"));
}

static void
test_help_is_no_error (void)
{
  g_auto (Run) run = run_tracer ("--help", NULL, "2");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "Usage:"));
  g_assert_cmpstr (run.err, ==, "");
}

/* ---- files ---- */

/* Returns: (transfer full): a path where no file is */
static char *
free_path (void)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("satin-raytracer-XXXXXX", &path, NULL);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_unlink (path);
  return path;
}

static void
test_picture_is_written_as_png (void)
{
  g_autofree char *path = free_path (), *bytes = NULL;
  gsize n_bytes;
  g_auto (Run) run = run_tracer ("--scene balls:1 --size 8x8 --output", path, "2");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  g_assert_cmpuint (n_bytes, >, 8);
  g_assert_cmpmem (bytes, 8, "\211PNG\r\n\032\n", 8);
  g_unlink (path);
}

/* The program printed one line, with @message, to stderr and nothing to stdout. */
static void
assert_refused (const Run *run, int status, const char *message)
{
  g_assert_cmpint (run->status, ==, status);
  g_assert_cmpstr (run->out, ==, "");
  if (strstr (run->err, message) == NULL)
    g_assert_cmpstr (run->err, ==, message);
  g_assert_true (strchr (run->err, '\n') == run->err + strlen (run->err) - 1);
}

static void
test_output_that_cannot_be_written_is_27_at_once (void)
{
  /* Drawing this would take hours. */
  g_auto (Run) run =
      run_tracer ("--size 8192x8192 --samples 16 --output", "/no/such/folder/picture.png", "4");
  assert_refused (&run, 27, "cannot write picture /no/such/folder/picture.png: No such file");
}

static void
test_missing_scene_is_11 (void)
{
  g_auto (Run) run = run_tracer ("none.nff", NULL, "2");
  assert_refused (&run, 11, "scene file none.nff does not exist");
}

static void
test_malformed_scene_is_12 (void)
{
  g_autofree char *path = free_path ();
  g_assert_true (g_file_set_contents (path, "b 0 0 0\ns 0 0\n", -1, NULL));
  g_autofree char *message = g_strdup_printf (
      "%s: line 2: expected a surface ('f') before the first object, found 's'", path);
  g_auto (Run) run = run_tracer ("--size 8x8", path, "2");
  assert_refused (&run, 12, message);
  g_unlink (path);
}

static void
test_refused_scene_leaves_no_picture (void)
{
  g_autofree char *path = free_path ();
  g_auto (Run) run = run_tracer ("none.nff --output", path, "2");
  g_assert_cmpint (run.status, ==, 11);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

typedef struct
{
  const char *line;
  const char *message;
} Wrong;

static const Wrong wrongs[] = {
  { "--size 64", "--size is '64', but must be WIDTHxHEIGHT, each from 1 to 8192" },
  { "--size 0x64", "--size is '0x64', but must be WIDTHxHEIGHT, each from 1 to 8192" },
  { "--size 64x8193", "--size is '64x8193', but must be WIDTHxHEIGHT, each from 1 to 8192" },
  { "--samples 0", "--samples is 0, but must be from 1 to 16" },
  { "--samples 17", "--samples is 17, but must be from 1 to 16" },
  { "--depth -1", "--depth is -1, but must be from 0 to 20" },
  { "--tile 0", "--tile is 0, but must be from 1 to 1024" },
  { "--tile 1025", "--tile is 1025, but must be from 1 to 1024" },
  { "--pixel-time 2s", "--pixel-time is 2s, but must be from 0us to 1s" },
  { "--pixel-time 1", "--pixel-time: '1' is not a duration" },
  { "--scene balls:7", "no scene 'balls:7', use balls:0 to balls:6 or an NFF file" },
  { "--scene balls:1 gem.nff", "--scene balls:1 and the file gem.nff are two scenes" },
  { "--what", "--help lists the options" },
};

/* One node draws 32 * 32 pixels of 1 ms each, which takes 1.024 s. A simulated run does not free
 * what it has when it is over, so leaks are not reported. */
static void
test_a_pixel_takes_its_time (void)
{
  g_autofree char *satin = program_path ("satin"), *tracer = program_path ("raytracer");
  g_autofree char *all =
      g_strdup_printf ("env ASAN_OPTIONS=abort_on_error=1:detect_leaks=0 %s sim --clusters 1x1 %s "
                       "--scene balls:0 --size 32x32 --pixel-time 1ms",
                       satin, tracer);
  g_auto (Run) run = run_words (g_strsplit (all, " ", -1), "1");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "1 cluster: 1.024"));
  /* The whole picture is a part of the root job. */
  g_assert_nonnull (strstr (run.err, ", 1 job, "));
}

static void
test_wrong_usage_is_2 (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_auto (Run) run = run_tracer (wrong->line, NULL, "2");
  assert_refused (&run, 2, wrong->message);
}

/* Adds a case whose name ends with @line. Characters that GTest's paths cannot have become "_". */
static void
add_case (const char *claim, const char *line, gconstpointer user_data, GTestDataFunc function)
{
  g_autofree char *name = g_strdelimit (g_strdup (line), " /", '_');
  g_autofree char *path = g_strdup_printf ("/app-raytracer/%s/%s", claim, name);
  g_test_add_data_func (path, user_data, function);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-raytracer/" path, function)
  for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      add_case ("picture-is-the-same-in-every-mode", pictures[i].line, &pictures[i],
                test_picture_is_the_same_in_every_mode);
      add_case ("picture-is-the-same-on-nodes", pictures[i].line, &pictures[i],
                test_picture_is_the_same_on_nodes);
    }
  CASE ("scene-has-a-size-of-its-own", test_scene_has_a_size_of_its_own);
  CASE ("time-goes-to-stderr", test_time_goes_to_stderr);
  CASE ("help-is-no-error", test_help_is_no_error);
  CASE ("picture-is-written-as-png", test_picture_is_written_as_png);
  CASE ("output-that-cannot-be-written-is-27-at-once",
        test_output_that_cannot_be_written_is_27_at_once);
  CASE ("a-pixel-takes-its-time-in-a-simulation", test_a_pixel_takes_its_time);
  CASE ("missing-scene-is-11", test_missing_scene_is_11);
  CASE ("malformed-scene-is-12", test_malformed_scene_is_12);
  CASE ("refused-scene-leaves-no-picture", test_refused_scene_leaves_no_picture);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    add_case ("wrong-usage-is-2", wrongs[i].line, &wrongs[i], test_wrong_usage_is_2);
  return g_test_run ();
}
