/* host.c - has a student's policy: a process for each node, so that no node knows what another does
 *
 *   host PLUGIN             answers questions of policy-remote.c on its standard input
 *   host PLUGIN describe    prints whether the policy has the operation balance
 *
 * This process never loads the plugin. It makes a child for each handle, and passes on questions
 * and answers. Before a child loads the plugin, it gives up all system calls except those that
 * loading and computing need: it cannot start processes, open files for writing, or connect to
 * anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "remote.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#if defined(__x86_64__)
#  define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#  define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#  error "this machine has no filter of system calls yet"
#endif

/* A child, and the pipes to and from it. */
typedef struct
{
  pid_t pid;
  int to, from;
} Child;

static Child children[MOST_HANDLES];

/* ---- a child ---- */

static void
add_load (struct sock_filter *at, gsize offset)
{
  *at = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, (guint32)offset);
}

static void
add_jump (struct sock_filter *at, guint16 test, guint32 value, guint8 if_true, guint8 if_false)
{
  *at = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_K | test, value, if_true, if_false);
}

static void
add_return (struct sock_filter *at, guint32 verdict)
{
  *at = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, verdict);
}

/* Each call of the list is allowed, and openat() if it only reads. */
static void
confine (void)
{
  /* clang-format off */
  static const int calls[] = {
    SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_newfstatat, SYS_lseek, SYS_pread64, SYS_faccessat, SYS_readlinkat,
    SYS_getcwd, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_getrandom,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_getpid, SYS_gettid, SYS_exit, SYS_exit_group,
#ifdef SYS_access
    SYS_access, SYS_readlink,
#endif
  };
  /* clang-format on */
  struct sock_filter filter[80];
  int n = 0;
  add_load (&filter[n++], offsetof (struct seccomp_data, arch));
  add_jump (&filter[n++], BPF_JEQ, ARCHITECTURE, 1, 0);
  add_return (&filter[n++], SECCOMP_RET_KILL_PROCESS);
  add_load (&filter[n++], offsetof (struct seccomp_data, nr));
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      add_jump (&filter[n++], BPF_JEQ, (guint32)calls[i], 0, 1);
      add_return (&filter[n++], SECCOMP_RET_ALLOW);
    }
  add_jump (&filter[n++], BPF_JEQ, SYS_openat, 0, 3);
  add_load (&filter[n++], offsetof (struct seccomp_data, args[2]));
  add_jump (&filter[n++], BPF_JSET, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 1, 0);
  add_return (&filter[n++], SECCOMP_RET_ALLOW);
  add_return (&filter[n++], SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog program = { .len = (unsigned short)n, .filter = filter };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit (97);
}

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
  while (remote_read (0, &question, sizeof question))
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
      if (!remote_write (1, &result, sizeof result) || question.kind == REMOTE_CLOSE)
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
  if (!remote_write (child->to, question, sizeof *question)
      || !remote_read (child->from, &result, sizeof result)
      || !remote_write (1, &result, sizeof result))
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
  if (argc > 2)
    {
      SatinPolicyOps ops;
      confine ();
      if (open_policy (argv[1], &ops) == NULL)
        return 1;
      puts (ops.balance != NULL ? "balance" : "choose");
      return 0;
    }
  while (remote_read (0, &question, sizeof question))
    if (!pass_on (&question, argv[1]))
      return 1;
  return 0;
}
