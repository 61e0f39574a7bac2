/* sweep.c - `satin sim sweep`: simulates a program with many seeds, and reports the seeds that fail
 *
 * Each seed has a process of its own, so that a crash is one more finding. A seed passes when its
 * process ends with status 0 and prints the same as the program without a simulation. With
 * --or-fails, a seed also passes when the program fails as that option says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "programs.h"
#include "sim.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FAILURES_SHOWN 20
#define MAX_JOBS           4096
#define MAX_TIMEOUT_S      86400

/* The beginning of the line of a report that says how much work the run had, in microseconds. */
#define WORK_LINE "work-us "

static char *seeds_text;
static int n_jobs;
static int timeout_s = 60;
static char *required;
static gboolean until_failure;
static char *or_fails;

static const GOptionEntry sweep_options[] = {
  { "seeds", 0, 0, G_OPTION_ARG_STRING, &seeds_text, "First and last seed (1..100)", "A..B" },
  { "jobs", 'j', 0, G_OPTION_ARG_INT, &n_jobs, "Processes at a time (as many as processors)", "N" },
  { "timeout", 0, 0, G_OPTION_ARG_INT, &timeout_s, "Real time for one seed (60)", "SECONDS" },
  { "require", 0, 0, G_OPTION_ARG_STRING, &required,
    "Faults and rare paths that some seed must have: fault.crash,steal.owner-lost", "LIST" },
  { "until-failure", 0, 0, G_OPTION_ARG_NONE, &until_failure,
    "Start no other seed after the first failure", NULL },
  { "or-fails", 0, 0, G_OPTION_ARG_STRING, &or_fails,
    "Accept a run that fails with status 25, prints TEXT once, and prints no answer", "TEXT" },
  G_OPTION_ENTRY_NULL,
};

typedef struct
{
  const char *path; /* (borrowed) the program's path */
  char **argv;      /* (borrowed) the program's arguments, its name first */
  char *expected;   /* (owned) the program's output without a simulation */
  char *folder;     /* (owned) for reports */
  guint64 next, last, first;
  guint n_running;
  guint64 n_done, n_failed;
  guint64 n_faults;   /* faults that took place */
  GHashTable *counts; /* (owned) name of an event in the reports to (owned) Count */
  GMainLoop *loop;    /* (owned) */
  gint64 started_us;
  gboolean is_terminal;
} Sweep;

/* In how many seeds an event happened, and how often in all seeds together. */
typedef struct
{
  guint64 n_seeds;
  guint64 n;
} Count;

/* The process of one seed. */
typedef struct
{
  Sweep *sweep;
  guint64 seed;
  GSubprocess *process; /* (owned) */
  char *report;         /* (owned) the path of its report */
  guint timer;
  gboolean is_overdue;
} Trial;

static void start_next (Sweep *self);

static char *
last_line (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text != NULL ? text : ""));
  const char *line = strrchr (stripped, '\n');
  return g_strdup (line != NULL ? line + 1 : stripped);
}

static void
tell_failure (Trial *trial, const char *what, const char *stderr_text)
{
  Sweep *self = trial->sweep;
  if (++self->n_failed > MAX_FAILURES_SHOWN)
    return;
  g_autofree char *options = sim_options_text (trial->seed);
  g_autofree char *line = last_line (stderr_text);
  g_autoptr (GString) command = g_string_new (options);
  for (char **word = self->argv; *word != NULL; word++)
    {
      g_string_append_c (command, ' ');
      sim_append_word (command, *word);
    }
  g_print ("%sseed %" G_GUINT64_FORMAT ": %s\n    %s\n    satin sim %s\n",
           self->is_terminal ? "\r\033[K" : "", trial->seed, what, line, command->str);
}

/* Whether the program itself failed as --or-fails allows. A failure that the simulation reports
 * does not count. */
static gboolean
has_failed_well (GSubprocess *process, const char *stdout_text, const char *stderr_text)
{
  const char *text = or_fails != NULL ? strstr (stderr_text, or_fails) : NULL;
  return text != NULL && strstr (text + strlen (or_fails), or_fails) == NULL
         && g_subprocess_get_if_exited (process)
         && g_subprocess_get_exit_status (process) == satin_error_code_exit_status (SATIN_ERROR_JOB)
         && *stdout_text == '\0' && strstr (stderr_text, ": simulation: ") == NULL;
}

