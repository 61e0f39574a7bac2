/* object.c - the operations on the objects of a bucket
 *
 * A server that got a request and lost the connection before its answer may have done the work. As
 * the request is then repeated, each request must do no harm when it runs twice. (libcurl, too,
 * repeats a request when a connection that was used before is gone.) A conditional PUT that is
 * repeated may find the object that its first try has written, and knows this object by its mark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "object.h"

#include <satin/base/bytes.h>
#include <string.h>

/* The most pages of a list. Each has up to 1,000 objects. */
#define MAX_PAGES 1000

void
object_clear (Object *self)
{
  g_clear_pointer (&self->etag, g_free);
  g_clear_pointer (&self->writer, g_free);
}

/* Returns: the object's name without the folder, for messages */
static const char *
name_of (const Server *server, const char *key)
{
  const char *name = key + strlen (server->address.prefix);
  return name[0] != '\0' ? name : "the folder";
}

/* ---- looking and reading ---- */

gboolean
object_look (Server *server, const char *key, Object *ret_object, GError **error)
{
  Exchange exchange;
  char *what = g_strdup_printf ("look at %s", name_of (server, key));
  exchange_begin (&exchange, "HEAD", key, what, "s3:GetObject");
  exchange.statuses = EXCHANGE_MAY_MISS;
  gboolean is_done = exchange_make (&exchange, server, error);
  if (is_done)
    *ret_object = (Object){ .is_there = exchange.status != 404,
                            .size_bytes = (guint64)MAX (exchange.length_bytes, 0),
                            .etag = g_steal_pointer (&exchange.etag),
                            .writer = g_steal_pointer (&exchange.writer) };
  exchange_end (&exchange);
  return is_done;
}

/* Returns: the size in the value of Content-Range: "bytes 0-9/100" or "bytes *" "/100"; 0 for none
 */
static guint64
size_in_range (const char *range)
{
  const char *slash = range != NULL ? strchr (range, '/') : NULL;
  guint64 size = 0;
  if (slash != NULL)
    g_ascii_string_to_unsigned (slash + 1, 10, 0, G_MAXINT64, &size, NULL);
  return size;
}

