/* sweep.c - `satin sim sweep`: simulates a program with many seeds, and reports the seeds that fail
 *
 * Each seed has a process of its own, so that a crash is one more finding. A seed passes when its
 * process ends with status 0 and prints the same as the program without a simulation. With
 * --or-fails, a seed also passes when the program fails as that option says.
 *
 * A signal kills all processes, and the sweep ends as soon as they have ended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "counts.h"
#include "pool.h"
#include "programs.h"
#include "runs/folders.h"
#include "sim.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_FAILURES_SHOWN 20
#define MAX_JOBS           4096
#define MAX_TIMEOUT_S      86400

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
  char **argv;     /* (borrowed) the program's arguments, its name first */
  SweepPool *pool; /* (owned) */
  char *expected;  /* (owned) the program's output without a simulation */
  char *folder;    /* (owned) for reports */
  guint64 next, last, first;
  guint64 n_done, n_failed;
  SweepCounts *counts; /* (owned) what happened in these seeds */
  gint64 started_us;
  gboolean is_terminal;
} Sweep;

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

static void
trial_free (Trial *self)
{
  g_clear_object (&self->process);
  g_free (self->report);
  g_free (self);
}

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
  gboolean is_read =
      sweep_pool_finish (self->pool, trial->process, result, &stdout_text, &stderr_text, &error);
  /* After a signal this seed counts as not tried. */
  if (sweep_pool_get_signal (self->pool) == 0)
    {
      if (is_read)
        judge (trial, stdout_text, stderr_text);
      else
        tell_failure (trial, error->message, NULL);
      sweep_counts_add (self->counts, trial->report);
      self->n_done++;
      show_progress (self);
    }
  g_unlink (trial->report);
  if (trial->timer != 0)
    g_source_remove (trial->timer);
  trial_free (trial);
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
  trial->process = sweep_pool_start (self->pool, world, trial_over, trial, &error);
  if (trial->process == NULL)
    {
      tell_failure (trial, error->message, NULL);
      self->n_done++;
      trial_free (trial);
      return;
    }
  trial->timer = g_timeout_add_seconds ((guint)timeout_s, on_overdue, trial);
}

static void
start_next (Sweep *self)
{
  while (sweep_pool_count (self->pool) < (guint)n_jobs && self->next <= self->last
         && !(until_failure && self->n_failed > 0) && sweep_pool_get_signal (self->pool) == 0)
    start_trial (self, self->next++);
}

/* Runs the program without a simulation, and keeps its output. */
static gboolean
find_expected (Sweep *self, GError **error)
{
  g_autofree char *stderr_text = NULL;
  g_autoptr (GSubprocess) process =
      sweep_pool_run (self->pool, NULL, &self->expected, &stderr_text, error);
  if (process == NULL)
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
  g_autoptr (GSubprocess) process = sweep_pool_run (self->pool, world, NULL, NULL, error);
  if (process == NULL)
    return FALSE;
  const char *line =
      g_file_get_contents (report, &text, NULL, NULL) ? strstr (text, REPORT_WORK_LINE) : NULL;
  g_unlink (report);
  if (line != NULL)
    sim_option_exchange (
        "work", g_strdup_printf ("%" G_GUINT64_FORMAT "us",
                                 g_ascii_strtoull (line + strlen (REPORT_WORK_LINE), NULL, 10)));
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

/* Finds what the trials need. */
static gboolean
prepare (Sweep *self, GError **error)
{
  self->folder = g_dir_make_tmp ("satin-sweep-XXXXXX", error);
  if (self->folder == NULL || !find_expected (self, error))
    return FALSE;
  g_autofree char *work = sim_option_exchange ("work", NULL);
  if (work == NULL)
    return measure_work (self, error);
  sim_option_exchange ("work", g_steal_pointer (&work));
  return TRUE;
}

/* Prints what the sweep has found. Returns: the exit status */
static int
tell_end (const Sweep *self)
{
  double elapsed_s = (double)(g_get_monotonic_time () - self->started_us) / 1e6;
  g_print ("%s%" G_GUINT64_FORMAT
           " seeds in %.1f s (%.1f seeds/s), %.1f faults each: %" G_GUINT64_FORMAT " failed\n",
           self->is_terminal ? "\r\033[K" : "", self->n_done, elapsed_s,
           (double)self->n_done / MAX (elapsed_s, 1e-3),
           (double)sweep_counts_get_faults (self->counts) / (double)MAX (self->n_done, 1),
           self->n_failed);
  sweep_counts_print (self->counts);
  int signal_number = sweep_pool_get_signal (self->pool);
  if (signal_number != 0)
    {
      g_printerr ("satin: stopped by signal %d (%s) after %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT " seeds\n",
                  signal_number, g_strsignal (signal_number), self->n_done,
                  self->last - self->first + 1);
      return 128 + signal_number;
    }
  gboolean has_all = sweep_counts_has_all (self->counts, required != NULL ? required : "");
  return self->n_failed > 0 || !has_all ? 1 : 0;
}

static gboolean
sweep (Sweep *self, int *ret_status, GError **error)
{
  g_autoptr (GError) failure = NULL;
  self->is_terminal = isatty (STDOUT_FILENO);
  self->counts = sweep_counts_new ();
  /* If a signal has killed the program, its failure means nothing. */
  if (!prepare (self, &failure) && sweep_pool_get_signal (self->pool) == 0)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  self->started_us = g_get_monotonic_time ();
  start_next (self);
  sweep_pool_wait (self->pool);
  *ret_status = tell_end (self);
  return TRUE;
}

static void
sweep_done (Sweep *self)
{
  /* A program that was killed may have left more than its report. */
  if (self->folder != NULL)
    run_info_remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->expected);
  sweep_counts_free (self->counts);
  sweep_pool_free (self->pool);
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
  Sweep self = { .argv = argv + 1 };
  if (!read_seeds (&self, error))
    return FALSE;
  self.pool = sweep_pool_new (path, self.argv);
  gboolean is_run = sweep (&self, ret_status, error);
  sweep_done (&self);
  return is_run;
}
