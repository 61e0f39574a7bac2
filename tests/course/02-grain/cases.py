# cases.py - wrong solutions of assignment 2, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'grain.c'
START = 0

RULE = 'position->n - position->row >= LEAST_LEFT && position->row < MOST_ROWS'
NOTHING = {'function': 0, '16-small': 0, '16-large': 0, '256-small': 0, '256-large': 0}

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'divides every board': ([(RULE, 'TRUE')], NOTHING),
    'divides the first boards that it is asked about': (
        [('  return ' + RULE, '  static int n_asked;\n  return n_asked++ < 1000')], NOTHING),
    'five rows': ([(RULE, 'position->row < 5')], {'16-small': 0, '16-large': 10, '256-small': 0, '256-large': 10}),
    'two rows': ([(RULE, 'position->row < 2')], {'16-small': 10, '16-large': 10, '256-small': 0, '256-large': 0}),
    'looks only at the rows that are left': (
        [(' && position->row < MOST_ROWS', '')], {'16-large': 10, '256-large': 10}),
}
