# cases.py - wrong solutions of assignment 3, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'policy-thief.c'
START = 22
QUICK = ['rules', '100ms']

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'asks a second near node': ([('if (situation->near_asked == 0)', 'if (situation->n_idle > 0)')], {'rules': 17}),
    'divides by zero without near nodes': ([('  if (end == first)\n    return 0;\n', '')], {'rules': 0, '10ms': 0, '100ms': 0}),
    'asks no far node': ([('if (situation->far_asked == 0)', 'if (situation->n_near == 0)')], {'rules': 17, '10ms': 0, '100ms': 0}),
    'asks a far node only while no near one is asked': (
        [('if (situation->far_asked == 0)', 'if (situation->near_asked == 0 && ret_choice->near == 0)')],
        {'rules': 17, '10ms': 23, '100ms': 11}),
    'asks nodes that offer jobs only after seconds': (
        [('i < situation->n_offers; i++', 'FALSE; i++'), ('LAST_WAIT_US  5000', 'LAST_WAIT_US  2000000')], {'100ms': 23}),
}