static void
judge (Trial *trial, const char *stdout_text, const char *stderr_text)
{
  Sweep *self = trial->sweep;
  GSubprocess *process = trial->process;
  g_autofree char *what = NULL;
  if (trial->is_overdue)
    what = g_strdup_printf ("no end after %d s", timeout_s);
  else if (g_subprocess_get_if_signaled (process))
    what = g_strdup_printf ("killed by %s", g_strsignal (g_subprocess_get_term_sig (process)));
  else if (has_failed_well (process, stdout_text, stderr_text))
    what = NULL;
  else if (g_subprocess_get_exit_status (process) != 0)
    what = g_strdup_printf ("exit status %d", g_subprocess_get_exit_status (process));
  else if (g_strcmp0 (stdout_text, self->expected) != 0)
    what = g_strdup ("wrong result");
  if (what != NULL)
    tell_failure (trial, what, stderr_text);
}

static void
count (Sweep *self, const char *name, guint64 n)
{
  Count *count = g_hash_table_lookup (self->counts, name);
  if (count == NULL)
    {
      count = g_new0 (Count, 1);
      g_hash_table_insert (self->counts, g_strdup (name), count);
    }
  count->n_seeds++;
  count->n += n;
  if (g_str_has_prefix (name, "fault.") && !g_str_equal (name, "fault.early"))
    self->n_faults += n;
}

/* Adds the counts in a trial's report, which has lines "name number". */
static void
count_report (Trial *trial)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents (trial->report, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      char *space = strchr (*line, ' ');
      if (space == NULL || g_str_has_prefix (*line, "hash ") || g_str_has_prefix (*line, WORK_LINE))
        continue;
      *space = '\0';
      count (trial->sweep, *line, g_ascii_strtoull (space + 1, NULL, 10));
    }
}

static void
show_progress (Sweep *self)
{
  double elapsed_s = (double)(g_get_monotonic_time () - self->started_us) / 1e6;
  if (self->is_terminal)
    g_print ("\r\033[K%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " seeds, %" G_GUINT64_FORMAT
             " failed, %.1f seeds/s",
             self->n_done, self->last - self->first + 1, self->n_failed,
             (double)self->n_done / MAX (elapsed_s, 1e-3));
}

static void
trial_over (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Trial *trial = user_data;
  Sweep *self = trial->sweep;
  g_autofree char *stdout_text = NULL, *stderr_text = NULL;
  g_autoptr (GError) error = NULL;
  if (!g_subprocess_communicate_utf8_finish (trial->process, result, &stdout_text, &stderr_text,
                                             &error))
    tell_failure (trial, error->message, NULL);
  else
    judge (trial, stdout_text, stderr_text);
  count_report (trial);
  g_unlink (trial->report);
  if (trial->timer != 0)
    g_source_remove (trial->timer);
  g_object_unref (trial->process);
  g_free (trial->report);
  g_free (trial);
  self->n_running--;
  self->n_done++;
  show_progress (self);
  start_next (self);
}

static gboolean
on_overdue (gpointer user_data)
{
  Trial *trial = user_data;
  trial->timer = 0;
  trial->is_overdue = TRUE;
  g_subprocess_force_exit (trial->process);
  return G_SOURCE_REMOVE;
}

static GSubprocess *
start_program (Sweep *self, const char *world, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_ptr_array_add (argv, (gpointer)self->path);
  for (char **word = self->argv + 1; *word != NULL; word++)
    g_ptr_array_add (argv, *word);
  g_ptr_array_add (argv, NULL);
  if (world != NULL)
    g_subprocess_launcher_setenv (launcher, "SATIN_WORLD", world, TRUE);
  else
    g_subprocess_launcher_unsetenv (launcher, "SATIN_WORLD");
  return g_subprocess_launcher_spawnv (launcher, (const char *const *)argv->pdata, error);
}

/* Returns: (transfer full): the world of one seed, for SATIN_WORLD */
static char *
describe_world (guint64 seed, const char *report)
{
  g_autofree char *common = sim_world_text ();
  return g_strdup_printf ("%s%sseed=%" G_GUINT64_FORMAT ",report=%s", common,
                          g_str_has_suffix (common, ":") ? "" : ",", seed, report);
}

