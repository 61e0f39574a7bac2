/* crash.c - the error message for a job that crashes whichever node runs it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "crash.h"

char *
crash_explain (const char *job, guint n_crashes, const char *what, int signal_number)
{
  g_autofree char *kind =
      signal_number == SATIN_DEATH_OUT_OF_MEMORY
          ? g_strdup ("for lack of memory")
          : g_strdup_printf ("by signal %d (%s)", signal_number, satin_crash_name (signal_number));
  return g_strdup_printf (
      "%s crashed %u %s%s%s, the last %s%s: the program has an error; run it on one node in a "
      "debugger",
      job, n_crashes, what, n_crashes > 1 ? "s" : "",
      g_str_equal (what, "node") ? n_crashes > 1 ? " that ran it" : " that had it" : "", kind,
      n_crashes < MAX_CRASHES ? ", and the last node that is left does not try it" : "");
}
