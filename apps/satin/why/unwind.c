/* unwind.c - the stacks of the threads of another process on this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unwind.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

/* How many frames of a thread are shown at most: the innermost ones. */
#define MAX_FRAMES 64

typedef struct
{
  GString *out; /* (borrowed) */
  gint64 pid;
  guint n_frames;     /* of the current thread */
  guint n_all_frames; /* of all threads so far, without the current one */
  char *refusal;      /* (owned) (nullable): the error of the first thread that had one */
} Unwinding;

static void
append_place (GString *out, Dwfl_Module *module, Dwarf_Addr pc)
{
  int line = 0;
  Dwfl_Line *place = dwfl_module_getsrc (module, pc);
  const char *file = place != NULL ? dwfl_lineinfo (place, NULL, &line, NULL, NULL, NULL) : NULL;
  if (file == NULL)
    return;
  const char *base = strrchr (file, '/');
  g_string_append_printf (out, "  %s:%d", base != NULL ? base + 1 : file, line);
}

static int
on_frame (Dwfl_Frame *frame, void *data)
{
  Unwinding *self = data;
  Dwarf_Addr pc;
  bool is_activation;
  if (self->n_frames++ >= MAX_FRAMES)
    {
      g_string_append (self->out, "    ...\n");
      return DWARF_CB_ABORT;
    }
  if (!dwfl_frame_pc (frame, &pc, &is_activation))
    return DWARF_CB_ABORT;
  /* A return address is behind the call, which may be the last instruction of its function. */
  Dwarf_Addr at = pc - (is_activation ? 0 : 1);
  Dwfl *dwfl = dwfl_thread_dwfl (dwfl_frame_thread (frame));
  Dwfl_Module *module = dwfl_addrmodule (dwfl, at);
  const char *name = module != NULL ? dwfl_module_addrname (module, at) : NULL;
  g_string_append_printf (self->out, "    %s", name != NULL ? name : "?");
  if (module != NULL)
    append_place (self->out, module, at);
  g_string_append_c (self->out, '\n');
  return DWARF_CB_OK;
}

static int
on_thread (Dwfl_Thread *thread, void *data)
{
  Unwinding *self = data;
  g_autofree char *comm = NULL;
  pid_t tid = dwfl_thread_tid (thread);
  g_autofree char *path =
      g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/task/%d/comm", self->pid, (int)tid);
  if (!g_file_get_contents (path, &comm, NULL, NULL))
    comm = g_strdup ("?");
  g_string_append_printf (self->out, "  thread %d (%s)\n", (int)tid, g_strstrip (comm));
  self->n_frames = 0;
  dwfl_errno (); /* forgets older errors */
  /* After an error, the frames before it stay. */
  if (dwfl_thread_getframes (thread, on_frame, self) == -1 && self->refusal == NULL)
    self->refusal = g_strdup (dwfl_errmsg (-1));
  self->n_all_frames += self->n_frames;
  return DWARF_CB_OK;
}

/* Returns: why the system does not allow to trace a process, or what a person can do */
static const char *
get_cure (void)
{
  g_autofree char *scope = NULL;
  if (!g_file_get_contents ("/proc/sys/kernel/yama/ptrace_scope", &scope, NULL, NULL)
      || scope[0] == '0')
    return "a process of another user needs root, and a container needs --cap-add SYS_PTRACE";
  if (scope[0] == '3')
    return "until the next boot, this system allows it to nobody "
           "(/proc/sys/kernel/yama/ptrace_scope is 3)";
  return "this system allows it to root only (/proc/sys/kernel/yama/ptrace_scope is not 0)";
}

static gboolean
set_refused (GError **error, gint64 pid, const char *why, const char *cure)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
               "process %" G_GINT64_FORMAT " cannot be traced: %s%s%s", pid, why,
               cure != NULL ? "; " : "", cure != NULL ? cure : "");
  return FALSE;
}

/* @number: of an error, as libdwfl returns it: an errno, or -1 for an error of libdwfl itself; 0:
 * the process has ended */
static gboolean
set_refused_by_number (GError **error, gint64 pid, int number)
{
  if (number > 0 && kill ((pid_t)pid, 0) < 0 && errno == ESRCH)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "there is no process %" G_GINT64_FORMAT,
                   pid);
      return FALSE;
    }
  const char *why = number > 0   ? g_strerror (number)
                    : number < 0 ? dwfl_errmsg (-1)
                                 : "it has ended";
  return set_refused (error, pid, why, number == EPERM || number == EACCES ? get_cure () : NULL);
}

static gboolean
unwind (Dwfl *dwfl, Unwinding *self, GError **error)
{
  int number = dwfl_linux_proc_report (dwfl, (pid_t)self->pid);
  if (number != 0 || dwfl_report_end (dwfl, NULL, NULL) != 0)
    return set_refused_by_number (error, self->pid, number);
  number = dwfl_linux_proc_attach (dwfl, (pid_t)self->pid, false);
  if (number != 0)
    return set_refused_by_number (error, self->pid, number);
  if (dwfl_getthreads (dwfl, on_thread, self) == -1)
    return set_refused_by_number (error, self->pid, -1);
  if (self->n_all_frames == 0 && self->refusal != NULL)
    return set_refused (error, self->pid, self->refusal, get_cure ());
  return TRUE;
}

char *
unwind_process (gint64 pid, GError **error)
{
  static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_linux_proc_find_elf,
                                            .find_debuginfo = dwfl_standard_find_debuginfo };
  g_autoptr (GString) out = g_string_new (NULL);
  Unwinding self = { .out = out, .pid = pid };
  Dwfl *dwfl = dwfl_begin (&callbacks);
  if (dwfl == NULL)
    {
      set_refused_by_number (error, pid, -1);
      return NULL;
    }
  gboolean is_read = unwind (dwfl, &self, error);
  dwfl_end (dwfl);
  g_free (self.refusal);
  return is_read ? g_strdup (out->str) : NULL;
}
