/* json.c - whether a JSON text from outside is safe to parse
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/json.h>

#include <string.h>

/* Whether @c is a letter, a digit, a blank or one of "+-.,:". Outside of strings, JSON has no other
 * characters than these and brackets. */
static gboolean
is_plain (char c)
{
  return g_ascii_isalnum (c) || (c != '\0' && strchr (" \t\r\n+-.,:", c) != NULL);
}

/* Returns: the place after the string that begins at @start, or @n_bytes if it does not end. */
static gsize
skip_string (const char *text, gsize n_bytes, gsize start)
{
  gsize i = start + 1;

  while (i < n_bytes && text[i] != '"')
    i += text[i] == '\\' ? 2 : 1;
  return MIN (i + 1, n_bytes);
}

gboolean
satin_json_is_bounded (const char *text, gsize n_bytes, guint max_depth, gsize max_values)
{
  gsize depth = 0, n_values = 0;

  for (gsize i = 0; i < n_bytes;)
    {
      if (text[i] == '"')
        {
          i = skip_string (text, n_bytes, i);
          continue;
        }
      if (text[i] == '[' || text[i] == '{')
        depth++;
      else if (text[i] == ']' || text[i] == '}')
        depth -= MIN (depth, 1);
      else if (!is_plain (text[i]))
        return FALSE;
      n_values += text[i] == ',';
      if (depth > max_depth || n_values > max_values)
        return FALSE;
      i++;
    }
  return TRUE;
}
