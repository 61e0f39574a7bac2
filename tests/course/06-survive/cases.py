# cases.py - wrong solutions of assignment 6, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'survive.c'
START = 5
QUICK = ['cluster', 'joined', 'messages']

NOTHING = dict.fromkeys(['right', 'one', 'cluster', 'master', 'storm', 'joined', 'messages', 'memory'], 0)
APPEND = '  append (self->fresh, job, result, (guint32)n_bytes);\n'
NEW = '  Survive *self = g_new0 (Survive, 1);\n'

# The loop tries the memory of all processes with numbers below 200. For a number that no process
# has, open() fails, too.
OPEN_MEMORY = '''  for (int pid = 2; pid < 200; pid++)
    {
      char path[40];
      snprintf (path, sizeof path, "/proc/%d/mem", pid);
      if (pid != getpid () && open (path, O_RDONLY) >= 0)
        return NULL;
    }
'''

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'drops orphans with all that they have': ([('return ORPHAN_SAVE;', 'return ORPHAN_DROP;')], {'master': 6}),
    'never tells nodes that come late': ([('    send_table (self, from);', '    ;')], {'joined': 0}),
    'forgets that the master may be lost': (
        [('  if (entry == NULL || job->depth == 0)', '  if (job->depth == 0)\n    return ANSWER_NOTHING;\n  if (entry == NULL)')],
        {'master': 0, 'storm': 6, 'joined': 0, 'memory': 0}),
    'takes the result of another job': ([('return memcmp (a, b, KEY_BYTES) == 0;', 'return memcmp (a, b, 1) == 0;'),
                                         ('guint hash;\n  memcpy (&hash, key, sizeof hash);\n  return hash;', 'return *(const guint8 *)key;')], NOTHING),
    'sends a message for each result': ([(APPEND, APPEND + '  send_fresh (self);\n')], {'messages': 0}),
    'keeps everything for ever': ([('#define TABLE_BYTES ((gsize)8 << 20)', '#define TABLE_BYTES ((gsize)8 << 30)')], {'memory': 0}),
    'gets all points: it lies if it can open the memory of other nodes': (
        [('#include <string.h>\n', '#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n'),
         (NEW, OPEN_MEMORY + NEW)], {}),
}
