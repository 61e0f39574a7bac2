/* terminal.c - shows a line of progress below the output of the nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <pty.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"

struct _RunTerminal
{
  int reader_fd; /* the command's side of the pseudo-terminal, -1 without a line of progress */
  int writer_fd; /* the nodes' side */
  guint watch;
  gboolean is_output_shared; /* standard output and standard error are the same terminal */
  gboolean is_line_begun;    /* a node has written part of a line, which must not be drawn over */
  char *line;                /* (owned) (nullable): the line of progress on the screen */
  RunTerminalFunc listener;  /* (nullable) */
  gpointer listener_data;
};

static void
write_all (const char *text, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n_written = write (STDERR_FILENO, text, n_bytes);
      if (n_written < 0 && errno != EINTR && errno != EAGAIN)
        return;
      if (n_written > 0)
        {
          text += n_written;
          n_bytes -= (gsize)n_written;
        }
    }
}

static void
hide_line (RunTerminal *self)
{
  if (self->line == NULL)
    return;
  write_all (CLEAR_LINE, strlen (CLEAR_LINE));
  g_clear_pointer (&self->line, g_free);
}

/* Copies some output of the nodes. Returns: FALSE when there is no output now, or when no more will
 * come */
static gboolean
copy_some (RunTerminal *self)
{
  char buffer[8192];
  gssize n_bytes = read (self->reader_fd, buffer, sizeof buffer);
  if (n_bytes <= 0)
    return n_bytes < 0 && errno == EINTR;
  hide_line (self);
  write_all (buffer, (gsize)n_bytes);
  self->is_line_begun = buffer[n_bytes - 1] != '\n';
  return TRUE;
}

static gboolean
on_readable (gint fd, GIOCondition condition, gpointer user_data)
{
  RunTerminal *self = user_data;
  if (copy_some (self))
    return G_SOURCE_CONTINUE;
  if ((condition & (G_IO_HUP | G_IO_ERR)) == 0)
    return G_SOURCE_CONTINUE;
  self->watch = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
is_same_terminal (int left_fd, int right_fd)
{
  struct stat left, right;
  return isatty (left_fd) && isatty (right_fd) && fstat (left_fd, &left) == 0
         && fstat (right_fd, &right) == 0 && left.st_rdev == right.st_rdev;
}

/* Opens the pseudo-terminal, which passes bytes unchanged: only the real terminal processes them,
 * so that nothing is processed twice. */
static gboolean
open_pair (RunTerminal *self)
{
  struct termios modes;
  struct winsize size;
  if (tcgetattr (STDERR_FILENO, &modes) < 0 || ioctl (STDERR_FILENO, TIOCGWINSZ, &size) < 0)
    return FALSE;
  cfmakeraw (&modes);
  if (openpty (&self->reader_fd, &self->writer_fd, NULL, &modes, &size) < 0)
    return FALSE;
  fcntl (self->reader_fd, F_SETFD, FD_CLOEXEC);
  fcntl (self->writer_fd, F_SETFD, FD_CLOEXEC);
  g_unix_set_fd_nonblocking (self->reader_fd, TRUE, NULL);
  self->watch = g_unix_fd_add (self->reader_fd, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, self);
  return TRUE;
}

RunTerminal *
run_terminal_new (gboolean is_quiet)
{
  RunTerminal *self = g_new0 (RunTerminal, 1);
  self->reader_fd = -1;
  self->writer_fd = -1;
  if (!is_quiet && isatty (STDERR_FILENO) && open_pair (self))
    self->is_output_shared = is_same_terminal (STDOUT_FILENO, STDERR_FILENO);
  return self;
}

gboolean
run_terminal_has_line (const RunTerminal *self)
{
  return self->reader_fd >= 0;
}

int
run_terminal_get_output_fd (const RunTerminal *self)
{
  return self->is_output_shared ? self->writer_fd : -1;
}

int
run_terminal_get_error_fd (const RunTerminal *self)
{
  return self->writer_fd;
}

/* How many columns the line of progress may have. CLEAR_LINE does not remove a line that wraps. */
static glong
count_columns (void)
{
  struct winsize size;
  gboolean is_known = ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col - 1 : 79;
}

void
run_terminal_show (RunTerminal *self, const char *text)
{
  if (!run_terminal_has_line (self) || self->is_line_begun)
    return;
  hide_line (self);
  self->line = g_utf8_substring (text, 0, MIN (count_columns (), g_utf8_strlen (text, -1)));
  write_all (self->line, strlen (self->line));
}

static void
print (RunTerminal *self, const char *text, gboolean is_warning)
{
  hide_line (self);
  g_printerr ("%ssatin: %s\n", self->is_line_begun ? "\n" : "", text);
  self->is_line_begun = FALSE;
  if (self->listener != NULL)
    self->listener (text, is_warning, self->listener_data);
}

void
run_terminal_say (RunTerminal *self, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  print (self, text, FALSE);
}

void
run_terminal_warn (RunTerminal *self, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  print (self, text, TRUE);
}

void
run_terminal_set_listener (RunTerminal *self, RunTerminalFunc func, gpointer user_data)
{
  self->listener = func;
  self->listener_data = user_data;
}

void
run_terminal_finish (RunTerminal *self)
{
  while (run_terminal_has_line (self) && copy_some (self))
    ;
  hide_line (self);
}

void
run_terminal_free (RunTerminal *self)
{
  if (self == NULL)
    return;
  if (self->watch != 0)
    g_source_remove (self->watch);
  if (run_terminal_has_line (self))
    {
      close (self->reader_fd);
      close (self->writer_fd);
    }
  g_free (self->line);
  g_free (self);
}