static void
start_trial (Sweep *self, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  Trial *trial = g_new0 (Trial, 1);
  trial->sweep = self;
  trial->seed = seed;
  trial->report = g_strdup_printf ("%s/%" G_GUINT64_FORMAT, self->folder, seed);
  g_autofree char *world = describe_world (seed, trial->report);
  trial->process = start_program (self, world, &error);
  if (trial->process == NULL)
    {
      tell_failure (trial, error->message, NULL);
      self->n_done++;
      g_free (trial->report);
      g_free (trial);
      return;
    }
  self->n_running++;
  trial->timer = g_timeout_add_seconds ((guint)timeout_s, on_overdue, trial);
  g_subprocess_communicate_utf8_async (trial->process, NULL, NULL, trial_over, trial);
}

static void
start_next (Sweep *self)
{
  while (self->n_running < (guint)n_jobs && self->next <= self->last
         && !(until_failure && self->n_failed > 0))
    start_trial (self, self->next++);
  if (self->n_running == 0)
    g_main_loop_quit (self->loop);
}

/* Runs the program without a simulation, and keeps its output. */
static gboolean
find_expected (Sweep *self, GError **error)
{
  g_autofree char *stderr_text = NULL;
  g_autoptr (GSubprocess) process = start_program (self, NULL, error);
  if (process == NULL
      || !g_subprocess_communicate_utf8 (process, NULL, NULL, &self->expected, &stderr_text, error))
    return FALSE;
  if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0)
    return TRUE;
  g_autofree char *line = last_line (stderr_text);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s fails by itself: %s", self->argv[0],
               line);
  return FALSE;
}

/* Measures the work of the program in a world without faults and events. The option "work" gets the
 * result, so that a run that takes far longer fails. If the measurement fails, there is no such
 * limit; the runs of the seeds then show what is wrong. */
static gboolean
measure_work (Sweep *self, GError **error)
{
  g_autofree char *text = NULL;
  char *faults = sim_option_exchange ("faults", NULL);
  char *events = sim_option_exchange ("events", NULL);
  g_autofree char *report = g_build_filename (self->folder, "work", NULL);
  g_autofree char *world = describe_world (self->first, report);
  g_free (sim_option_exchange ("faults", faults));
  g_free (sim_option_exchange ("events", events));
  g_autoptr (GSubprocess) process = start_program (self, world, error);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, NULL, error))
    return FALSE;
  const char *line =
      g_file_get_contents (report, &text, NULL, NULL) ? strstr (text, WORK_LINE) : NULL;
  g_unlink (report);
  if (line != NULL)
    sim_option_exchange ("work",
                         g_strdup_printf ("%" G_GUINT64_FORMAT "us",
                                          g_ascii_strtoull (line + strlen (WORK_LINE), NULL, 10)));
  return TRUE;
}

static gboolean
read_seeds (Sweep *self, GError **error)
{
  g_auto (GStrv) both = g_strsplit (seeds_text != NULL ? seeds_text : "1..100", "..", 2);
  if (both[0] != NULL && both[1] != NULL
      && g_ascii_string_to_unsigned (both[0], 10, 0, G_MAXINT64, &self->first, NULL)
      && g_ascii_string_to_unsigned (both[1], 10, self->first, G_MAXINT64, &self->last, NULL))
    {
      self->next = self->first;
      return TRUE;
    }
  return command_refuse (error, "sim sweep", "--seeds %s is not of the form 1..1000", seeds_text);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Prints how often each event happened. Returns: FALSE when an event of --require never happened */
static gboolean
tell_counts (Sweep *self)
{
  gboolean is_all = TRUE;
  guint n;
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (self->counts, &n);
  qsort (names, n, sizeof *names, compare_names);
  for (guint i = 0; i < n; i++)
    {
      const Count *count = g_hash_table_lookup (self->counts, names[i]);
      g_print ("  %-28s %8" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT " seeds\n",
               (const char *)names[i], count->n, count->n_seeds);
    }
  g_auto (GStrv) wanted = g_strsplit (required != NULL ? required : "", ",", -1);
  for (char **name = wanted; *name != NULL; name++)
    if (!g_hash_table_contains (self->counts, *name))
      {
        g_print ("  %s never happened\n", *name);
        is_all = FALSE;
      }
  return is_all;
}

static gboolean
sweep (Sweep *self, int *ret_status, GError **error)
{
  self->folder = g_dir_make_tmp ("satin-sweep-XXXXXX", error);
  if (self->folder == NULL || !find_expected (self, error))
    return FALSE;
  g_autofree char *work = sim_option_exchange ("work", NULL);
  if (work == NULL && !measure_work (self, error))
    return FALSE;
  if (work != NULL)
    sim_option_exchange ("work", g_steal_pointer (&work));
  self->is_terminal = isatty (STDOUT_FILENO);
  self->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->loop = g_main_loop_new (NULL, FALSE);
  self->started_us = g_get_monotonic_time ();
  start_next (self);
  if (self->n_running > 0)
    g_main_loop_run (self->loop);
  double elapsed_s = (double)(g_get_monotonic_time () - self->started_us) / 1e6;
  g_print ("%s%" G_GUINT64_FORMAT
           " seeds in %.1f s (%.1f seeds/s), %.1f faults each: %" G_GUINT64_FORMAT " failed\n",
           self->is_terminal ? "\r\033[K" : "", self->n_done, elapsed_s,
           (double)self->n_done / MAX (elapsed_s, 1e-3),
           (double)self->n_faults / (double)MAX (self->n_done, 1), self->n_failed);
  gboolean is_all = tell_counts (self);
  *ret_status = self->n_failed > 0 || !is_all ? 1 : 0;
  return TRUE;
}

static void
sweep_done (Sweep *self)
{
  if (self->folder != NULL)
    g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->expected);
  g_clear_pointer (&self->counts, g_hash_table_unref);
  g_clear_pointer (&self->loop, g_main_loop_unref);
}

