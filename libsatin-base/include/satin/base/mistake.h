/* mistake.h - old mistakes, put back on purpose
 *
 * In a build with -Dmistakes=true the variable SATIN_MISTAKE names a mistake that
 * the protocol then makes. The simulator must find each of them, or it would not find the next
 * one either. In other builds there is no trace of them.
 *
 *   any-generation   a late result is taken for whatever job has its entry now
 *   deliver-twice    a result comes twice into its slot
 *   drop-returned    a job that a lost thief had is not run again
 *   fetch-another    a stored result is given out for another
 *   forget-deadline  a request to a victim is waited for without end
 *   forget-fetched   who wants a stored result that cannot be read is not told
 *   forget-gone      a restored hub takes back whom one of those that came back saw go
 *   forget-object    an object that was asked for is waited for without end
 *   forget-reply     a result is lost, and nobody asks after it
 *   hush-death       one of those that knew a dead member is not told
 *   keep-table       a thief keeps results that were acknowledged
 *   keep-timer       a node that is out of the run still has a timer
 *   no-witness       members that are all silent at once are declared dead
 *   path-ids         a result is looked for by the path of its job, and not by its key
 *   prune-ties       what is as good as the shared bound is dropped, not only what is worse
 *   run-twice        a job that is exported is run at home too
 *   serve-dead       a node that was declared dead is not told
 *   torn-view        a node that joins is not told of all members
 *   wait-for-registry  a node that is cut off waits for its registry for ever
 *
 * There, too, allocations can be made to fail, at the sites that ask for it by name:
 *
 *   grow-deque      a deque gets no more slots
 *   export          a worker puts no jobs out for other nodes
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

#ifdef SATIN_MISTAKES
/* Whether that one is to be made. */
SATIN_API gboolean satin_mistake_is_on (const char *name);
#  define SATIN_MISTAKE(NAME) satin_mistake_is_on (NAME)
/* Whether the allocation at @site is to fail; at most one such function in a thread, none at first.
 */
SATIN_API void satin_mistake_set_failing (gboolean (*func) (const char *site, gpointer user_data),
                                          gpointer user_data);
SATIN_API gboolean satin_mistake_fails (const char *site);
#  define SATIN_MEMORY_FAILS(SITE) satin_mistake_fails (SITE)
#else
#  define SATIN_MISTAKE(NAME)      FALSE
#  define SATIN_MEMORY_FAILS(SITE) FALSE
#endif

G_END_DECLS
