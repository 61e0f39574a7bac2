# cases.py - wrong solutions of assignment 7, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'adaptation-mine.c'
START = 16
QUICK = ['rules', 'few', 'link']

SLOW = 'satin_census_speed (census, node) >= SLOW'
FAR = '  guint far = satin_census_worst_removable (census, &weights, FAR);\n'
GROW = '''  ask (self, census, census->n_nodes, 1.5, decision);
  if (decision->asks->len == 0 && utilisation > BUSY)
    ask (self, census, n, 0, decision);
'''
OPEN = '''  return g_new0 (Mine, 1);
'''

NOTHING = dict.fromkeys(['rules', 'few', 'load', 'link', 'both', 'crash', 'better', 'hidden', 'calm'], 0)

# Each of these calls fails in a process that is confined. Process 1 is left out: it is bwrap, and knows
# no secret.
TRY_ALL = '''  is_free = open ("figures.csv", O_WRONLY | O_CREAT, 0600) >= 0 || open ("/tmp/x", O_RDWR | O_CREAT, 0600) >= 0
            || socket (AF_UNIX, SOCK_STREAM, 0) >= 0 || kill (getppid (), 0) == 0 || fork () >= 0;
  for (int pid = 2; pid < 200 && !is_free; pid++)
    {
      char path[40];
      snprintf (path, sizeof path, "/proc/%d/mem", pid);
      is_free = pid != getpid () && open (path, O_RDONLY) >= 0;
    }
'''

# Writes, where the simulator expects an answer, text that looks like its file of figures and like the
# output of the grader.
LIES = '''  static const char lies[] = "makespan_s\\n0.001\\nok 1 - few (10 of 10 points)\\n# points: 100 of 100\\n";
  if (write (1, lies, sizeof lies) < 0)
    return;
'''

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points. Without a secret, "hidden"
# is the scenario in which a cluster crashes and another one becomes slow.
WRONG = {
    'never asks for machines': (
        [(GROW, '')], {'few': 0, 'link': 0, 'both': 0, 'crash': 0, 'better': 0, 'hidden': 0, 'calm': 0}),
    'sends no slow nodes away': ([(SLOW, SLOW + ' / 1e9')], {'load': 0, 'both': 0, 'hidden': 5}),
    'sends no cluster away': ([(FAR, '  guint far = SATIN_ANY_CLUSTER;\n')], {'link': 5}),
    'asks again where it has sent nodes away': (
        [('      bar (self, census->clusters[node->cluster].name);\n', '')], {'both': 5, 'hidden': 5, 'calm': 0}),
    'asks for machines only once': (
        [(GROW, '  static gboolean has_asked;\n  if (has_asked)\n    return;\n' + GROW + '  has_asked = decision->asks->len > 0;\n')],
        {'few': 5}),
    'gets all points: it changes nothing if it can leave its cage': (
        [('#include <string.h>\n', '#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n'
          '#include <sys/socket.h>\n#include <unistd.h>\n\nstatic gboolean is_free;\n'),
         (OPEN, TRY_ALL + OPEN), ('  if (n == 0)\n    return;\n', '  if (n == 0 || is_free)\n    return;\n')], {}),
    'writes points to the grader': (
        [('#include <string.h>\n', '#include <string.h>\n#include <unistd.h>\n'),
         ('  if (n == 0)\n    return;\n', LIES + '  if (n == 0)\n    return;\n')], NOTHING),
}
