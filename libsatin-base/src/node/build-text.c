/* build-text.c - the builds of a run, as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/build.h>
#include <string.h>

static gboolean
is_known (const char *build)
{
  return build != NULL && *build != '\0';
}

gboolean
satin_build_is_valid (const char *build)
{
  g_return_val_if_fail (build != NULL, FALSE);
  const char *colon = strchr (build, ':');
  if (colon == NULL || colon == build || colon[1] == '\0' || strlen (build) > SATIN_BUILD_MAX_BYTES)
    return FALSE;
  for (const char *at = build; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && *at != '-' && at != colon)
      return FALSE;
  return TRUE;
}

char *
satin_builds_find (const char *builds, const char *build)
{
  if (!is_known (builds) || !is_known (build))
    return NULL;
  gsize n_machine = strcspn (build, ":") + 1;
  g_auto (GStrv) all = g_strsplit (builds, " ", -1);
  for (guint i = 0; all[i] != NULL; i++)
    if (strncmp (all[i], build, n_machine) == 0)
      return g_strdup (all[i]);
  return NULL;
}

gboolean
satin_builds_allow (const char *builds, const char *build)
{
  g_autofree char *found = satin_builds_find (builds, build);
  return found == NULL || strcmp (found, build) == 0;
}

char *
satin_builds_add (const char *builds, const char *build)
{
  g_autofree char *found = satin_builds_find (builds, build);
  if (!is_known (builds))
    return g_strdup (is_known (build) ? build : "");
  g_auto (GStrv) all = g_strsplit (builds, " ", -1);
  if (found != NULL || !is_known (build) || g_strv_length (all) >= SATIN_BUILDS_MAX)
    return g_strdup (builds);
  return g_strconcat (builds, " ", build, NULL);
}
