/* host.c - runs a student's survive.c: a process for each simulated node, so that nodes share
 * nothing
 *
 *   host LIBRARY            accepts connections of remote.c on its standard input, a socket
 *
 * For each connection this process starts a child, which loads the library. This process never
 * loads it. Before a child loads the library, it gives up all system calls except those that
 * loading and computing need.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "confine.h"
#include "survive.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* The limits of the process of a node: its processor time, and the memory that it may need in
 * addition to MOST_MEMORY. */
#define MOST_SECONDS 3
#define ROOM         ((gsize)24 << 20)

static void
serve (const char *library, int fd)
{
  const struct rlimit seconds = { MOST_SECONDS, MOST_SECONDS + 1 };
  const struct rlimit memory = { MOST_MEMORY + ROOM, MOST_MEMORY + ROOM };
  dup2 (fd, 0);
  dup2 (open ("/dev/null", O_WRONLY), 1);
  dup2 (1, 2);
  syscall (SYS_close_range, 3u, ~0u, 0u);
  setrlimit (RLIMIT_CPU, &seconds);
  setrlimit (RLIMIT_DATA, &memory);
  confine ();
  void *handle = dlopen (library, RTLD_NOW);
  void (*serve_on) (int) = NULL;
  if (handle != NULL)
    *(void **)&serve_on = dlsym (handle, "remote_serve");
  if (serve_on != NULL)
    serve_on (0);
  _exit (1);
}

int
main (int argc, char **argv)
{
  hide_memory ();
  signal (SIGCHLD, SIG_IGN); /* so that no child needs wait() */
  for (;;)
    {
      int fd = accept4 (0, NULL, NULL, SOCK_CLOEXEC);
      if (fd < 0)
        return 1;
      if (fork () == 0)
        serve (argv[1], fd);
      close (fd);
    }
}
