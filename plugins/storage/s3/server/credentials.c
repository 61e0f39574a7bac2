/* credentials.c - looks for credentials in one place after the other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "credentials.h"

#include <string.h>

void
credentials_clear (Credentials *self)
{
  curl_common_free_secret (g_steal_pointer (&self->secret));
  curl_common_free_secret (g_steal_pointer (&self->token));
  g_clear_pointer (&self->key_id, g_free);
  g_clear_pointer (&self->place, g_free);
}

static const char *
get_variable (const char *name)
{
  const char *value = g_getenv (name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

void
credentials_source_init (CredentialsSource *self, const char *profile, const char *metadata,
                         int wake_fd)
{
  const char *disabled = get_variable ("AWS_EC2_METADATA_DISABLED");
  const char *named = profile[0] != '\0' ? profile : get_variable ("AWS_PROFILE");
  gboolean has_metadata = disabled == NULL || g_ascii_strcasecmp (disabled, "true") != 0;
  *self = (CredentialsSource){ .profile = g_strdup (named != NULL ? named : "default"),
                               .is_profile_given = profile[0] != '\0',
                               .metadata = g_strdup (has_metadata ? metadata : ""),
                               .wake_fd = wake_fd };
}

void
credentials_source_clear (CredentialsSource *self)
{
  g_clear_pointer (&self->profile, g_free);
  g_clear_pointer (&self->metadata, g_free);
}

static gboolean
find_in_environment (Credentials *ret_found)
{
  const char *key_id = get_variable ("AWS_ACCESS_KEY_ID");
  const char *secret = get_variable ("AWS_SECRET_ACCESS_KEY");
  if (key_id == NULL || secret == NULL)
    return FALSE;
  *ret_found = (Credentials){ .key_id = g_strdup (key_id),
                              .secret = g_strdup (secret),
                              .token = g_strdup (get_variable ("AWS_SESSION_TOKEN")),
                              .place = g_strdup ("the environment") };
  return TRUE;
}

gboolean
credentials_find (const CredentialsSource *self, Credentials *ret_found, GError **error)
{
  g_autoptr (GError) local = NULL;
  /* If the parameter profile is given, only the files are used. */
  if (!self->is_profile_given && find_in_environment (ret_found))
    return TRUE;
  if (profile_find_credentials (self, ret_found))
    return TRUE;
  if (!self->is_profile_given && self->metadata[0] != '\0'
      && metadata_find (self, ret_found, &local))
    return TRUE;
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_SECRET,
      "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write "
      "aws_access_key_id and aws_secret_access_key under [%s] in ~/.aws/credentials%s%s",
      self->profile, local != NULL ? "; " : "", local != NULL ? local->message : "");
  return FALSE;
}

char *
credentials_find_region (const CredentialsSource *self)
{
  const char *region = get_variable ("AWS_REGION");
  if (region == NULL)
    region = get_variable ("AWS_DEFAULT_REGION");
  return region != NULL ? g_strdup (region) : profile_find_region (self);
}
