/* profile.c - reads the files of Amazon's tools: ~/.aws/credentials and ~/.aws/config
 *
 * GKeyFile does not read them: they have comments with a semicolon, and settings that are nested by
 * their indentation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "credentials.h"

#include <string.h>
#include <sys/stat.h>

#define MAX_FILE_BYTES ((goffset)1 << 20)

/* Returns: whether @line is the header of the section @name */
static gboolean
is_section (const char *line, const char *name)
{
  const char *end = strchr (line, ']');
  if (end == NULL)
    return FALSE;
  g_autofree char *inner = g_strstrip (g_strndup (line + 1, (gsize)(end - line - 1)));
  return strcmp (inner, name) == 0;
}

/* Returns: (transfer full) (nullable): the value of @key if @line sets it */
static char *
take_value (const char *line, const char *key)
{
  const char *equals = strchr (line, '=');
  if (equals == NULL)
    return NULL;
  g_autofree char *name = g_strstrip (g_strndup (line, (gsize)(equals - line)));
  return g_ascii_strcasecmp (name, key) == 0 ? g_strstrip (g_strdup (equals + 1)) : NULL;
}

char *
profile_find (const char *text, const char *section, const char *key)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean is_inside = FALSE;
  char *value = NULL;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strchomp (lines[i]);
      if (line[0] == '[')
        is_inside = is_section (line, section);
      else if (is_inside && value == NULL && !g_ascii_isspace (line[0]) && line[0] != '#'
               && line[0] != ';')
        value = take_value (line, key);
      /* The lines may have secrets. */
      memset (lines[i], 0, strlen (lines[i]));
    }
  if (value == NULL || value[0] != '\0')
    return value;
  g_free (value);
  return NULL;
}

/* Returns: (transfer full) (nullable): the file's text, to free with curl_common_free_secret() */
static char *
read_file (const char *path)
{
  struct stat status;
  char *text = NULL;
  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size > MAX_FILE_BYTES)
    return NULL;
  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* Returns: (transfer full): the path of a file of Amazon's tools. @variable: of the environment,
 * names another path if it is set */
static char *
find_path (const char *variable, const char *name)
{
  const char *path = g_getenv (variable);
  return path != NULL && path[0] != '\0' ? g_strdup (path)
                                         : g_build_filename (g_get_home_dir (), ".aws", name, NULL);
}

static char *
find_config_section (const CredentialsSource *source)
{
  return strcmp (source->profile, "default") == 0 ? g_strdup ("default")
                                                  : g_strconcat ("profile ", source->profile, NULL);
}

static gboolean
find_in_file (const char *path, const char *section, Credentials *ret_found)
{
  char *text = read_file (path);
  if (text == NULL)
    return FALSE;
  Credentials found = { .key_id = profile_find (text, section, "aws_access_key_id"),
                        .secret = profile_find (text, section, "aws_secret_access_key"),
                        .token = profile_find (text, section, "aws_session_token"),
                        .place = g_strdup_printf ("[%s] in %s", section, path) };
  gboolean is_found = found.key_id != NULL && found.secret != NULL;
  curl_common_free_secret (text);
  if (is_found)
    *ret_found = found;
  else
    credentials_clear (&found);
  return is_found;
}

gboolean
profile_find_credentials (const CredentialsSource *source, Credentials *ret_found)
{
  g_autofree char *credentials = find_path ("AWS_SHARED_CREDENTIALS_FILE", "credentials");
  g_autofree char *config = find_path ("AWS_CONFIG_FILE", "config");
  g_autofree char *section = find_config_section (source);
  return find_in_file (credentials, source->profile, ret_found)
         || find_in_file (config, section, ret_found);
}

char *
profile_find_region (const CredentialsSource *source)
{
  g_autofree char *path = find_path ("AWS_CONFIG_FILE", "config");
  g_autofree char *section = find_config_section (source);
  char *text = read_file (path);
  char *region = text != NULL ? profile_find (text, section, "region") : NULL;
  curl_common_free_secret (text);
  return region;
}
