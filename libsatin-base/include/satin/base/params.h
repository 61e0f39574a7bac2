/* params.h - "key=value" parameters, checked against a declared table
 *
 * Every plugin and command declares its parameters once: key, type, default and help. The host
 * parses what people write. So a wrong key or value is refused in the same words everywhere, and
 * `satin inspect` can list the parameters.
 *
 * Threads: a SatinParams never changes after it was made. Any thread may read it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/**
 * SatinParamType:
 * @SATIN_PARAM_STRING: any text
 * @SATIN_PARAM_INT: a whole number in the range of gint64
 * @SATIN_PARAM_SIZE: bytes, "4096", "64K", "64M", "1G", "2T" (powers of 1024)
 * @SATIN_PARAM_DURATION: microseconds, "250us", "250ms", "60s", "5m", "2h", "0"
 * @SATIN_PARAM_BOOLEAN: "yes", "no", "true", "false", "1", "0"
 * @SATIN_PARAM_DOUBLE: a finite decimal number, with a point in every locale
 *
 * The type of a parameter's value.
 */
typedef enum
{
  SATIN_PARAM_STRING,
  SATIN_PARAM_INT,
  SATIN_PARAM_SIZE,
  SATIN_PARAM_DURATION,
  SATIN_PARAM_BOOLEAN,
  SATIN_PARAM_DOUBLE,
} SatinParamType;

/**
 * SatinParam:
 * @key: the name, in lower-case letters and dashes; it begins with a letter
 * @type: the type of its value
 * @fallback: (nullable): the default, as text; with %NULL the user must give a value
 * @help: one line, no full stop
 *
 * One row of a table of parameters. A row with a %NULL key ends the table.
 */
typedef struct
{
  const char *key;
  SatinParamType type;
  const char *fallback;
  const char *help;
} SatinParam;

/* Parameters that were checked against their table. */
typedef struct _SatinParams SatinParams;

/**
 * satin_params_parse:
 * @table: (array zero-terminated=1) (nullable): the declared parameters; borrowed, and outlives the
 *   result; %NULL when there are none
 * @assignments: (array zero-terminated=1) (nullable): texts of the form "key=value"
 * @error: %SATIN_ERROR_INVALID, with the key, the text that was given, and what would be right
 *
 * Checks @assignments against @table and fills in the defaults. The last assignment of a key wins.
 *
 * Threads: any. Cost: O(rows * assignments).
 *
 * Returns: (transfer full): the parameters, or %NULL with @error set
 */
SATIN_API SatinParams *satin_params_parse (const SatinParam *table, const char *const *assignments,
                                           GError **error);

/**
 * satin_params_parse_text:
 * @text: (nullable): assignments joined by commas, "a=1,b=64M"; %NULL or "" for none
 *
 * Like satin_params_parse(), but reads all assignments from one text. Inside a value write "\," for
 * a comma and "\;" for a semicolon, and "\\" for a backslash that stands before a comma, a
 * semicolon or another backslash. Any other backslash stands for itself. satin_params_append()
 * writes values in this form.
 *
 * Returns: (transfer full): the parameters, or %NULL with @error set
 */
SATIN_API SatinParams *satin_params_parse_text (const SatinParam *table, const char *text,
                                                GError **error);

/**
 * satin_params_split_text:
 * @text: (nullable): assignments in the form of satin_params_parse_text()
 *
 * Splits a text for satin_params_parse(). A host uses it to distribute assignments to several
 * plugins.
 *
 * Returns: (transfer full) (array zero-terminated=1): the assignments, without the backslashes that
 *   escape; free with g_strfreev()
 */
SATIN_API char **satin_params_split_text (const char *text);

/**
 * satin_params_append:
 * @text: a text for satin_params_parse_text(), maybe after a plugin's name and a colon, or several
 *   such texts with semicolons between them
 * @key: the parameter's key
 * @value: any text
 *
 * Appends "key=value" to the last text in @text, after a comma where one is needed. Special
 * characters of @value are escaped.
 */
SATIN_API void satin_params_append (GString *text, const char *key, const char *value);

/**
 * satin_params_split:
 * @text: several texts for satin_params_parse_text() or satin_plugin_load_spec(), separated by
 *   semicolons
 *
 * Splits @text at the semicolons that no backslash escapes.
 *
 * Returns: (transfer full) (array zero-terminated=1): the texts that are not empty; free with
 *   g_strfreev()
 */
SATIN_API char **satin_params_split (const char *text);

/* Frees the parameters. Strings from the getters are invalid after it. @self: (nullable). */
SATIN_API void satin_params_free (SatinParams *self);

/* Whether the table has @key. Code that may get different tables asks this before a getter. */
SATIN_API gboolean satin_params_has (const SatinParams *self, const char *key);

/* The value of a string parameter; borrowed from @self. A key that is not in the table, or has
 * another type, is a programming error, here and in the other getters. */
SATIN_API const char *satin_params_get_string (const SatinParams *self, const char *key);
/* Like satin_params_get_string(), for %SATIN_PARAM_INT. */
SATIN_API gint64 satin_params_get_int (const SatinParams *self, const char *key);
/* Like satin_params_get_string(), for %SATIN_PARAM_SIZE. Returns: bytes */
SATIN_API guint64 satin_params_get_size_bytes (const SatinParams *self, const char *key);
/* Like satin_params_get_string(), for %SATIN_PARAM_DURATION. Returns: microseconds */
SATIN_API gint64 satin_params_get_duration_us (const SatinParams *self, const char *key);
/* Like satin_params_get_string(), for %SATIN_PARAM_BOOLEAN. */
SATIN_API gboolean satin_params_get_boolean (const SatinParams *self, const char *key);
/* Like satin_params_get_string(), for %SATIN_PARAM_DOUBLE. */
SATIN_API double satin_params_get_double (const SatinParams *self, const char *key);

/**
 * satin_parse_size:
 * @text: a size, in the form of %SATIN_PARAM_SIZE
 * @ret_size_bytes: (out): untouched on failure
 * @error: %SATIN_ERROR_INVALID for any other text, and for more than 64 bits
 *
 * Reads a size.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_parse_size (const char *text, guint64 *ret_size_bytes, GError **error);

/**
 * satin_parse_duration:
 * @text: a duration, in the form of %SATIN_PARAM_DURATION; a number without a unit is refused,
 *   except "0"
 * @ret_duration_us: (out): microseconds, 0 or more; untouched on failure
 * @error: %SATIN_ERROR_INVALID for any other text, and for more than G_MAXINT64 microseconds
 *
 * Reads a duration.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_parse_duration (const char *text, gint64 *ret_duration_us, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinParams, satin_params_free)

G_END_DECLS
