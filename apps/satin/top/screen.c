/* screen.c - a terminal that is drawn in place, and its keys
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "top/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Go to the terminal's other screen and hide the cursor; show the cursor and go back. */
#define ENTER "\033[?1049h\033[?25l"
#define LEAVE "\033[?25h\033[?1049l"

#define CTRL_C 3

struct _TopScreen
{
  struct termios old;
};

static volatile sig_atomic_t is_ended;

static void
on_signal (int signal_number)
{
  if (signal_number != SIGWINCH)
    is_ended = TRUE;
}

static void
watch (int signal_number)
{
  /* Each signal ends poll(). Without SA_RESTART it also ends read(). */
  const struct sigaction action = { .sa_handler = on_signal };
  sigaction (signal_number, &action, NULL);
}

TopScreen *
top_screen_new (void)
{
  TopScreen *self = g_new0 (TopScreen, 1);
  tcgetattr (STDIN_FILENO, &self->old);
  struct termios raw = self->old;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
  tcsetattr (STDIN_FILENO, TCSANOW, &raw);
  watch (SIGWINCH);
  watch (SIGTERM);
  watch (SIGHUP);
  fputs (ENTER, stdout);
  return self;
}

void
top_screen_get_size (const TopScreen *self, guint *ret_n_rows, guint *ret_n_columns)
{
  struct winsize size = { 0 };
  gboolean is_known = ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  *ret_n_rows = is_known ? size.ws_row : 24;
  *ret_n_columns = is_known ? size.ws_col : 80;
}

/* Clears each line behind its text, and the screen below the last line. */
void
top_screen_draw (TopScreen *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *joined = g_strjoinv ("\033[K\r\n", lines);
  gsize n_bytes = strlen (joined);
  /* An end of line in the last row would scroll. */
  if (g_str_has_suffix (joined, "\033[K\r\n"))
    joined[n_bytes - 2] = '\0';
  printf ("\033[H%s\033[J", joined);
  fflush (stdout);
}

char
top_screen_wait (TopScreen *self, gint64 time_us)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  char key = 0;
  int n = poll (&input, 1, (int)(time_us / 1000));
  if (is_ended)
    return 'q';
  if (n <= 0)
    return 0;
  gssize n_read = read (STDIN_FILENO, &key, 1);
  return n_read == 0 || (n_read < 0 && errno != EINTR) || key == CTRL_C ? 'q' : key;
}

void
top_screen_free (TopScreen *self)
{
  if (self == NULL)
    return;
  fputs (LEAVE, stdout);
  fflush (stdout);
  tcsetattr (STDIN_FILENO, TCSANOW, &self->old);
  g_free (self);
}
