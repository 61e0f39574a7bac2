/* mistake.c - which mistake is to be made; in test builds only
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/mistake.h>

#ifdef SATIN_MISTAKES
#  include <string.h>

gboolean
satin_mistake_is_on (const char *name)
{
  const char *wanted = g_getenv ("SATIN_MISTAKE");
  return wanted != NULL && strcmp (wanted, name) == 0;
}

static __thread gboolean (*failing) (const char *site, gpointer user_data);
static __thread gpointer failing_data;

void
satin_mistake_set_failing (gboolean (*func) (const char *site, gpointer user_data),
                           gpointer user_data)
{
  failing = func;
  failing_data = user_data;
}

gboolean
satin_mistake_fails (const char *site)
{
  return failing != NULL && failing (site, failing_data);
}
#endif
