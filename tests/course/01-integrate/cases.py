# cases.py - wrong solutions of assignment 1, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'integrate.c'
START = 0

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'makes no jobs': (
        [('#define JOB_HALVINGS 13', '#define JOB_HALVINGS 0')],
        {'workers': 0, 'nodes': 0, 'spread': 0, 'failure-on-nodes': 0, 'instructions': 0}),
    'syncs after each spawn': (
        [('''               n_halvings + 1);
  SATIN_SPAWN (&right''', '''               n_halvings + 1);
  SATIN_SYNC_OR_RETURN (0);
  SATIN_SPAWN (&right''')],
        {'spread': 0}),
    'does not report the failure': (
        [('if (!SATIN_SYNC_ERROR (&error))', 'SATIN_SYNC_OR_RETURN (1);\n  if (error != NULL)')],
        {'failure': 0, 'failure-on-nodes': 0}),
    'computes the ends again': (
        [('''  double left = integrate_alone (instance''', '''  at_from = function_at (instance, from);
  at_to = function_at (instance, to);
  double left = integrate_alone (instance''')],
        {'instructions': 0}),
    'spawns every interval': (
        [('#define JOB_HALVINGS 13', '#define JOB_HALVINGS MAX_HALVINGS')],
        {'instructions': 8}),
}
