/* policy-remote.c - a policy that asks processes in which a student's policy runs
 *
 * The simulator loads this plugin, and no code of the student. So the grader can trust what the
 * simulator writes. REMOTE_FDS names two descriptors: for questions to host.c, and for answers of
 * host.c.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Asks, and waits for the answer. If the policy has crashed, or was asked too often, ends the
 * simulator. */
static RemoteAnswer
ask (guint32 handle, RemoteKind kind, const SatinStealSituation *situation)
{
  static int fds[2] = { -1, -1 };
  static RemoteQuestion question;
  static guint n_questions;
  RemoteAnswer answer;
  if (fds[0] < 0 && sscanf (getenv ("REMOTE_FDS"), "%d,%d", &fds[0], &fds[1]) != 2)
    exit (98);
  if (++n_questions > MOST_QUESTIONS)
    {
      fprintf (stderr, "the policy is asked too often\n");
      _exit (97);
    }
  question.handle = handle;
  question.kind = kind;
  if (situation != NULL)
    {
      question.situation = *situation;
      memcpy (question.victims, situation->victims, situation->n_victims * sizeof (SatinVictim));
      memcpy (question.offers, situation->offers, situation->n_offers * sizeof (guint));
    }
  if (!pipe_write (fds[0], &question, sizeof question)
      || !pipe_read (fds[1], &answer, sizeof answer))
    {
      fprintf (stderr, "the policy has crashed\n");
      _exit (99);
    }
  return answer;
}

static gpointer
remote_open (const SatinParams *given, GError **error)
{
  static guint n_opened;
  guint handle = ++n_opened;
  if (handle < MOST_HANDLES && ask (handle, REMOTE_OPEN, NULL).is_right)
    return GUINT_TO_POINTER (handle);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "the policy does not open");
  return NULL;
}

static void
remote_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  *ret_choice = ask (GPOINTER_TO_UINT (policy), REMOTE_CHOOSE, situation).choice;
}

#ifdef WITH_BALANCE
static void
remote_balance (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  *ret_choice = ask (GPOINTER_TO_UINT (policy), REMOTE_BALANCE, situation).choice;
}
#endif

static void
remote_close (gpointer policy)
{
  ask (GPOINTER_TO_UINT (policy), REMOTE_CLOSE, NULL);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = remote_open,
  .choose = remote_choose,
  .close = remote_close,
#ifdef WITH_BALANCE
  .balance = remote_balance,
#endif
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "remote",
  .version = "1",
  .summary = "asks another process",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
