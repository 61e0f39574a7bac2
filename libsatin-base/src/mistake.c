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
#endif
