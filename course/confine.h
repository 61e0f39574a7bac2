/* confine.h - gives up all system calls but those that loading a library and computing need
 *
 * A process that has called confine() cannot start processes, open files for writing, or connect to
 * anything. Then it may load code of a student: that code can read files, but can write only to
 * descriptors that are open already. Call hide_memory() before confine(). Define _GNU_SOURCE before
 * you include this file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#  define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#  define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#  error "this machine has no filter of system calls yet"
#endif

static inline void
add_load (struct sock_filter *at, gsize offset)
{
  *at = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, (guint32)offset);
}

static inline void
add_jump (struct sock_filter *at, guint16 test, guint32 value, guint8 if_true, guint8 if_false)
{
  *at = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_K | test, value, if_true, if_false);
}

static inline void
add_return (struct sock_filter *at, guint32 verdict)
{
  *at = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, verdict);
}

/* From now on no other process of the same user can open the memory of this process, and of the
 * children that it forks. */
static inline void
hide_memory (void)
{
  if (prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
    _exit (97);
}

/* From now on only the system calls of the list are allowed, and openat() for reading. All others
 * fail with EPERM. A system call of another architecture ends the process. */
static inline void
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
