/* answer.c - parses the XML that an S3 server sends
 *
 * One parser reads all answers. At the end of each element it calls a function with the element's
 * text, and with the name of the element around it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answer.h"

#include <string.h>

/* The deepest nesting that is parsed; real answers are nested 4 deep. GMarkup keeps the names of
 * all open elements. */
#define MAX_DEPTH 16

typedef struct _Reader Reader;

struct _Reader
{
  /* Called at the end of each element. @parent: "" for none */
  void (*on_element) (Reader *self, const char *parent, const char *name, const char *text);
  guint depth;
  GString *text; /* (owned): text of the innermost element so far */

  /* What the functions need and find. */
  char *root; /* (owned) (nullable): the outermost element */
  AnswerObjectFunc func;
  gpointer user_data;
  char *key;  /* (owned) (nullable): of the object that is read */
  char *etag; /* (owned) (nullable) */
  char *size; /* (owned) (nullable) */
  gboolean is_truncated;
  char *next; /* (owned) (nullable) */
  AnswerError error;
  const char *wanted;
  char *found; /* (owned) (nullable) */
};

/* ---- the parser ---- */

static void
on_start (GMarkupParseContext *context, const char *name, const char **names, const char **values,
          gpointer data, GError **error)
{
  Reader *self = data;
  g_string_truncate (self->text, 0);
  if (self->root == NULL)
    self->root = g_strdup (name);
  if (++self->depth > MAX_DEPTH)
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "it is nested too deep");
}

static void
on_end (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  Reader *self = data;
  const GSList *stack = g_markup_parse_context_get_element_stack (context);
  const char *parent = stack->next != NULL ? stack->next->data : "";
  self->depth--;
  self->on_element (self, parent, name, self->text->str);
  g_string_truncate (self->text, 0);
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize n_bytes, gpointer data,
         GError **error)
{
  Reader *self = data;
  if (self->text->len + n_bytes > ANSWER_TEXT_MAX)
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "it has a long text");
  else
    g_string_append_len (self->text, text, (gssize)n_bytes);
}

static void
forget_object (Reader *self)
{
  g_clear_pointer (&self->key, g_free);
  g_clear_pointer (&self->etag, g_free);
  g_clear_pointer (&self->size, g_free);
}

static gboolean
parse (Reader *self, const char *text, gsize n_bytes, GError **error)
{
  static const GMarkupParser parser = { .start_element = on_start,
                                        .end_element = on_end,
                                        .text = on_text };
  GMarkupParseContext *context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, self, NULL);
  self->text = g_string_new (NULL);
  gboolean is_parsed = g_markup_parse_context_parse (context, text, (gssize)n_bytes, error)
                       && g_markup_parse_context_end_parse (context, error);
  g_markup_parse_context_free (context);
  g_string_free (self->text, TRUE);
  forget_object (self);
  return is_parsed;
}

/* Takes the text of an element, if it is the first of its kind. */
static void
take (char **field, const char *text)
{
  if (*field == NULL)
    *field = g_strdup (text);
}

/* Returns: (transfer full): @text without the quotes around it */
static char *
without_quotes (const char *text)
{
  gsize length = strlen (text);
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"')
    return g_strndup (text + 1, length - 2);
  return g_strdup (text);
}

/* ---- errors ---- */

void
answer_error_clear (AnswerError *self)
{
  g_clear_pointer (&self->code, g_free);
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->region, g_free);
}

static void
take_error (Reader *self, const char *parent, const char *name, const char *text)
{
  if (strcmp (parent, "Error") != 0)
    return;
  if (strcmp (name, "Code") == 0)
    take (&self->error.code, text);
  else if (strcmp (name, "Message") == 0)
    take (&self->error.message, text);
  else if (strcmp (name, "Region") == 0)
    take (&self->error.region, text);
}

/* Makes the text safe to print. Sets a missing text to "". */
static void
make_printable (char **text)
{
  if (*text == NULL)
    *text = g_strdup ("");
  for (char *c = *text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
}

gboolean
answer_parse_error (const char *text, gsize n_bytes, AnswerError *ret_error)
{
  Reader reader = { .on_element = take_error };
  gboolean is_error =
      parse (&reader, text, n_bytes, NULL) && reader.error.code != NULL
      && (strcmp (reader.root, "Error") == 0 || strcmp (reader.root, "DeleteResult") == 0);
  g_free (reader.root);
  if (!is_error)
    {
      answer_error_clear (&reader.error);
      return FALSE;
    }
  make_printable (&reader.error.code);
  make_printable (&reader.error.message);
  make_printable (&reader.error.region);
  *ret_error = reader.error;
  return TRUE;
}

/* ---- lists ---- */

static void
tell_object (Reader *self)
{
  AnswerObject object = { .key = self->key };
  g_autofree char *etag = self->etag != NULL ? without_quotes (self->etag) : NULL;
  object.etag = etag;
  if (self->key != NULL && self->key[0] != '\0' && etag != NULL && etag[0] != '\0'
      && self->size != NULL
      && g_ascii_string_to_unsigned (self->size, 10, 0, G_MAXINT64, &object.size_bytes, NULL))
    self->func (&object, self->user_data);
  forget_object (self);
}

static void
take_entry (Reader *self, const char *parent, const char *name, const char *text)
{
  if (strcmp (parent, "Contents") == 0 && strcmp (name, "Key") == 0)
    take (&self->key, text);
  else if (strcmp (parent, "Contents") == 0 && strcmp (name, "ETag") == 0)
    take (&self->etag, text);
  else if (strcmp (parent, "Contents") == 0 && strcmp (name, "Size") == 0)
    take (&self->size, text);
  else if (strcmp (parent, "ListBucketResult") != 0)
    return;
  else if (strcmp (name, "Contents") == 0)
    tell_object (self);
  else if (strcmp (name, "IsTruncated") == 0)
    self->is_truncated = g_ascii_strcasecmp (text, "true") == 0;
  else if (strcmp (name, "NextContinuationToken") == 0)
    take (&self->next, text);
}

gboolean
answer_parse_list (const char *text, gsize n_bytes, AnswerObjectFunc func, gpointer user_data,
                   char **ret_next, GError **error)
{
  Reader reader = { .on_element = take_entry, .func = func, .user_data = user_data };
  g_autoptr (GError) local = NULL;
  gboolean is_parsed = parse (&reader, text, n_bytes, &local);
  gboolean is_list = is_parsed && g_strcmp0 (reader.root, "ListBucketResult") == 0
                     && (!reader.is_truncated || (reader.next != NULL && reader.next[0] != '\0'));
  g_free (reader.root);
  if (is_list)
    *ret_next = reader.is_truncated ? g_steal_pointer (&reader.next) : NULL;
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                 "the server's list of objects is none of S3: %s",
                 local != NULL ? local->message : "it has no ListBucketResult, or no next page");
  g_free (reader.next);
  return is_list;
}

/* ---- single fields ---- */

static void
take_field (Reader *self, const char *parent, const char *name, const char *text)
{
  if (self->found == NULL && strcmp (name, self->wanted) == 0)
    self->found = without_quotes (text);
}

char *
answer_parse_field (const char *text, gsize n_bytes, const char *name)
{
  Reader reader = { .on_element = take_field, .wanted = name };
  if (!parse (&reader, text, n_bytes, NULL))
    g_clear_pointer (&reader.found, g_free);
  g_free (reader.root);
  return reader.found;
}
