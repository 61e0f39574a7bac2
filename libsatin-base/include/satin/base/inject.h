/* inject.h - bugs that are injected into protocol code, to test the tests
 *
 * A test suite is only as good as the bugs it finds. In a build with -Dinjected-bugs=true the
 * environment variable SATIN_INJECT_BUG names one of the bugs below, and the program then has that
 * bug. The simulator must find each of them (tests/sim/bugs.sh). Other builds contain nothing of
 * this, and this header is not installed.
 *
 *   any-generation     the owner takes an old result for the job that now has the same table entry
 *   deliver-twice      a result is stored in its slot twice
 *   drop-returned      a job does not run again after its thief is lost
 *   fetch-another      the checkpoint store returns another result than the one asked for
 *   forget-deadline    a thief waits for a victim's answer without a deadline
 *   forget-fetched     a node is not told that a stored result cannot be read
 *   forget-gone        a restored hub takes back a node that another member saw go
 *   forget-object      a node waits for a shared object without a deadline
 *   forget-reply       the owner loses a result and does not ask for it again
 *   hush-death         one member that knew a dead node is not told of its death
 *   keep-table         a thief keeps results that were acknowledged
 *   keep-timer         a node leaves the run and its timer stays
 *   no-witness         the hub declares members dead although all are silent at once
 *   path-ids           a result is found by the path of its job alone, without its key
 *   prune-ties         the application tsp drops tours that are as good as the shared bound
 *   run-twice          an exported job runs at home too
 *   serve-dead         a node that was declared dead is not told so
 *   torn-view          a node that joins is not told of all members it should know
 *   wait-for-registry  a node that is cut off waits for its registry for ever
 *
 * In such a build the simulator can make memory run out, too (satin sim --faults memory):
 *
 *   grow-deque  a deque cannot grow
 *   export      a worker cannot export jobs
 *
 * An injection is one line at the edge of a function, so that the protocol reads without it:
 *
 *   SATIN_INJECT_BUG ("keep-table", return);
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

#ifdef SATIN_INJECTED_BUGS
/* For the macro SATIN_INJECT_BUG: whether the environment variable SATIN_INJECT_BUG names @bug. */
SATIN_API gboolean satin_inject_is_on (const char *bug);
/* Sets the function that decides whether the allocation at a site fails. @func: (nullable). Each
 * thread has its own function. */
SATIN_API void satin_inject_set_no_memory (gboolean (*func) (const char *site, gpointer user_data),
                                           gpointer user_data);
/* For the macro SATIN_INJECT_NO_MEMORY: whether the function of this thread lets the allocation at
 * @site fail. */
SATIN_API gboolean satin_inject_has_no_memory (const char *site);

/* Runs the statements if the bug is on. */
#  define SATIN_INJECT_BUG(BUG, ...)                                                               \
    do                                                                                             \
      {                                                                                            \
        if (satin_inject_is_on (BUG))                                                              \
          {                                                                                        \
            __VA_ARGS__;                                                                           \
          }                                                                                        \
      }                                                                                            \
    while (0)
/* Runs the statements if the allocation at that site fails. */
#  define SATIN_INJECT_NO_MEMORY(SITE, ...)                                                        \
    do                                                                                             \
      {                                                                                            \
        if (satin_inject_has_no_memory (SITE))                                                     \
          {                                                                                        \
            __VA_ARGS__;                                                                           \
          }                                                                                        \
      }                                                                                            \
    while (0)
#else
#  define SATIN_INJECT_BUG(BUG, ...)        ((void)0)
#  define SATIN_INJECT_NO_MEMORY(SITE, ...) ((void)0)
#endif

G_END_DECLS
