/* upload.c - an object that is sent in parts
 *
 * The object appears, whole, when the upload is completed. Until then nobody sees the parts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "object.h"

#include <string.h>

static char *
describe (const Server *server, const Upload *self)
{
  return g_strdup_printf ("write %s", self->key + strlen (server->address.prefix));
}

gboolean
upload_begin (Upload *self, Server *server, const char *key, GError **error)
{
  Exchange exchange;
  *self = (Upload){ .key = g_strdup (key), .etags = g_ptr_array_new_with_free_func (g_free) };
  object_make_mark (self->mark);
  exchange_begin (&exchange, "POST", self->key, describe (server, self), "s3:PutObject");
  exchange_add_query (&exchange, "uploads", "");
  exchange_add_header (&exchange, EXCHANGE_WRITER, self->mark);
  gboolean is_done = exchange_make (&exchange, server, error);
  if (is_done)
    {
      self->id = answer_parse_field (exchange.text->str, exchange.text->len, "UploadId");
      if (self->id == NULL || self->id[0] == '\0')
        {
          g_clear_pointer (&self->id, g_free);
          is_done = FALSE;
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                       "%s: the server begins an upload and does not name it", server->where);
        }
    }
  exchange_end (&exchange);
  return is_done;
}

/* Begins the request for the next part. @number: (out): room for its number, used by the request */
static void
begin_part (const Upload *self, const Server *server, Exchange *exchange, char number[16])
{
  g_snprintf (number, 16, "%u", self->etags->len + 1);
  exchange_begin (exchange, "PUT", self->key, describe (server, self), "s3:PutObject");
  exchange_add_query (exchange, "partNumber", number);
  exchange_add_query (exchange, "uploadId", self->id);
}

gboolean
upload_send (Upload *self, Server *server, const guint8 *bytes, gsize n_bytes, GError **error)
{
  Exchange exchange;
  char number[16];
  begin_part (self, server, &exchange, number);
  exchange.source = bytes;
  exchange.n_source = n_bytes;
  gboolean is_done = exchange_make (&exchange, server, error);
  if (is_done)
    g_ptr_array_add (self->etags, g_strdup (exchange.etag != NULL ? exchange.etag : ""));
  exchange_end (&exchange);
  return is_done;
}

gboolean
upload_copy (Upload *self, Server *server, const char *from, const char *etag, guint64 offset,
             guint64 n_bytes, GError **error)
{
  Exchange exchange;
  char number[16];
  g_autofree char *source = NULL;
  g_autofree char *match = NULL;
  g_autofree char *range = g_strdup_printf ("bytes=%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                                            offset, offset + n_bytes - 1);
  begin_part (self, server, &exchange, number);
  object_add_source (&exchange, server, from, etag, &source, &match);
  exchange_add_header (&exchange, "x-amz-copy-source-range", range);
  gboolean is_done = exchange_make (&exchange, server, error);
  if (is_done)
    {
      char *part = answer_parse_field (exchange.text->str, exchange.text->len, "ETag");
      g_ptr_array_add (self->etags, part != NULL ? part : g_strdup (""));
    }
  exchange_end (&exchange);
  return is_done;
}

/* Returns: (transfer full): the list of the parts */
static char *
list_parts (const Upload *self)
{
  GString *out = g_string_new ("<CompleteMultipartUpload>");
  for (guint i = 0; i < self->etags->len; i++)
    {
      g_autofree char *etag = g_markup_escape_text (g_ptr_array_index (self->etags, i), -1);
      g_string_append_printf (
          out, "<Part><PartNumber>%u</PartNumber><ETag>&quot;%s&quot;</ETag></Part>", i + 1, etag);
    }
  g_string_append (out, "</CompleteMultipartUpload>");
  return g_string_free (out, FALSE);
}

gboolean
upload_complete (Upload *self, Server *server, const ObjectCondition *condition, char **ret_etag,
                 GError **error)
{
  Exchange exchange;
  g_autofree char *match = NULL;
  g_autofree char *parts = list_parts (self);
  exchange_begin (&exchange, "POST", self->key, describe (server, self), "s3:PutObject");
  exchange_add_query (&exchange, "uploadId", self->id);
  object_add_condition (&exchange, condition, &match);
  exchange.statuses |= EXCHANGE_MAY_MISS;
  exchange.source = (const guint8 *)parts;
  exchange.n_source = strlen (parts);
  gboolean is_done = exchange_make (&exchange, server, error);
  gboolean is_refused = is_done && (exchange.status == 412 || exchange.status == 404);
  if (is_refused)
    is_done = object_take_refusal (server, &exchange, self->mark, ret_etag, error);
  else if (is_done)
    *ret_etag = answer_parse_field (exchange.text->str, exchange.text->len, "ETag");
  if (is_done && exchange.status == 404 && *ret_etag == NULL)
    {
      is_done = FALSE;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "%s: cannot %s: the server has forgotten the upload", server->where,
                   exchange.what);
    }
  if (is_done && !is_refused && *ret_etag == NULL)
    *ret_etag = g_strdup ("");
  exchange_end (&exchange);
  return is_done;
}

void
upload_abort (Upload *self, Server *server)
{
  Exchange exchange;
  if (self->id == NULL)
    return;
  exchange_begin (&exchange, "DELETE", self->key, describe (server, self),
                  "s3:AbortMultipartUpload");
  exchange_add_query (&exchange, "uploadId", self->id);
  exchange.statuses = EXCHANGE_MAY_MISS;
  exchange_make (&exchange, server, NULL);
  exchange_end (&exchange);
  upload_clear (self);
}

void
upload_clear (Upload *self)
{
  g_clear_pointer (&self->key, g_free);
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->etags, g_ptr_array_unref);
}
