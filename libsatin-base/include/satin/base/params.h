/* params.h - "key=value" parameters, checked against a declared table
 *
 * Every plugin and command declares its parameters once: key, type, default
 * and help. The host parses what people write, so that a wrong key or value is
 * refused in the same words everywhere and `satin inspect` can list them.
 *
 * Threads: a SatinParams never changes after it was made; any thread may read it.
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
 * @SATIN_PARAM_DURATION: microseconds, "250us", "250ms", "60s", "5m", "2h"
 * @SATIN_PARAM_BOOLEAN: "yes", "no", "true", "false", "1", "0"
 * @SATIN_PARAM_DOUBLE: a finite decimal number, with a point in every locale
 *
 * What the value of a parameter may be.
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
 * @key: the name, in small letters and dashes
 * @type: what its value is
 * @fallback: (nullable): the value when none is given, as text; %NULL when it must be given
 * @help: one line, no full stop
 *
 * One row of a table of parameters; a row with a %NULL key ends the table.
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
 * @table: (array zero-terminated=1) (nullable): the declared parameters, borrowed for the life of
 *   the result; %NULL when there are none
 * @assignments: (array zero-terminated=1) (nullable): texts of the form "key=value"
 * @error: %SATIN_ERROR_INVALID, naming the key, what was written and what would be right
 *
 * Checks @assignments against @table and fills in the defaults. The last
 * assignment of a key wins.
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
 * As satin_params_parse(), for one text. Inside a value a comma is written "\,", a semicolon "\;"
 * and a backslash before one of these, or before another backslash, "\\". Any other backslash is
 * itself. satin_params_append() writes values so.
 *
 * Returns: (transfer full): the parameters, or %NULL with @error set
 */
SATIN_API SatinParams *satin_params_parse_text (const SatinParam *table, const char *text,
                                                GError **error);

/**
 * satin_params_split_text:
 * @text: (nullable): assignments as satin_params_parse_text() reads them
 *
 * Splits a text for satin_params_parse(), for a host that deals assignments to several plugins.
 *
 * Returns: (transfer full) (array zero-terminated=1): the assignments, without the backslashes that
 * escape; free with g_strfreev()
 */
SATIN_API char **satin_params_split_text (const char *text);

/**
 * satin_params_append:
 * @text: what satin_params_parse_text() reads, maybe with a plugin's name and a colon before it;
 *   "key=value" is appended to it, after a comma where one is needed
 * @value: any text
 */
SATIN_API void satin_params_append (GString *text, const char *key, const char *value);

/**
 * satin_params_split:
 * @text: several texts for satin_params_parse_text() or satin_plugin_load_spec(), with semicolons
 *   between them
 *
 * Returns: (transfer full) (array zero-terminated=1): the texts that are not empty; free with
 * g_strfreev()
 */
SATIN_API char **satin_params_split (const char *text);

/* @self: (nullable). Strings that getters gave are gone too. */
SATIN_API void satin_params_free (SatinParams *self);

/* Whether the table has the key: for code that is opened with the table of a plugin, or with none.
 */
SATIN_API gboolean satin_params_has (const SatinParams *self, const char *key);

/* Getters: the key must be in the table with that type (else a programming
 * error). Strings stay valid as long as @self. */
SATIN_API const char *satin_params_get_string (const SatinParams *self, const char *key);
/* As satin_params_get_string(), for %SATIN_PARAM_INT. */
SATIN_API gint64 satin_params_get_int (const SatinParams *self, const char *key);
/* As satin_params_get_string(), for %SATIN_PARAM_SIZE. Returns: bytes */
SATIN_API guint64 satin_params_get_size_bytes (const SatinParams *self, const char *key);
/* As satin_params_get_string(), for %SATIN_PARAM_DURATION. Returns: microseconds */
SATIN_API gint64 satin_params_get_duration_us (const SatinParams *self, const char *key);
/* As satin_params_get_string(), for %SATIN_PARAM_BOOLEAN. */
SATIN_API gboolean satin_params_get_boolean (const SatinParams *self, const char *key);
/* As satin_params_get_string(), for %SATIN_PARAM_DOUBLE. */
SATIN_API double satin_params_get_double (const SatinParams *self, const char *key);

/**
 * satin_parse_size:
 * @text: as for %SATIN_PARAM_SIZE
 * @ret_size_bytes: (out): untouched on failure
 * @error: %SATIN_ERROR_INVALID on anything else, overflow included
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_parse_size (const char *text, guint64 *ret_size_bytes, GError **error);

/**
 * satin_parse_duration:
 * @text: as for %SATIN_PARAM_DURATION; a bare number is refused, except "0"
 * @ret_duration_us: (out): microseconds, 0 or more; untouched on failure
 * @error: %SATIN_ERROR_INVALID on anything else, overflow included
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_parse_duration (const char *text, gint64 *ret_duration_us, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinParams, satin_params_free)

G_END_DECLS
