/* params.c - "key=value" parameters, checked against a declared table
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "params-private.h"

#include <string.h>

#include "parse.h"

typedef struct
{
  gboolean is_set;
  union
  {
    char *string; /* (owned) */
    gint64 integer;
    guint64 size_bytes;
    gint64 duration_us;
    gboolean boolean;
    double number;
  } as; /* the member for the type of the row */
} Value;

struct _SatinParams
{
  const SatinParam *table; /* (borrowed from the caller) */
  guint n_rows;
  Value *values; /* (owned) n_rows values, in the order of the table */
};

static guint
count_rows (const SatinParam *table)
{
  guint n_rows = 0;

  while (table != NULL && table[n_rows].key != NULL)
    n_rows++;
  return n_rows;
}

/* Returns: the index of the row with that key; n_rows when there is none */
static guint
find_row (const SatinParam *table, guint n_rows, const char *key, gsize n_key)
{
  guint i;

  for (i = 0; i < n_rows; i++)
    if (strlen (table[i].key) == n_key && memcmp (table[i].key, key, n_key) == 0)
      break;
  return i;
}

static gboolean
parse_value (SatinParamType type, const char *text, Value *value, GError **error)
{
  switch (type)
    {
    case SATIN_PARAM_STRING:
      g_free (value->as.string);
      value->as.string = g_strdup (text);
      return TRUE;
    case SATIN_PARAM_INT:
      return satin_parse_int (text, &value->as.integer, error);
    case SATIN_PARAM_SIZE:
      return satin_parse_size (text, &value->as.size_bytes, error);
    case SATIN_PARAM_DURATION:
      return satin_parse_duration (text, &value->as.duration_us, error);
    case SATIN_PARAM_BOOLEAN:
      return satin_parse_boolean (text, &value->as.boolean, error);
    case SATIN_PARAM_DOUBLE:
      return satin_parse_double (text, &value->as.number, error);
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%d is not a type of parameter", (int)type);
  return FALSE;
}

static gboolean
set_value (SatinParams *self, guint row, const char *text, GError **error)
{
  if (!parse_value (self->table[row].type, text, &self->values[row], error))
    {
      g_prefix_error (error, "parameter %s: ", self->table[row].key);
      return FALSE;
    }
  self->values[row].is_set = TRUE;
  return TRUE;
}

static void
set_unknown_key_error (const SatinParams *self, const char *key, gsize n_key, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < self->n_rows; i++)
    g_string_append_printf (known, "%s%s", i == 0 ? "known are " : ", ", self->table[i].key);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "unknown parameter %.*s, %s", (int)n_key,
               key, self->n_rows == 0 ? "there are none" : known->str);
}

static gboolean
assign (SatinParams *self, const char *assignment, GError **error)
{
  const char *equals = strchr (assignment, '=');
  guint row;

  if (equals == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is not of the form key=value",
                   assignment);
      return FALSE;
    }
  row = find_row (self->table, self->n_rows, assignment, (gsize)(equals - assignment));
  if (row == self->n_rows)
    {
      set_unknown_key_error (self, assignment, (gsize)(equals - assignment), error);
      return FALSE;
    }
  return set_value (self, row, equals + 1, error);
}

static gboolean
fill_in_default (SatinParams *self, guint row, GError **error)
{
  const SatinParam *param = &self->table[row];

  if (self->values[row].is_set)
    return TRUE;
  if (param->fallback == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "parameter %s must be given: %s",
                   param->key, param->help);
      return FALSE;
    }
  return set_value (self, row, param->fallback, error);
}

SatinParams *
satin_params_parse (const SatinParam *table, const char *const *assignments, GError **error)
{
  g_autoptr (SatinParams) self = NULL;

  self = g_new0 (SatinParams, 1);
  self->table = table;
  self->n_rows = count_rows (table);
  self->values = g_new0 (Value, self->n_rows);
  for (guint i = 0; assignments != NULL && assignments[i] != NULL; i++)
    if (!assign (self, assignments[i], error))
      return NULL;
  for (guint row = 0; row < self->n_rows; row++)
    if (!fill_in_default (self, row, error))
      return NULL;
  return g_steal_pointer (&self);
}

/* Characters with a meaning of their own. In a value a backslash stands before each of them. */
#define SPECIAL "\\,;"

/* Whether @p points to a backslash that makes the next character plain. */
static gboolean
is_escape (const char *p)
{
  return p[0] == '\\' && p[1] != '\0' && strchr (SPECIAL, p[1]) != NULL;
}

/* Whether a comma must come before the next assignment. It must not if the last piece of @text,
 * behind the last semicolon, is empty, or is only a plugin's name and a colon. */
static gboolean
needs_comma (const char *text)
{
  const char *begin = text;

  for (const char *p = text; *p != '\0'; p += is_escape (p) ? 2 : 1)
    if (*p == ';')
      begin = p + 1;
  return *begin != '\0' && (strchr (begin, '=') != NULL || !g_str_has_suffix (begin, ":"));
}

void
satin_params_append (GString *text, const char *key, const char *value)
{
  g_return_if_fail (text != NULL && key != NULL && value != NULL);

  if (needs_comma (text->str))
    g_string_append_c (text, ',');
  g_string_append_printf (text, "%s=", key);
  for (; *value != '\0'; value++)
    {
      if (strchr (SPECIAL, *value) != NULL)
        g_string_append_c (text, '\\');
      g_string_append_c (text, *value);
    }
}

