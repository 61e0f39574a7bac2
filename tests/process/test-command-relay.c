/* test-command-relay.c - tests how the standard error of nodes is passed on and read by lines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "processes/relay.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

static int out[2]; /* what the relay passes on, and its reader */
static GString *log_text;
static Relay *relay;

static void
on_line (guint source, const char *line, gpointer user_data)
{
  g_string_append_printf (log_text, "%u %s\n", source, line);
}

static void
set_up (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (g_unix_open_pipe (out, FD_CLOEXEC, &error));
  g_unix_set_fd_nonblocking (out[0], TRUE, NULL);
  log_text = g_string_new (NULL);
  relay = relay_new (out[1], on_line, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (void)
{
  relay_free (relay);
  close (out[0]);
  close (out[1]);
  g_string_free (log_text, TRUE);
}

static int
open_way (guint source)
{
  g_autoptr (GError) error = NULL;
  int fd = relay_open (relay, source, &error);
  g_assert_no_error (error);
  return fd;
}

static void
say (int fd, const char *text)
{
  g_assert_cmpint (write (fd, text, strlen (text)), ==, strlen (text));
}

/* Returns: (transfer full): what was passed on so far */
static char *
read_out (void)
{
  GString *text = g_string_new (NULL);
  char buffer[4096];
  gssize n;
  while ((n = read (out[0], buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  return g_string_free (text, FALSE);
}

static void
test_lines_have_their_source (void)
{
  int first = open_way (0);
  int second = open_way (7);
  say (first, "one\ntw");
  say (second, "other\n");
  say (first, "o\n");
  relay_drain (relay);
  g_assert_nonnull (strstr (log_text->str, "0 one\n"));
  g_assert_nonnull (strstr (log_text->str, "0 two\n"));
  g_assert_nonnull (strstr (log_text->str, "7 other\n"));
  close (first);
  close (second);
}

static void
test_bytes_are_passed_on_unchanged (void)
{
  int fd = open_way (0);
  say (fd, "a\r\n\033[1mb\033[0m \xff no end");
  relay_drain (relay);
  g_autofree char *text = read_out ();
  g_assert_cmpstr (text, ==, "a\r\n\033[1mb\033[0m \xff no end");
  close (fd);
}

static void
test_last_line_needs_no_end (void)
{
  int fd = open_way (0);
  say (fd, "no end");
  relay_drain (relay);
  g_assert_cmpstr (log_text->str, ==, "");
  close (fd);
  relay_drain (relay);
  g_assert_cmpstr (log_text->str, ==, "0 no end\n");
}

static void
test_lines_are_valid_utf8 (void)
{
  int fd = open_way (0);
  say (fd, "\xff!\n");
  relay_drain (relay);
  g_assert_cmpstr (log_text->str, ==, "0 \xef\xbf\xbd!\n");
  close (fd);
}

static void
test_long_line_comes_in_parts (void)
{
  g_autofree char *text = g_strnfill (RELAY_LINE_BYTES + 10, 'x');
  int fd = open_way (0);
  say (fd, text);
  say (fd, "\n");
  relay_drain (relay);
  g_assert_cmpuint (log_text->len, ==, RELAY_LINE_BYTES + 10 + 2 * strlen ("0 \n"));
  close (fd);
}

/* Nobody reads what is passed on, so at some time the thread waits. */
static void
test_main_loop_does_not_wait_for_the_reader (void)
{
  g_autofree char *text = g_strnfill (1 << 20, 'x');
  gssize n_left = 0;
  int fd = open_way (0);
  g_unix_set_fd_nonblocking (fd, TRUE, NULL);
  for (guint i = 0; i < 20; i++)
    {
      gssize n_bytes = write (fd, text, 1 << 20);
      n_left += MAX (n_bytes, 0);
      relay_drain (relay);
    }
  g_assert_cmpint (write (fd, text, 1 << 20), <, 0);
  gint64 began_us = g_get_monotonic_time ();
  for (guint i = 0; i < 100; i++)
    relay_drain (relay);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, 10 * G_USEC_PER_SEC);
  close (fd);
  /* When it is read again, the thread goes on. */
  while (n_left > 0)
    {
      g_autofree char *some = read_out ();
      n_left -= (gssize)strlen (some);
      relay_drain (relay);
    }
  g_assert_cmpint (n_left, ==, 0);
}

static void
test_reader_that_has_gone_ends_nothing (void)
{
  int fd = open_way (0);
  close (out[0]);
  say (fd, "nobody reads this\n");
  relay_drain (relay);
  g_assert_cmpstr (log_text->str, ==, "0 nobody reads this\n");
  close (fd);
  out[0] = open ("/dev/null", O_RDONLY);
}

static void
run_case (gconstpointer data)
{
  set_up ();
  ((GTestFunc)data) ();
  tear_down ();
}

static void
add (const char *name, GTestFunc func)
{
  g_autofree char *path = g_strconcat ("/command/relay/", name, NULL);
  g_test_add_data_func (path, (gconstpointer)func, run_case);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("lines-have-their-source", test_lines_have_their_source);
  add ("bytes-are-passed-on-unchanged", test_bytes_are_passed_on_unchanged);
  add ("last-line-needs-no-end", test_last_line_needs_no_end);
  add ("lines-are-valid-utf8", test_lines_are_valid_utf8);
  add ("long-line-comes-in-parts", test_long_line_comes_in_parts);
  add ("main-loop-does-not-wait-for-the-reader", test_main_loop_does_not_wait_for_the_reader);
  add ("reader-that-has-gone-ends-nothing", test_reader_that_has_gone_ends_nothing);
  return g_test_run ();
}
