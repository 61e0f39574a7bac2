/* host.c - runs a student's program: a process for each simulated node, so that nodes share nothing
 *
 *   host LIBRARY FD...
 *
 * For each descriptor, host starts a process that loads the library and answers on this descriptor.
 * The process that starts them never loads the library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "confine.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>

/* Answers the events of one node, until the simulator ends. */
static void
serve (const char *library, int fd)
{
  dup2 (fd, 0);
  dup2 (open ("/dev/null", O_WRONLY), 1);
  dup2 (1, 2);
  syscall (SYS_close_range, 3u, ~0u, 0u);
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
  for (int i = 2; i < argc; i++)
    if (fork () == 0)
      serve (argv[1], atoi (argv[i]));
  syscall (SYS_close_range, 3u, ~0u, 0u); /* so that the simulator notices when a process ends */
  while (wait (NULL) > 0)
    ;
  return 0;
}
