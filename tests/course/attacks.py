# attacks.py - code that tries to get points by fraud, or to do what the sandbox forbids
#
# test-course.py puts it at the beginning of main() of the reference of assignment 1.
#
# SPDX-License-Identifier: Apache-2.0

HEADERS = '''
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
'''

FAKE_TAP = r'''
  puts ("1..7");
  for (int i = 1; i <= 7; i++)
    printf ("ok %d - alone: (15 of 15 points)\n", i);
  puts ("# points: 100 of 100");
  puts ("{\"scores\": {\"alone\": 15}}");
  fflush (stdout);
  _exit (0);
'''

EXIT_EARLY = '''
  _exit (0);
'''

KILL_GRADER = '''
  kill (getppid (), SIGKILL);
  for (int pid = 2; pid < 100000; pid++)
    if (pid != getpid ())
      kill (pid, SIGKILL);
  kill (-1, SIGKILL);
'''

# The test looks for the daemon by its name. MARK is replaced by a number, here and below.
DAEMON = '''
  if (fork () == 0)
    {
      setsid ();
      if (fork () != 0)
        _exit (0);
      prctl (PR_SET_NAME, "course-MARK");
      for (int fd = 0; fd < 100; fd++)
        close (fd);
      sleep (600);
      _exit (0);
    }
  usleep (200000);
'''

# Looks for the secret in all processes, in open descriptors, and in files of several folders.
READ_SECRET = r'''
  char wanted[] = "Hidden-MARK"; /* so that the program does not find itself */
  wanted[0] = 'h';
  static char text[1 << 20];
  static const char *const files[] = { "cmdline", "environ", "fd/3", "fd/4", "fd/5", "fd/6" };
  int n_read = 0, n_found = 0;
  DIR *dir = opendir ("/proc");
  for (struct dirent *entry; (entry = readdir (dir)) != NULL;)
    for (int i = 0; i < 6; i++)
      {
        char path[600];
        snprintf (path, sizeof path, "/proc/%s/%s", entry->d_name, files[i]);
        int fd = open (path, O_RDONLY | O_NONBLOCK);
        ssize_t n_bytes = fd < 0 ? -1 : read (fd, text, sizeof text);
        n_read += n_bytes > 0;
        n_found += n_bytes > 0 && memmem (text, n_bytes, wanted, strlen (wanted)) != NULL;
      }
  n_found += system ("grep -rqs [h]idden-MARK /tmp /box /home /root /dev/shm") == 0;
  printf ("%d files, found %d times\n", n_read, n_found);
  fflush (stdout);
  _exit (0);
'''

WRITE_OUTSIDE = '''
  static const char *const paths[] = { "/tmp/course-MARK", "/var/tmp/course-MARK", "/dev/shm/course-MARK",
                                       "PLACE/course-MARK", "/usr/course-MARK" };
  for (int i = 0; i < 5; i++)
    {
      int fd = open (paths[i], O_CREAT | O_WRONLY, 0666);
      (void)!write (fd, "x", 1);
    }
'''

# PORT is replaced by the port on which the test listens.
CONNECT = '''
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (PORT) };
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  connect (socket (AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address);
'''

FLOOD = '''
  for (;;)
    puts ("0123456789012345678901234567890123456789");
'''

TAKE_MEMORY = '''
  for (;;)
    memset (malloc (1 << 26), 1, 1 << 26);
'''

FORK = r'''
  int n_children = 0, pid;
  while (n_children < 2000 && (pid = fork ()) >= 0)
    {
      if (pid == 0)
        pause ();
      n_children++;
    }
  printf ("%d children\n", n_children);
  fflush (stdout);
  _exit (0);
'''
