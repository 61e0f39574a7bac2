/* host.c - runs a student's policy: a process for each node, so that no node knows what others do
 *
 *   host PLUGIN             answers questions of policy-remote.c on its standard input
 *   host PLUGIN describe    prints whether the policy has the operation balance
 *
 * To answer questions, the program makes a child for each handle, which is the policy of one node,
 * and passes on questions and answers. Then only the children load the plugin. A process that loads
 * the plugin first gives up all system calls except those that loading and computing need: it
 * cannot start processes, open files for writing, or connect to anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "confine.h"
#include "remote.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
open_policy (const char *path, SatinPolicyOps *ops)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_open (path, &error);
  gpointer policy = NULL;
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_policy_required, ops, sizeof *ops, &error))
    return NULL;
  const SatinParam *table = satin_plugin_get_desc (plugin)->params;
  static const SatinParam nothing[] = { { NULL, SATIN_PARAM_INT, NULL, NULL } };
  const char *const no_assignments[] = { NULL };
  SatinParams *params =
      satin_params_parse (table != NULL ? table : nothing, no_assignments, &error);
  if (params != NULL)
    policy = ops->open (params, &error);
  return policy;
}

/* Answers the questions about one node, on descriptors 0 and 1. */
static void
answer (const char *path)
{
  static RemoteQuestion question;
  SatinPolicyOps ops;
  gpointer policy = NULL;
  while (pipe_read (0, &question, sizeof question))
    {
      RemoteAnswer result = { .is_right = TRUE };
      question.situation.victims = question.victims;
      question.situation.offers = question.offers;
      if (question.kind == REMOTE_OPEN)
        result.is_right = (policy = open_policy (path, &ops)) != NULL;
      else if (question.kind == REMOTE_CHOOSE)
        ops.choose (policy, &question.situation, &result.choice);
      else if (question.kind == REMOTE_BALANCE)
        ops.balance (policy, &question.situation, &result.choice);
      else
        ops.close (policy);
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

static gboolean
pass_on (const RemoteQuestion *question, const char *path)
{
  Child *child = &children[question->handle % MOST_HANDLES];
  RemoteAnswer result;
  if (question->kind == REMOTE_OPEN && !start_child (child, path))
    return FALSE;
  if (!pipe_write (child->to, question, sizeof *question)
      || !pipe_read (child->from, &result, sizeof result)
      || !pipe_write (1, &result, sizeof result))
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
  signal (SIGPIPE, SIG_IGN);
  hide_memory ();
  if (argc > 2)
    {
      SatinPolicyOps ops;
      confine ();
      if (open_policy (argv[1], &ops) == NULL)
        return 1;
      puts (ops.balance != NULL ? "balance" : "choose");
      return 0;
    }
  while (pipe_read (0, &question, sizeof question))
    if (!pass_on (&question, argv[1]))
      return 1;
  return 0;
}