char **
satin_params_split (const char *text)
{
  g_autoptr (GStrvBuilder) pieces = g_strv_builder_new ();
  const char *begin = text;
  const char *p = text;

  g_return_val_if_fail (text != NULL, NULL);

  for (;; p += is_escape (p) ? 2 : 1)
    if (*p == ';' || *p == '\0')
      {
        g_autofree char *piece = g_strndup (begin, (gsize)(p - begin));

        if (*piece != '\0')
          g_strv_builder_add (pieces, piece);
        if (*p == '\0')
          return g_strv_builder_end (pieces);
        begin = p + 1;
      }
}

char **
satin_params_split_text (const char *text)
{
  g_autoptr (GStrvBuilder) pieces = g_strv_builder_new ();
  g_autoptr (GString) piece = g_string_new (NULL);

  if (text == NULL || *text == '\0')
    return g_strv_builder_end (pieces);
  for (const char *p = text; *p != '\0'; p++)
    if (is_escape (p))
      g_string_append_c (piece, *++p);
    else if (*p != ',')
      g_string_append_c (piece, *p);
    else
      {
        g_strv_builder_add (pieces, piece->str);
        g_string_truncate (piece, 0);
      }
  g_strv_builder_add (pieces, piece->str);
  return g_strv_builder_end (pieces);
}

SatinParams *
satin_params_parse_text (const SatinParam *table, const char *text, GError **error)
{
  g_auto (GStrv) pieces = satin_params_split_text (text);

  return satin_params_parse (table, (const char *const *)pieces, error);
}

void
satin_params_free (SatinParams *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_rows; i++)
    if (self->table[i].type == SATIN_PARAM_STRING)
      g_free (self->values[i].as.string);
  g_free (self->values);
  g_free (self);
}

/* Returns: (nullable): %NULL when the table has no such key, or the key has another type */
static const Value *
find_value (const SatinParams *self, const char *key, SatinParamType type)
{
  guint row = find_row (self->table, self->n_rows, key, strlen (key));

  if (row == self->n_rows || self->table[row].type != type)
    return NULL;
  return &self->values[row];
}

gboolean
satin_params_has (const SatinParams *self, const char *key)
{
  return find_row (self->table, self->n_rows, key, strlen (key)) < self->n_rows;
}

const char *
satin_params_get_string (const SatinParams *self, const char *key)
{
  const Value *value = find_value (self, key, SATIN_PARAM_STRING);

  g_return_val_if_fail (value != NULL, NULL);
  return value->as.string;
}

gint64
satin_params_get_int (const SatinParams *self, const char *key)
{
  const Value *value = find_value (self, key, SATIN_PARAM_INT);

  g_return_val_if_fail (value != NULL, 0);
  return value->as.integer;
}

guint64
satin_params_get_size_bytes (const SatinParams *self, const char *key)
{
  const Value *value = find_value (self, key, SATIN_PARAM_SIZE);

  g_return_val_if_fail (value != NULL, 0);
  return value->as.size_bytes;
}

gint64
satin_params_get_duration_us (const SatinParams *self, const char *key)
{
  const Value *value = find_value (self, key, SATIN_PARAM_DURATION);

  g_return_val_if_fail (value != NULL, 0);
  return value->as.duration_us;
}

gboolean
satin_params_get_boolean (const SatinParams *self, const char *key)
{
  const Value *value = find_value (self, key, SATIN_PARAM_BOOLEAN);

  g_return_val_if_fail (value != NULL, FALSE);
  return value->as.boolean;
}

double
satin_params_get_double (const SatinParams *self, const char *key)
{
  const Value *value = find_value (self, key, SATIN_PARAM_DOUBLE);

  g_return_val_if_fail (value != NULL, 0);
  return value->as.number;
}

static gboolean
is_key (const char *key)
{
  return g_ascii_islower (key[0]) && key[strspn (key, "abcdefghijklmnopqrstuvwxyz-")] == '\0';
}

/* Returns: (transfer full) (nullable): what is wrong with the row; %NULL when nothing is */
static char *
find_fault (const SatinParam *table, guint row)
{
  const SatinParam *param = &table[row];
  g_autoptr (GError) error = NULL;
  Value value = { 0 };

  if (!is_key (param->key))
    return g_strdup ("its key is not small letters and dashes");
  if (find_row (table, row, param->key, strlen (param->key)) != row)
    return g_strdup ("it stands twice");
  if (param->help == NULL)
    return g_strdup ("it has no help");
  if ((guint)param->type > SATIN_PARAM_DOUBLE)
    return g_strdup_printf ("%u is not a type", (guint)param->type);
  if (param->fallback != NULL && !parse_value (param->type, param->fallback, &value, &error))
    return g_strdup_printf ("its default %s", error->message);
  if (param->type == SATIN_PARAM_STRING)
    g_free (value.as.string);
  return NULL;
}

gboolean
satin_params_check_table (const SatinParam *table, GError **error)
{
  for (guint row = 0; table[row].key != NULL; row++)
    {
      g_autofree char *fault = find_fault (table, row);

      if (fault != NULL)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "parameter '%s': %s",
                       table[row].key, fault);
          return FALSE;
        }
    }
  return TRUE;
}
