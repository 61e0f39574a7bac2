/* test-transport-unix.c - tests socket files, and which users may connect
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slow-loop.h"
#include "stream-world.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const SatinListenEvents no_events = { .struct_size = sizeof (SatinListenEvents) };

static const char *
get_path (World *world)
{
  return world->uri + strlen ("unix:");
}

/* Returns: a socket, made without the code under test */
static int
raw_socket (const char *path, struct sockaddr_un *ret_address)
{
  *ret_address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  g_strlcpy (ret_address->sun_path, path, sizeof ret_address->sun_path);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static int
raw_listen (const char *path, int backlog)
{
  struct sockaddr_un address;
  int fd = raw_socket (path, &address);
  g_assert_cmpint (bind (fd, (struct sockaddr *)&address, sizeof address), ==, 0);
  g_assert_cmpint (listen (fd, backlog), ==, 0);
  return fd;
}

static void
test_socket_file_is_for_its_owner_only (void)
{
  World *world = world_new (&world_unix);
  world_listen (world);
  GStatBuf status;
  g_assert_cmpint (g_lstat (get_path (world), &status), ==, 0);
  g_assert_true (S_ISSOCK (status.st_mode));
  g_assert_cmphex (status.st_mode & 0777, ==, 0600);
  world_free (world);
}

static void
test_folder_holds_nothing_but_the_socket (void)
{
  World *world = world_new (&world_unix);
  world_listen (world);
  g_autoptr (GDir) folder = g_dir_open (world->folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (folder), ==, "socket");
  g_assert_null (g_dir_read_name (folder));
  world_free (world);
}

static void
test_file_is_removed_when_listening_stops (void)
{
  World *world = world_new (&world_unix);
  world_listen (world);
  world->ops.unlisten (world->listener);
  g_assert_false (g_file_test (get_path (world), G_FILE_TEST_EXISTS));
  world_free (world);
}

static void
test_file_of_another_is_not_removed (void)
{
  World *world = world_new (&world_unix);
  world_listen (world);
  g_assert_cmpint (g_unlink (get_path (world)), ==, 0);
  close (raw_listen (get_path (world), 1));
  world->ops.unlisten (world->listener);
  g_assert_cmpint (g_unlink (get_path (world)), ==, 0);
  world_free (world);
}

static void
test_file_of_a_dead_owner_is_replaced (void)
{
  World *world = world_new (&world_unix);
  g_autofree char *path = g_build_filename (world->folder, "socket", NULL);
  close (raw_listen (path, 1));
  Side *client, *server;
  world_link (world, &client, &server);
  world_free (world);
}

static void
test_file_of_a_busy_owner_is_kept (void)
{
  World *world = world_new (&world_unix);
  g_autofree char *path = g_build_filename (world->folder, "socket", NULL);
  g_autofree char *uri = g_strconcat ("unix:", path, NULL);
  int owner = raw_listen (path, 0);
  struct sockaddr_un address;
  int import = raw_socket (path, &address);
  g_assert_cmpint (connect (import, (struct sockaddr *)&address, sizeof address), ==, 0);
  g_autoptr (GError) error = NULL;
  char *ret_uri = NULL;
  g_assert_null (world->ops.listen (world->server, uri, &no_events, NULL, &ret_uri, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE);
  close (import);
  close (owner);
  g_assert_cmpint (g_unlink (path), ==, 0);
  world_free (world);
}

static void
test_file_that_is_no_socket_is_kept (void)
{
  World *world = world_new (&world_unix);
  g_autofree char *uri = world_fresh_uri (world);
  const char *path = uri + strlen ("unix:");
  g_autoptr (GError) error = NULL;
  char *ret_uri = NULL;
  g_assert_true (g_file_set_contents (path, "precious", -1, NULL));
  g_assert_null (world->ops.listen (world->server, uri, &no_events, NULL, &ret_uri, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE);
  g_assert_cmpint (g_unlink (path), ==, 0);
  world_free (world);
}

static void
test_long_path_is_refused_with_the_limit (void)
{
  World *world = world_new (&world_unix);
  g_autofree char *name = g_strnfill (120, 'x');
  g_autofree char *uri = g_strdup_printf ("unix:/tmp/%s", name);
  g_autoptr (GError) error = NULL;
  char *ret_uri = NULL;
  g_assert_null (world->ops.listen (world->server, uri, &no_events, NULL, &ret_uri, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "125"));
  g_assert_nonnull (strstr (error->message, "107"));
  world_free (world);
}

static void
test_absent_folder_is_an_error (void)
{
  World *world = world_new (&world_unix);
  g_autoptr (GError) error = NULL;
  char *ret_uri = NULL;
  g_assert_null (world->ops.listen (world->server, "unix:/nowhere/at/all", &no_events, NULL,
                                    &ret_uri, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  world_free (world);
}

static gboolean
is_up (gpointer data)
{
  return ((Side *)data)->n_up == 1;
}

static void
test_full_queue_of_a_listener_is_waited_for (void)
{
  World *world = world_new (&world_unix);
  g_autofree char *path = g_build_filename (world->folder, "socket", NULL);
  g_autofree char *uri = g_strconcat ("unix:", path, NULL);
  int owner = raw_listen (path, 0);
  struct sockaddr_un address;
  int import = raw_socket (path, &address);
  g_assert_cmpint (connect (import, (struct sockaddr *)&address, sizeof address), ==, 0);
  Side *client = world_connect (world, uri);
  world_settle (world);
  g_assert_cmpuint (client->n_up + client->n_down, ==, 0);
  close (accept (owner, NULL, NULL));
  world_run_until (world, is_up, client);
  close (import);
  close (owner);
  g_assert_cmpint (g_unlink (path), ==, 0);
  world_free (world);
}

/* Connects as another user. Returns: 0 when the link ended without a byte */
static int
knock_as_stranger (const char *path)
{
  struct sockaddr_un address;
  int fd = raw_socket (path, &address);
  char byte;
  if (setgid (65534) < 0 || setuid (65534) < 0)
    return 2;
  if (connect (fd, (struct sockaddr *)&address, sizeof address) < 0)
    return 3;
  return recv (fd, &byte, 1, 0) <= 0 ? 0 : 1;
}

static void
test_other_users_are_refused (void)
{
  if (geteuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }
  World *world = world_new (&world_unix);
  world_listen (world);
  /* With these modes the check of the user decides, not the file system. */
  g_assert_cmpint (g_chmod (world->folder, 0777), ==, 0);
  g_assert_cmpint (g_chmod (get_path (world), 0777), ==, 0);
  pid_t child = fork ();
  if (child == 0)
    _exit (knock_as_stranger (get_path (world)));
  int status = -1;
  while (waitpid (child, &status, WNOHANG) == 0 && world->accepted->len == 0)
    g_main_context_iteration (world->context, FALSE);
  kill (child, SIGKILL);
  g_assert_cmpuint (world->accepted->len, ==, 0);
  g_assert_cmpint (status, ==, 0);
  world_free (world);
}

/* This and the next case are for unix sockets only, which have no timers of their own. The timers
 * of TCP would run in real time. */
static void
test_shut_gives_up_a_reader_that_does_not_read (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_unix, loop);
  Side *client, *server;
  world_link (world, &client, &server);
  side_pause (server, TRUE);
  g_autoptr (GBytes) much = world_pattern ((gsize)32 << 20);
  side_send_bytes (client, much);
  side_shut (client);
  world_settle (world);
  slow_loop_advance (loop, 4999999);
  world_settle (world);
  g_assert_cmpuint (client->n_down, ==, 0);
  slow_loop_advance (loop, 5000001);
  world_run_until_down (client, SATIN_ERROR_TIMEOUT);
  world_free (world);
}

static void
test_shut_waits_for_a_slow_reader (void)
{
  SatinLoop *loop = slow_loop_new ();
  World *world = world_new_in_loop (&world_unix, loop);
  Side *client, *server;
  world_link (world, &client, &server);
  server->is_pausing = TRUE;
  g_autoptr (GBytes) much = world_pattern ((gsize)8 << 20);
  side_send_bytes (client, much);
  side_shut (client);
  /* The reader takes 1 MiB every 4 s. */
  for (gsize target = (gsize)1 << 20; target <= g_bytes_get_size (much); target += (gsize)1 << 20)
    {
      while (server->received->len < target)
        {
          side_pause (server, FALSE);
          world_run_until_received (server, server->received->len + 1);
        }
      slow_loop_advance (loop, 4000000);
    }
  side_pause (server, FALSE);
  world_run_until_down (client, -1);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, test) g_test_add_func ("/net/transport-unix/" claim, test)
  ADD ("socket-file-is-for-its-owner-only", test_socket_file_is_for_its_owner_only);
  ADD ("folder-holds-nothing-but-the-socket", test_folder_holds_nothing_but_the_socket);
  ADD ("file-is-removed-when-listening-stops", test_file_is_removed_when_listening_stops);
  ADD ("file-of-another-is-not-removed", test_file_of_another_is_not_removed);
  ADD ("file-of-a-dead-owner-is-replaced", test_file_of_a_dead_owner_is_replaced);
  ADD ("file-of-a-busy-owner-is-kept", test_file_of_a_busy_owner_is_kept);
  ADD ("file-that-is-no-socket-is-kept", test_file_that_is_no_socket_is_kept);
  ADD ("long-path-is-refused-with-the-limit", test_long_path_is_refused_with_the_limit);
  ADD ("absent-folder-is-an-error", test_absent_folder_is_an_error);
  ADD ("full-queue-of-a-listener-is-waited-for", test_full_queue_of_a_listener_is_waited_for);
  ADD ("other-users-are-refused", test_other_users_are_refused);
  ADD ("shut-gives-up-a-reader-that-does-not-read", test_shut_gives_up_a_reader_that_does_not_read);
  ADD ("shut-waits-for-a-slow-reader", test_shut_waits_for_a_slow_reader);
  return g_test_run ();
}
