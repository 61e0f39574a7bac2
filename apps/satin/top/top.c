/* top.c - `satin top`: the nodes of a run, refreshed in place
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/target.h"
#include "top/screen.h"
#include "view.h"

#include <unistd.h>

#define DEFAULT_DELAY_US ((gint64)1000000)
#define MIN_DELAY_US     ((gint64)100000)
#define BATCH_COLUMNS    200
/* How long a hub that was lost may take to be there again; and a hub elsewhere, of which this
 * command cannot know whether it was lost or the run is over. */
#define LOST_US      ((gint64)30 * G_USEC_PER_SEC)
#define ELSEWHERE_US ((gint64)10 * G_USEC_PER_SEC)

static const char details[] =
    "Shows how busy each node of a run is, and refreshes the screen until the run is over. The\n"
    "shares of time and the rates are those since the last refresh. A star marks the master.\n"
    "\n"
    "Keys:\n"
    "  q            ends the command\n"
    "  n b j s      sort by node, share of time in jobs, jobs a second, steals\n"
    "  space        refresh now\n"
    "  + -          scroll by a page\n"
    "\n"
    "With --batch, or if standard output is no terminal, the screens are printed one after the\n"
    "other.\n"
    "\n"
    "Examples:\n"
    "  satin top\n"
    "  satin top -d 5s --hub tcp://10.0.0.1:7000 --secret-file key\n"
    "  satin top -b -n 1";

typedef struct
{
  RunTarget target;
  char *delay; /* (owned) (nullable) */
  gint64 delay_us;
  int n_screens; /* 0: until the run is over */
  gboolean is_batch;
} Options;

/* The state of the command. */
typedef struct
{
  const Options *options; /* (borrowed) */
  Session *session;       /* (borrowed) */
  TopScreen *screen;      /* (owned) (nullable): NULL in batch mode */
  SatinRunStatus now;     /* (owned) */
  SatinRunStatus before;  /* (owned) */
  gint64 asked_us;        /* when @now came */
  guint n_statuses;
  gboolean is_here;   /* the hub is a process of this user on this machine */
  gint64 silent_us;   /* since when the hub does not answer; 0: it does */
  gint64 patience_us; /* how long to wait for it */
  TopOrder order;
  guint first;
} Top;

static gboolean
parse (Options *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "delay", 'd', 0, G_OPTION_ARG_STRING, &self->delay, "Refresh so often (default: 1s)", "TIME" },
    { "batch", 'b', 0, G_OPTION_ARG_NONE, &self->is_batch, "Print screens one after the other", NULL },
    { "screens", 'n', 0, G_OPTION_ARG_INT, &self->n_screens, "End after N screens", "N" },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "top",
    .summary = "Shows what the nodes of a run do, refreshed in place.",
    .details = details,
    .options = entries,
  };
  if (!command_parse (&syntax, argc, argv, error))
    return FALSE;
  self->delay_us = DEFAULT_DELAY_US;
  if (self->delay != NULL && !satin_parse_duration (self->delay, &self->delay_us, error))
    {
      g_prefix_error (error, "--delay: ");
      return FALSE;
    }
  if (self->delay_us < MIN_DELAY_US || self->n_screens < 0)
    return command_refuse (error, "top", "--delay must be 100ms or more, and --screens 0 or more");
  self->is_batch |= !isatty (STDOUT_FILENO) || !isatty (STDIN_FILENO);
  return TRUE;
}

/* Returns: %FALSE with @error when the hub does not answer */
static gboolean
ask (Top *self, gint64 *ret_period_us, GError **error)
{
  SatinRunStatus status;
  if (!session_ask_status (self->session, self->options->target.hub, SESSION_ANSWER_US, &status,
                           error))
    return FALSE;
  gint64 now_us = g_get_monotonic_time ();
  if (self->n_statuses > 1)
    satin_record_clear (&SatinRunStatus_record, &self->before);
  self->before = self->now;
  self->now = status;
  *ret_period_us = self->n_statuses > 0 ? now_us - self->asked_us : status.up_us;
  self->asked_us = now_us;
  self->n_statuses++;
  return TRUE;
}

static void
draw (Top *self, gint64 period_us)
{
  TopView view = { .now = &self->now,
                   .before = self->n_statuses > 1 ? &self->before : NULL,
                   .period_us = MAX (period_us, 1),
                   .order = self->order,
                   .n_columns = BATCH_COLUMNS,
                   .first = self->first };
  if (self->screen != NULL)
    top_screen_get_size (self->screen, &view.n_rows, &view.n_columns);
  g_autofree char *text = top_view_format (&view);
  if (self->screen != NULL)
    top_screen_draw (self->screen, text);
  else
    g_print ("%s\n", text);
}