/* Returns: the options of the sweep, followed by the options of the world */
static GOptionEntry *
join_options (void)
{
  GArray *all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  for (const GOptionEntry *entry = sweep_options; entry->long_name != NULL; entry++)
    g_array_append_val (all, *entry);
  for (const GOptionEntry *entry = sim_options; entry->long_name != NULL; entry++)
    g_array_append_val (all, *entry);
  return (GOptionEntry *)(gpointer)g_array_free (all, FALSE);
}

gboolean
command_sim_sweep (int argc, char **argv, int *ret_status, GError **error)
{
  g_autofree GOptionEntry *options = join_options ();
  const CommandSyntax syntax = {
    .name = "sim sweep",
    .usage = "PROGRAM [ARGUMENT...]",
    .summary = "Runs a program in many simulated worlds, to find one that fails.",
    .details =
        "Each seed gives other times, places and, with --faults swarm, kinds of faults. A run is\n"
        "right if it prints what the program prints when it runs alone, and ends with status 0. "
        "For\n"
        "a seed that fails, the command that replays it is printed. A run also fails if it takes "
        "far\n"
        "longer than its work, which is measured first. At the end, the command prints what "
        "happened\n"
        "in how many seeds. Exit status 1 means that a seed failed or that something of --require\n"
        "never happened.\n\n"
        "Example:\n"
        "  satin sim sweep --seeds 1..1000 --clusters 4x8 --faults swarm nqueens 9",
    .options = options,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
    .is_strict = TRUE,
  };
  n_jobs = (int)MIN (g_get_num_processors (), MAX_JOBS);
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  if (sim_option_clear ("seed"))
    return command_refuse (error, "sim sweep", "--seed is for one seed; give --seeds A..B");
  if (sim_option_clear ("csv") | sim_option_clear ("plot") | sim_option_clear ("trace")
      | sim_option_clear ("log") | sim_option_clear ("figures") | sim_option_clear ("journal"))
    return command_refuse (
        error, "sim sweep",
        "--csv, --figures, --journal, --plot, --trace and --log are for one seed: use satin sim");
  if (n_jobs < 1 || n_jobs > MAX_JOBS)
    return command_refuse (error, "sim sweep", "--jobs wants a whole number from 1 to %d, not %d",
                           MAX_JOBS, n_jobs);
  if (timeout_s < 1 || timeout_s > MAX_TIMEOUT_S)
    return command_refuse (error, "sim sweep",
                           "--timeout wants a whole number from 1 to %d, not %d", MAX_TIMEOUT_S,
                           timeout_s);
  g_autofree char *path = program_find (argv[1], error);
  if (path == NULL)
    return FALSE;
  Sweep self = { .path = path, .argv = argv + 1 };
  gboolean is_run = read_seeds (&self, error) && sweep (&self, ret_status, error);
  sweep_done (&self);
  return is_run;
}