gboolean
object_read (Server *server, const char *key, guint64 offset, guint8 *buffer, gsize n_bytes,
             gsize *ret_n_bytes, Object *ret_object, GError **error)
{
  Exchange exchange;
  g_autofree char *range = g_strdup_printf ("bytes=%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                                            offset, offset + n_bytes - 1);
  char *what = g_strdup_printf ("read %s", name_of (server, key));
  exchange_begin (&exchange, "GET", key, what, "s3:GetObject");
  exchange.statuses = EXCHANGE_MAY_MISS | EXCHANGE_MAY_END;
  exchange.target = buffer;
  exchange.n_target = n_bytes;
  exchange.n_before = offset;
  exchange_add_header (&exchange, "range", range);
  gboolean is_done = exchange_make (&exchange, server, error);
  if (is_done)
    {
      gboolean is_part = exchange.status == 206 || exchange.status == 416;
      *ret_n_bytes = exchange.status < 300 ? exchange.n_received : 0;
      *ret_object =
          (Object){ .is_there = exchange.status != 404,
                    .size_bytes = is_part ? size_in_range (exchange.range)
                                          : (guint64)MAX (exchange.length_bytes, 0),
                    .etag = exchange.status < 300 ? g_steal_pointer (&exchange.etag) : NULL };
    }
  exchange_end (&exchange);
  return is_done;
}

/* ---- writing ---- */

void
object_make_mark (char *mark)
{
  guint32 words[4] = { g_random_int (), g_random_int (), g_random_int (), g_random_int () };
  satin_hex_write ((const guint8 *)words, sizeof words, mark);
}

void
object_add_condition (Exchange *exchange, const ObjectCondition *condition, char **ret_match)
{
  *ret_match = NULL;
  if (condition == NULL)
    return;
  exchange->statuses |= EXCHANGE_MAY_REFUSE;
  if (condition->must_be_new)
    exchange_add_header (exchange, "if-none-match", "*");
  else
    {
      *ret_match = g_strdup_printf ("\"%s\"", condition->etag);
      exchange_add_header (exchange, "if-match", *ret_match);
    }
}

gboolean
object_take_refusal (Server *server, const Exchange *exchange, const char *mark, char **ret_etag,
                     GError **error)
{
  g_auto (Object) there = { 0 };
  *ret_etag = NULL;
  if (!object_look (server, exchange->key, &there, error))
    return FALSE;
  if (there.is_there && g_strcmp0 (there.writer, mark) == 0)
    *ret_etag = g_steal_pointer (&there.etag);
  return TRUE;
}

gboolean
object_put (Server *server, const char *key, const guint8 *bytes, gsize n_bytes, const char *mark,
            const ObjectCondition *condition, char **ret_etag, GError **error)
{
  Exchange exchange;
  g_autofree char *match = NULL;
  char *what = g_strdup_printf ("write %s", name_of (server, key));
  exchange_begin (&exchange, "PUT", key, what, "s3:PutObject");
  exchange.source = bytes;
  exchange.n_source = n_bytes;
  exchange_add_header (&exchange, EXCHANGE_WRITER, mark);
  object_add_condition (&exchange, condition, &match);
  gboolean is_done = exchange_make (&exchange, server, error);
  if (is_done && exchange.status == 412)
    is_done = object_take_refusal (server, &exchange, mark, ret_etag, error);
  else if (is_done)
    *ret_etag = g_strdup (exchange.etag != NULL ? exchange.etag : "");
  exchange_end (&exchange);
  return is_done;
}

gboolean
object_remove (Server *server, const char *key, GError **error)
{
  Exchange exchange;
  char *what = g_strdup_printf ("remove %s", name_of (server, key));
  exchange_begin (&exchange, "DELETE", key, what, "s3:DeleteObject");
  exchange.statuses = EXCHANGE_MAY_MISS;
  gboolean is_done = exchange_make (&exchange, server, error);
  exchange_end (&exchange);
  return is_done;
}

void
object_add_source (Exchange *exchange, const Server *server, const char *from, const char *etag,
                   char **ret_source, char **ret_match)
{
  g_autofree char *path = g_strconcat ("/", server->address.bucket, "/", from, NULL);
  *ret_source = sign_encode (path, TRUE);
  *ret_match = g_strdup_printf ("\"%s\"", etag);
  exchange_add_header (exchange, "x-amz-copy-source", *ret_source);
  /* Swift knows no condition on an object that was sent in parts, whose ETag has a dash. */
  if (strchr (etag, '-') == NULL)
    exchange_add_header (exchange, "x-amz-copy-source-if-match", *ret_match);
}

gboolean
object_copy (Server *server, const char *from, const char *etag, const char *to, GError **error)
{
  Exchange exchange;
  g_autofree char *source = NULL;
  g_autofree char *match = NULL;
  char *what = g_strdup_printf ("rename %s to %s", name_of (server, from), name_of (server, to));
  exchange_begin (&exchange, "PUT", to, what, "s3:PutObject");
  object_add_source (&exchange, server, from, etag, &source, &match);
  gboolean is_done = exchange_make (&exchange, server, error);
  exchange_end (&exchange);
  return is_done;
}

/* ---- lists ---- */

static gboolean
list_page (Server *server, Exchange *exchange, AnswerObjectFunc func, gpointer user_data,
           char **ret_next, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (!exchange_make (exchange, server, error))
    return FALSE;
  if (answer_parse_list (exchange->text->str, exchange->text->len, func, user_data, ret_next,
                         &local))
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", server->where);
  return FALSE;
}

gboolean
object_list (Server *server, const char *prefix, const char *after, gboolean has_folders,
             guint most, AnswerObjectFunc func, gpointer user_data, GError **error)
{
  g_autofree char *next = NULL;
  g_autofree char *most_text = g_strdup_printf ("%u", most);
  guint n_pages = 0;
  do
    {
      Exchange exchange;
      g_autofree char *token = g_steal_pointer (&next);
      exchange_begin (&exchange, "GET", NULL, g_strdup ("list it"), "s3:ListBucket");
      exchange_add_query (&exchange, "list-type", "2");
      exchange_add_query (&exchange, "prefix", prefix);
      if (!has_folders)
        exchange_add_query (&exchange, "delimiter", "/");
      if (after != NULL && token == NULL)
        exchange_add_query (&exchange, "start-after", after);
      if (token != NULL)
        exchange_add_query (&exchange, "continuation-token", token);
      if (most > 0)
        exchange_add_query (&exchange, "max-keys", most_text);
      gboolean is_listed = list_page (server, &exchange, func, user_data, &next, error);
      exchange_end (&exchange);
      if (!is_listed)
        return FALSE;
    }
  while (next != NULL && most == 0 && ++n_pages < MAX_PAGES);
  if (next == NULL || most > 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s: the list of objects has more than %d pages: use another folder", server->where,
               MAX_PAGES);
  return FALSE;
}
