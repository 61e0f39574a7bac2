/* test-child.c - tests the end of a child process and of its group
 *
 * The library calls the kill () of this file, which notes the state of the process that leads the
 * killed group.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/child.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char state_when_killed;

/* Returns: the letter in /proc/PID/stat that is the state of the process; 0: there is no such
 * process */
static char
state_of (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int)pid);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  return strrchr (text, ')')[2];
}

int
kill (pid_t pid, int signal_number)
{
  if (pid < -1)
    state_when_killed = state_of (-pid);
  return (int)syscall (SYS_kill, pid, signal_number);
}

typedef struct
{
  GMainLoop *loop; /* (owned) */
  GPid pid;
  int status;
} World;

static void
note_end (GPid pid, int wait_status, gpointer user_data)
{
  World *self = user_data;
  g_assert_cmpint (pid, ==, self->pid);
  self->status = wait_status;
  g_main_loop_quit (self->loop);
}

/* Starts a child that leads a group with one more process in it. Both processes have the pipe @fd
 * open. The child ends with the exit status 3. */
static GPid
start_group (int fd)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      setpgid (0, 0);
      if (fork () == 0)
        for (;;)
          pause ();
      _exit (3);
    }
  close (fd);
  return pid;
}

static void
test_group_is_killed_before_its_leader_is_reaped (void)
{
  World world = { g_main_loop_new (NULL, FALSE), 0, 0 };
  int fds[2];
  char byte;
  g_assert_cmpint (pipe (fds), ==, 0);
  world.pid = start_group (fds[1]);
  g_autoptr (GSource) source = satin_child_watch (NULL, world.pid, note_end, &world);

  g_main_loop_run (world.loop);

  g_assert_cmpint (WEXITSTATUS (world.status), ==, 3);
  if (syscall (SYS_pidfd_open, getpid (), 0) >= 0)
    g_assert_cmpint (state_when_killed, ==, 'Z');
  g_assert_cmpint (state_of (world.pid), ==, 0);
  /* The other process has ended, too, because nothing holds the pipe open. */
  g_assert_cmpint (read (fds[0], &byte, 1), ==, 0);
  close (fds[0]);
  g_main_loop_unref (world.loop);
}

static void
test_destroyed_watch_tells_nothing (void)
{
  World world = { g_main_loop_new (NULL, FALSE), 0, -1 };
  int fds[2];
  g_assert_cmpint (pipe (fds), ==, 0);
  world.pid = start_group (fds[1]);
  GSource *source = satin_child_watch (NULL, world.pid, note_end, &world);

  g_source_destroy (source);
  g_source_unref (source);
  g_assert_cmpint (waitpid (world.pid, NULL, 0), ==, world.pid);
  while (g_main_context_iteration (NULL, FALSE))
    ;

  g_assert_cmpint (world.status, ==, -1);
  kill (-world.pid, SIGKILL);
  close (fds[0]);
  g_main_loop_unref (world.loop);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/child/group-is-killed-before-its-leader-is-reaped",
                   test_group_is_killed_before_its_leader_is_reaped);
  g_test_add_func ("/base/child/destroyed-watch-tells-nothing", test_destroyed_watch_tells_nothing);
  return g_test_run ();
}
