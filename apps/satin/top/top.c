/* top.c - `satin top`: the nodes of a run, refreshed in place
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/forecast.h"
#include "runs/target.h"
#include "top/screen.h"
#include "view.h"

#include <unistd.h>

#define DEFAULT_DELAY_US ((gint64)1000000)
#define MIN_DELAY_US     ((gint64)100000)
#define BATCH_COLUMNS    200
/* For how long after its last answer a hub is asked again. SILENT_US: a hub that is overloaded or
 * stopped. LOST_US: a hub that was lost and may be started again. ELSEWHERE_US: a hub on another
 * machine, at whose address nobody listens any more: the hub was lost or the run is over. */
#define SILENT_US    ((gint64)60 * G_USEC_PER_SEC)
#define LOST_US      ((gint64)30 * G_USEC_PER_SEC)
#define ELSEWHERE_US ((gint64)10 * G_USEC_PER_SEC)
/* The shortest time between the first refusal and the next question. */
#define AGAIN_US ((gint64)500000)

static const char details[] =
    "Shows how busy each node of a run is, and refreshes the screen until the run is over. The\n"
    "shares of time and the rates are those since the last refresh. A star marks the master.\n"
    "near% and far% are the shares of the time in which an answer of the node's own cluster, and\n"
    "of another one, was overdue.\n"
    "\n"
    "Keys:\n"
    "  q            ends the command\n"
    "  n b j s      sort by node, share of time in jobs, jobs a second, steals\n"
    "  space        refresh now\n"
    "  + -          scroll by half a screen\n"
    "\n"
    "With --batch, or if standard input or output is no terminal, the screens are printed one\n"
    "after the other.\n"
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
  gboolean is_here;    /* the hub is a process of this user on this machine */
  gboolean is_refused; /* the last question was refused, as if the run was over */
  TopOrder order;
  guint first;
  Forecast forecast;
} Top;

static gboolean
parse (Options *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "delay", 'd', 0, G_OPTION_ARG_STRING, &self->delay, "Wait TIME between two refreshes (default: 1s)", "TIME" },
    { "batch", 'b', 0, G_OPTION_ARG_NONE, &self->is_batch, "Print screens one after the other", NULL },
    { "screens", 'n', 0, G_OPTION_ARG_INT, &self->n_screens, "End after N screens (default: 0, when the run is over)", "N" },
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

/* Asks for a status. @ret_period_us: the time since the last answer; for the first answer, the age
 * of the run. Returns: %FALSE with @error when the hub does not answer */
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
  forecast_add (&self->forecast, &status, now_us);
  self->n_statuses++;
  return TRUE;
}

/* @notice: (nullable): a line above the table */
static void
draw (Top *self, gint64 period_us, const char *notice)
{
  g_autofree char *left = forecast_describe (&self->forecast, g_get_monotonic_time ());
  TopView view = { .now = &self->now,
                   .before = self->n_statuses > 1 ? &self->before : NULL,
                   .period_us = MAX (period_us, 1),
                   .order = self->order,
                   .n_columns = BATCH_COLUMNS,
                   .first = self->first,
                   .left = left,
                   .notice = notice };
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

/* Whether nobody listens at the hub's address any more. */
static gboolean
is_gone (const GError *refused)
{
  return g_error_matches (refused, SATIN_ERROR, SATIN_ERROR_UNREACHABLE)
         || g_error_matches (refused, SATIN_ERROR, SATIN_ERROR_CLOSED);
}

/* Returns: for how long after the last answer the hub is asked again, if it @refused to answer */
static gint64
get_patience_us (const Top *self, const GError *refused)
{
  if (g_error_matches (refused, SATIN_ERROR, SATIN_ERROR_TIMEOUT))
    return SILENT_US;
  if (!is_gone (refused))
    return 0;
  return run_dir_was_lost (self->options->target.hub) ? LOST_US : self->is_here ? 0 : ELSEWHERE_US;
}

static gboolean
may_answer (const Top *self, const GError *refused)
{
  return self->n_statuses > 0
         && g_get_monotonic_time () - self->asked_us < get_patience_us (self, refused);
}

/* A hub that is started again may not have its folder or its address yet. So the first refusal
 * after an answer is not the end. Returns: how long to wait before the next question; 0: this is
 * the end */
static gint64
get_grace_us (Top *self, const GError *refused)
{
  if (self->n_statuses == 0 || !is_gone (refused) || self->is_refused)
    return 0;
  self->is_refused = TRUE;
  return MAX (self->options->delay_us, AGAIN_US);
}

static void
tell_silence (Top *self, gint64 period_us)
{
  gint64 silent_us = g_get_monotonic_time () - self->asked_us;
  g_autofree char *notice =
      g_strdup_printf ("the hub does not answer (for %.0f s)", (double)silent_us / G_USEC_PER_SEC);
  if (self->screen != NULL)
    draw (self, period_us, notice);
  else
    g_printerr ("satin: %s\n", notice);
}

/* Says why the command ends. If there was an answer before, a hub that is gone means that the run
 * is over. */
static gboolean
say_end (const Top *self, const GError *refused, GError **error)
{
  if (self->n_statuses == 0 || !is_gone (refused))
    {
      g_propagate_error (error, g_error_copy (refused));
      return FALSE;
    }
  gboolean is_known = self->is_here && !run_dir_was_lost (self->options->target.hub);
  g_printerr ("satin: the run is over%s\n", is_known ? "" : ", or its hub is lost");
  return TRUE;
}

static gboolean
follow (Top *self, GError **error)
{
  gint64 period_us = 0;
  const int n_screens = self->options->n_screens;
  self->is_here = is_here (self->options->target.hub);
  for (;;)
    {
      g_autoptr (GError) refused = NULL;
      gint64 pause_us = self->options->delay_us;
      if (ask (self, &period_us, &refused))
        {
          self->is_refused = FALSE;
          draw (self, period_us, NULL);
        }
      else if (may_answer (self, refused))
        tell_silence (self, period_us);
      else if ((pause_us = get_grace_us (self, refused)) == 0)
        {
          g_clear_pointer (&self->screen, top_screen_free);
          return say_end (self, refused, error);
        }
      if ((n_screens > 0 && self->n_statuses >= (guint)n_screens) || !pause_for (self, pause_us))
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
