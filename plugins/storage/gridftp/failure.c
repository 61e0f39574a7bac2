/* failure.c - turns failures of the Globus library into errors of Satin
 *
 * The library gives a text of many lines, with its own messages and the reply of the server.
 * Servers of the Grid Community Toolkit add the number of the system's error. Older servers, and
 * those of other makers, only send words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "failure.h"

#include <errno.h>
#include <string.h>

#define MAX_CHARS 400

#define ERRNO_KEY "GridFTP-Errno: "

typedef struct
{
  const char *words;
  SatinErrorCode code;
} Meaning;

/* Words in a text and the error code for them. The first match wins. */
static const Meaning meanings[] = {
  { "No space left", SATIN_ERROR_LIMIT },      { "quota exceeded", SATIN_ERROR_LIMIT },
  { "File too large", SATIN_ERROR_LIMIT },     { "No such file", SATIN_ERROR_NOT_FOUND },
  { "PATH_NOT_FOUND", SATIN_ERROR_NOT_FOUND }, { "Login incorrect", SATIN_ERROR_SECRET },
  { "uthentication", SATIN_ERROR_SECRET },     { "ertificate", SATIN_ERROR_SECRET },
  { "redential", SATIN_ERROR_SECRET },         { "GSS Major Status", SATIN_ERROR_SECRET },
  { "refused", SATIN_ERROR_UNREACHABLE },      { "o route", SATIN_ERROR_UNREACHABLE },
  { "nreachable", SATIN_ERROR_UNREACHABLE },   { "not known", SATIN_ERROR_UNREACHABLE },
  { "end-of-file", SATIN_ERROR_CLOSED },       { "reset by peer", SATIN_ERROR_CLOSED },
  { "Broken pipe", SATIN_ERROR_CLOSED },
};

/* Whether the text has a reply with this code. The code must begin a word, because ports and paths
 * have digits, too. */
static gboolean
has_reply (const char *text, const char *code)
{
  gsize n = strlen (code);
  for (const char *at = strstr (text, code); at != NULL; at = strstr (at + n, code))
    {
      gboolean is_begin = at == text || g_ascii_isspace (at[-1]);
      if (is_begin && (at[n] == ' ' || at[n] == '-'))
        return TRUE;
    }
  return FALSE;
}

SatinErrorCode
failure_code (const char *text)
{
  const char *number = strstr (text, ERRNO_KEY);
  if (number != NULL)
    switch (g_ascii_strtoll (number + strlen (ERRNO_KEY), NULL, 10))
      {
      case ENOENT:
        return SATIN_ERROR_NOT_FOUND;
      case ENOSPC:
      case EDQUOT:
      case EFBIG:
        return SATIN_ERROR_LIMIT;
      default:
        return SATIN_ERROR_IO;
      }
  if (has_reply (text, "530") || has_reply (text, "535"))
    return SATIN_ERROR_SECRET;
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (strstr (text, meanings[i].words) != NULL)
      return meanings[i].code;
  return SATIN_ERROR_IO;
}

gboolean
failure_is_unready (const char *text)
{
  return strstr (text, "local_port(): Handle not in the proper state") != NULL;
}

/* Returns: (transfer full): @text on one line, cut to MAX_CHARS */
static char *
flatten (const char *text)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);
  GString *flat = g_string_new (NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_strstrip (lines[i])[0] != '\0')
      g_string_append_printf (flat, "%s%s", flat->len > 0 ? "; " : "", lines[i]);
  if (flat->len > MAX_CHARS)
    g_string_append (g_string_truncate (flat, MAX_CHARS), "...");
  g_autofree char *taken = g_string_free (flat, FALSE);
  return g_utf8_make_valid (taken, -1);
}

void
failure_take (globus_object_t *failure, const char *where, const char *what, GError **error)
{
  char *text = globus_error_print_friendly (failure);
  g_autofree char *flat = flatten (text != NULL ? text : "no reason was given");
  g_set_error (error, SATIN_ERROR, failure_code (text != NULL ? text : ""), "%s: cannot %s: %s",
               where, what, flat);
  free (text);
}
