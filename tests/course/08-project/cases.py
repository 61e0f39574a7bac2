# cases.py - wrong solutions of assignment 8, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'project.c'
START = 5
QUICK = ['builds', 'losses']

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'counts in a global variable': (
        [('static void\nsearch', 'static gint n_leaves;\n\nstatic void\nsearch'),
         ('      search (n, number, taken, &total);', '      g_atomic_int_inc (&n_leaves);\n      search (n, number, taken, &total);'),
         ('places tried\\n", count.n_sequences,', 'places tried, %d leaves\\n", count.n_sequences,'),
         ('           count.n_tried);', '           count.n_tried, n_leaves);')],
        {'nodes': 0, 'losses': 0, 'stop': 0, 'simulator': 0}),
    'prints how long it took': (
        [('  Count count;\n', '  Count count;\n  g_print ("%" G_GINT64_FORMAT " us\\n", g_get_real_time ());\n')],
        {'workers': 0, 'nodes': 0, 'losses': 0, 'stop': 0, 'simulator': 0, 'efficiency': 0}),
    'waits for each job': (
        [('taken | pair);\n    }\n  satin_charge', 'taken | pair);\n      SATIN_SYNC_OR_RETURN (total);\n    }\n  satin_charge')],
        {'efficiency': 0}),
    'has few jobs': ([('#define JOB_DEPTH 4', '#define JOB_DEPTH 1')], {'efficiency': 0}),
    'has a warning, and says no times': (
        [('  guint n_jobs = 0;\n', '  guint n_jobs = 0;\n  int unused;\n'), ('#define TRY_NS    10', '#define TRY_NS    0')],
        {'builds': 5, 'efficiency': 0}),
}
