/* inject.c - whether an injected bug is on; only in builds with injected bugs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#ifdef SATIN_INJECTED_BUGS
#  include <string.h>

gboolean
satin_inject_is_on (const char *bug)
{
  const char *wanted = g_getenv ("SATIN_INJECT_BUG");
  return wanted != NULL && strcmp (wanted, bug) == 0;
}

static __thread gboolean (*no_memory) (const char *site, gpointer user_data);
static __thread gpointer no_memory_data;

void
satin_inject_set_no_memory (gboolean (*func) (const char *site, gpointer user_data),
                            gpointer user_data)
{
  no_memory = func;
  no_memory_data = user_data;
}

gboolean
satin_inject_has_no_memory (const char *site)
{
  return no_memory != NULL && no_memory (site, no_memory_data);
}
#endif
