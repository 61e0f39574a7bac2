/* parse.c - parses sizes, durations and other values that people write
 *
 * Nothing here depends on the locale, and nothing is guessed: blanks and unknown units are refused.
 * Sizes and durations have no sign, an int may have a minus, and a double may have either sign.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "parse.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const char *name; /* follows the number */
  guint64 factor;
} Unit;

static const Unit size_units[] = {
  { "", 1 },
  { "K", (guint64)1 << 10 },
  { "M", (guint64)1 << 20 },
  { "G", (guint64)1 << 30 },
  { "T", (guint64)1 << 40 },
  { NULL, 0 },
};

static const Unit duration_units[] = {
  { "us", 1 },
  { "ms", 1000 },
  { "s", G_USEC_PER_SEC },
  { "m", 60 * (guint64)G_USEC_PER_SEC },
  { "h", 3600 * (guint64)G_USEC_PER_SEC },
  { NULL, 0 },
};

/* Parses digits and one of @units. Returns: FALSE when @text has another form, or the value is
 * above @max */
static gboolean
parse_scaled (const char *text, const Unit *units, guint64 max, guint64 *ret_value)
{
  char *end = NULL;
  guint64 number;

  if (!g_ascii_isdigit (text[0]))
    return FALSE;
  errno = 0;
  number = g_ascii_strtoull (text, &end, 10);
  if (errno != 0)
    return FALSE;
  for (const Unit *unit = units; unit->name != NULL; unit++)
    if (strcmp (end, unit->name) == 0)
      {
        if (number > max / unit->factor)
          return FALSE;
        *ret_value = number * unit->factor;
        return TRUE;
      }
  return FALSE;
}

gboolean
satin_parse_size (const char *text, guint64 *ret_size_bytes, GError **error)
{
  g_return_val_if_fail (text != NULL && ret_size_bytes != NULL, FALSE);

  if (parse_scaled (text, size_units, G_MAXUINT64, ret_size_bytes))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "'%s' is not a size below 16 EiB: write bytes, or a whole number and K, M, G or T",
               text);
  return FALSE;
}

gboolean
satin_parse_duration (const char *text, gint64 *ret_duration_us, GError **error)
{
  guint64 value_us = 0;

  g_return_val_if_fail (text != NULL && ret_duration_us != NULL, FALSE);

  if (strcmp (text, "0") == 0 || parse_scaled (text, duration_units, G_MAXINT64, &value_us))
    {
      *ret_duration_us = (gint64)value_us;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "'%s' is not a duration: write a whole number and us, ms, s, m or h", text);
  return FALSE;
}

gboolean
satin_parse_int (const char *text, gint64 *ret_value, GError **error)
{
  if (text[0] != '+'
      && g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, ret_value, NULL))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is not a whole number of 64 bits",
               text);
  return FALSE;
}

gboolean
satin_parse_boolean (const char *text, gboolean *ret_value, GError **error)
{
  static const char *const yes[] = { "yes", "true", "1", NULL };
  static const char *const no[] = { "no", "false", "0", NULL };

  if (g_strv_contains (yes, text) || g_strv_contains (no, text))
    {
      *ret_value = g_strv_contains (yes, text);
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is neither yes nor no", text);
  return FALSE;
}

gboolean
satin_parse_double (const char *text, double *ret_value, GError **error)
{
  char *end = NULL;
  double value;

  /* strtod() also accepts blanks, "inf", "nan" and hexadecimal numbers. */
  if (text[0] != '\0' && text[strspn (text, "0123456789+-.eE")] == '\0')
    {
      value = g_ascii_strtod (text, &end);
      if (end != text && *end == '\0' && isfinite (value))
        {
          *ret_value = value;
          return TRUE;
        }
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is not a finite decimal number",
               text);
  return FALSE;
}
