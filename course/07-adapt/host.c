/* host.c - runs a student's adaptation: a process for each handle
 *
 *   host PLUGIN          answers questions of adaptation-remote.c on its standard input
 *   host PLUGIN try      opens the adaptation, and prints "opens" if that succeeds
 *
 * To answer questions, the program makes a child for each handle, and passes on questions and
 * answers. Then only the children load the plugin. A process that loads the plugin first gives up
 * all system calls except those that loading and computing need: it cannot start processes, open
 * files for writing, or connect to anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "confine.h"
#include "remote.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* A child, and the pipes to and from it. */
typedef struct
{
  pid_t pid;
  int to, from;
} Child;

static Child children[MOST_HANDLES];

/* ---- a child ---- */

static gpointer
open_adaptation (const char *path, SatinAdaptationOps *ops)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_open (path, &error);
  gpointer adaptation = NULL;
  if (plugin == NULL || satin_plugin_get_desc (plugin)->kind != SATIN_PLUGIN_ADAPTATION
      || !satin_plugin_copy_ops (plugin, satin_adaptation_required, ops, sizeof *ops, &error))
    return NULL;
  const SatinParam *table = satin_plugin_get_desc (plugin)->params;
  static const SatinParam nothing[] = { { NULL, SATIN_PARAM_INT, NULL, NULL } };
  const char *const no_assignments[] = { NULL };
  SatinParams *params =
      satin_params_parse (table != NULL ? table : nothing, no_assignments, &error);
  if (params != NULL)
    adaptation = ops->open (params, &error);
  return adaptation;
}

/* Lets the adaptation decide, and sends the decision. */
static gboolean
decide (gpointer adaptation, const SatinAdaptationOps *ops, const SatinCensus *census)
{
  SatinDecision decision;
  satin_decision_init (&decision);
  ops->decide (adaptation, census, &decision);
  const RemoteAnswer answer = { TRUE, MIN (decision.asks->len, MOST_CHANGES),
                                MIN (decision.removals->len, MOST_CHANGES) };
  gboolean is_sent =
      pipe_write (1, &answer, sizeof answer)
      && pipe_write (1, decision.asks->data, answer.n_asks * sizeof (SatinAsk))
      && pipe_write (1, decision.removals->data, answer.n_removals * sizeof (SatinRemoval));
  satin_decision_clear (&decision);
  return is_sent;
}

/* Answers the questions about one handle, on descriptors 0 and 1. */
static void
answer (const char *path)
{
  static RemoteQuestion question;
  static RemoteFigures figures;
  SatinAdaptationOps ops;
  gpointer adaptation = NULL;
  while (remote_hear (0, &question, &figures))
    {
      RemoteAnswer result = { .is_right = TRUE };
      if (question.kind == REMOTE_DECIDE)
        {
          if (!decide (adaptation, &ops, &question.census))
            return;
          continue;
        }
      if (question.kind == REMOTE_OPEN)
        result.is_right = (adaptation = open_adaptation (path, &ops)) != NULL;
      else
        ops.close (adaptation);
      if (!pipe_write (1, &result, sizeof result) || question.kind == REMOTE_CLOSE)
        return;
    }
}

/* ---- the parent ---- */

static gboolean
start_child (Child *child, const char *path)
{
  int to[2], from[2];
  if (pipe (to) != 0 || pipe (from) != 0 || (child->pid = fork ()) < 0)
    return FALSE;
  if (child->pid == 0)
    {
      dup2 (to[0], 0);
      dup2 (from[1], 1);
      dup2 (open ("/dev/null", O_WRONLY), 2);
      syscall (SYS_close_range, 3u, ~0u, 0u);
      confine ();
      answer (path);
      _exit (0);
    }
  close (to[0]);
  close (from[1]);
  child->to = to[1];
  child->from = from[0];
  return TRUE;
}

/* Reads the answer of a child and passes it on. */
static gboolean
pass_answer (int from)
{
  static guint8 changes[MOST_CHANGES * (sizeof (SatinAsk) + sizeof (SatinRemoval))];
  RemoteAnswer result;
  if (!pipe_read (from, &result, sizeof result) || result.n_asks > MOST_CHANGES
      || result.n_removals > MOST_CHANGES)
    return FALSE;
  gsize n_bytes = result.n_asks * sizeof (SatinAsk) + result.n_removals * sizeof (SatinRemoval);
  return pipe_read (from, changes, n_bytes) && pipe_write (1, &result, sizeof result)
         && pipe_write (1, changes, n_bytes);
}

static gboolean
pass_on (const RemoteQuestion *question, const RemoteFigures *figures, const char *path)
{
  Child *child = &children[question->handle % MOST_HANDLES];
  if (question->kind == REMOTE_OPEN && !start_child (child, path))
    return FALSE;
  if (!remote_ask (child->to, question, figures) || !pass_answer (child->from))
    return FALSE;
  if (question->kind == REMOTE_CLOSE)
    {
      close (child->to);
      close (child->from);
      waitpid (child->pid, NULL, 0);
    }
  return TRUE;
}

int
main (int argc, char **argv)
{
  static RemoteQuestion question;
  static RemoteFigures figures;
  signal (SIGPIPE, SIG_IGN);
  hide_memory ();
  if (argc > 2)
    {
      SatinAdaptationOps ops;
      confine ();
      if (open_adaptation (argv[1], &ops) == NULL)
        return 1;
      puts ("opens");
      return 0;
    }
  while (remote_hear (0, &question, &figures))
    if (!pass_on (&question, &figures, argv[1]))
      return 1;
  return 0;
}