/* Returns: %FALSE when the user wants to end */
static gboolean
take_key (Top *self, char key)
{
  guint n_rows, n_columns;
  top_screen_get_size (self->screen, &n_rows, &n_columns);
  switch (key)
    {
    case 'q':
      return FALSE;
    case 'n':
      self->order = TOP_BY_NODE;
      break;
    case 'b':
      self->order = TOP_BY_BUSY;
      break;
    case 'j':
      self->order = TOP_BY_JOBS;
      break;
    case 's':
      self->order = TOP_BY_STEALS;
      break;
    case '+':
      self->first += n_rows / 2;
      break;
    case '-':
      self->first -= MIN (self->first, n_rows / 2);
      break;
    }
  return TRUE;
}

/* Returns: %FALSE when the user wants to end */
static gboolean
pause_for (Top *self, gint64 time_us)
{
  if (self->screen != NULL)
    return take_key (self, top_screen_wait (self->screen, time_us));
  session_pause (self->session, time_us);
  return TRUE;
}

static gboolean
is_here (const char *uri)
{
  g_autoptr (GPtrArray) runs = run_dir_list ();
  for (guint i = 0; i < runs->len; i++)
    if (g_str_equal (((const RunInfo *)g_ptr_array_index (runs, i))->uri, uri))
      return TRUE;
  return FALSE;
}

/* Waits a moment for a hub that has answered before and does not answer now: it may be started
 * again. Returns: %FALSE when there is no hope, or when the user wants to end */
static gboolean
wait_for_hub (Top *self)
{
  gint64 now_us = g_get_monotonic_time ();
  if (self->silent_us == 0)
    {
      gboolean is_lost = run_dir_was_lost (self->options->target.hub);
      if (self->is_here && !is_lost)
        {
          g_clear_pointer (&self->screen, top_screen_free);
          g_printerr ("satin: the run is over\n");
          return FALSE;
        }
      self->silent_us = now_us;
      self->patience_us = is_lost ? LOST_US : ELSEWHERE_US;
      if (self->screen != NULL)
        top_screen_draw (self->screen, "the hub does not answer; q ends\n");
      else
        g_printerr ("satin: the hub does not answer\n");
    }
  if (now_us - self->silent_us < self->patience_us)
    return pause_for (self, self->options->delay_us);
  g_clear_pointer (&self->screen, top_screen_free);
  g_printerr ("satin: the run is over, or its hub is lost\n");
  return FALSE;
}

static gboolean
follow (Top *self, GError **error)
{
  gint64 period_us;
  const int n_screens = self->options->n_screens;
  self->is_here = is_here (self->options->target.hub);
  while (TRUE)
    {
      g_autoptr (GError) refused = NULL;
      if (ask (self, &period_us, &refused))
        {
          self->silent_us = 0;
          draw (self, period_us);
          if ((n_screens > 0 && self->n_statuses >= (guint)n_screens)
              || !pause_for (self, self->options->delay_us))
            return TRUE;
        }
      else if (self->n_statuses == 0)
        {
          g_propagate_error (error, g_steal_pointer (&refused));
          return FALSE;
        }
      else if (!wait_for_hub (self))
        return TRUE;
    }
}

gboolean
command_top (int argc, char **argv, int *ret_status, GError **error)
{
  Options options = { 0 };
  Top top = { .options = &options };
  gboolean is_right =
      parse (&options, &argc, &argv, error)
      && (options.target.hub != NULL || run_target_find_one (&options.target, error));
  *ret_status = 0;
  if (is_right)
    {
      g_autoptr (Session) session = run_target_open (&options.target, error);
      top.session = session;
      is_right = session != NULL;
      if (is_right && !options.is_batch)
        top.screen = top_screen_new ();
      is_right = is_right && follow (&top, error);
      g_clear_pointer (&top.screen, top_screen_free);
    }
  if (top.n_statuses > 0)
    satin_record_clear (&SatinRunStatus_record, &top.now);
  if (top.n_statuses > 1)
    satin_record_clear (&SatinRunStatus_record, &top.before);
  run_target_clear (&options.target);
  g_free (options.delay);
  return is_right;
}
