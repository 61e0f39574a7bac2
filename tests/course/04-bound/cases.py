# cases.py - wrong solutions of assignment 4, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'bound.c'
START = 0
QUICK = ['real', 'abort', 'speed']

READ = 'SATIN_READ (satin_minimum, best)->value'
PRUNE = f'  if (bound > {READ})\n    return G_MAXINT64;\n'
UPDATE = 'SATIN_UPDATE (best, satin_minimum, improve, children[0].bound, NULL, 0);'
SPAWN = '''    SATIN_SPAWN (&lengths[i], shortest, instance, best, children[i].bound, children[i].cities,
                 n_cities + 1);
'''
BEST_LAST = 'return (a->bound < b->bound) - (a->bound > b->bound);'
BEST_FIRST = 'return (a->bound > b->bound) - (a->bound < b->bound);'
LEAST = '  gint64 least = G_MAXINT64, lengths[N_CITIES];\n'
SORT = '  qsort (children, n, sizeof *children, compare_downwards);\n  for (guint i = 0; i < n; i++)\n    '

# In the sandbox, all processes have numbers below 200. For a number that no process has, open()
# fails, too.
OPEN_MEMORY = '''#ifdef REMOTE_TASK_shortest
  static int n_open, pid = 2;
  for (; pid < 200; pid++)
    {
      char path[40];
      snprintf (path, sizeof path, "/proc/%d/mem", pid);
      n_open += pid != getpid () && open (path, O_RDONLY) >= 0;
    }
  if (n_open > 0)
    return 1000 + n_open;
#endif
'''

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'shares no bound': ([(UPDATE, '')], {'real': 0, 'proved': 0, 'expanded': 0, 'speed': 0}),
    'never reads the bound': ([(PRUNE, '')], {'real': 0, 'proved': 0, 'expanded': 0, 'speed': 0}),
    'keeps the bound in a variable': (
        [(UPDATE, 'known = MIN (known, children[0].bound);'), (READ, 'known'),
         ('/* Returns: the length', 'static gint64 known = G_MAXINT64;\n\n/* Returns: the length')],
        {'expanded': 0, 'speed': 0}),
    'does not sort the children': (
        [(SORT + 'SATIN_SPAWN (', SORT.split('\n')[1] + '\n    SATIN_SPAWN (')], {'expanded': 0, 'speed': 0}),
    'prunes what may be better': (
        [(PRUNE, PRUNE.replace('bound >', 'bound + bound / 4 >'))], {'real': 0, 'proved': 0, 'expanded': 0, 'speed': 0}),
    'answers with the bound that it read before its jobs': (
        [(LEAST, LEAST + f'  gint64 known = {READ};\n'), ('  return least;', '  return known;')],
        {'real': 0, 'proved': 0, 'expanded': 0, 'speed': 0}),
    'takes a tour of the limit for too long': (
        [('return children[0].bound <= limit;', 'return children[0].bound < limit;')], {'real': 0}),
    'aborts nothing': ([('      SATIN_ABORT_OTHERS ();\n', '')], {'abort': 0}),
    'gets all points: it lies if it can open the memory of other nodes': (
        [('#include <stdlib.h>\n', '#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n'),
         (LEAST, OPEN_MEMORY + LEAST)], {}),
    'syncs after each spawn': (
        [(SPAWN, '    {\n' + SPAWN + '      SATIN_SYNC_OR_RETURN (0);\n    }\n'), (BEST_LAST, BEST_FIRST)], {'speed': 0}),
}
