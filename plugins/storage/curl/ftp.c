/* ftp.c - a folder on an FTP server
 *
 * Each connection enters the folder once; requests name files relative to the folder. Servers reply
 * "550" for many reasons. Where it matters whether a file exists, this code asks for its size.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "failure.h"
#include "listing.h"

#include <string.h>

/* How many times a read is tried while the file changes. */
#define MAX_LOOKS 10

/* How many bytes has_no_room() sends at most: more than a block of a file system, and less than a
 * socket buffer holds. */
#define FEW_BYTES ((gsize)16384)

/* ---- requests without data ---- */

/* Enters the folder and sends one or two commands. */
static gboolean
command (Folder *self, const char *what, const char *first, const char *second, GError **error)
{
  Request request;
  request_begin (&request, self, NULL, g_strdup (what));
  struct curl_slist *commands = curl_slist_append (NULL, first);
  if (second != NULL)
    curl_slist_append (commands, second);
  curl_easy_setopt (self->line.easy, CURLOPT_NOBODY, 1L);
  curl_easy_setopt (self->line.easy, CURLOPT_POSTQUOTE, commands);
  gboolean is_done = request_make (&request, error);
  request_end (&request);
  curl_slist_free_all (commands);
  return is_done;
}

static gboolean
ftp_find (Folder *self, GError **error)
{
  Request request;
  request_begin (&request, self, NULL, g_strdup ("enter or make it"));
  curl_easy_setopt (self->line.easy, CURLOPT_NOBODY, 1L);
  curl_easy_setopt (self->line.easy, CURLOPT_FTP_CREATE_MISSING_DIRS, (long)CURLFTP_CREATE_DIR);
  gboolean is_there = request_make (&request, error);
  request_end (&request);
  self->can = SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
  return is_there;
}

static gboolean
ftp_get_size (Folder *self, const char *name, gint64 *ret_size_bytes, GError **error)
{
  Request request;
  g_autoptr (GError) local = NULL;
  request_begin (&request, self, name, g_strdup_printf ("look at %s", name));
  curl_easy_setopt (self->line.easy, CURLOPT_NOBODY, 1L);
  gboolean is_known = request_make (&request, &local);
  gint64 length = request.curl.length_bytes;
  request_end (&request);
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    length = -1;
  else if (!is_known)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *ret_size_bytes = length;
  return TRUE;
}

/* ---- data ---- */

static gboolean
put_once (Folder *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
          GError **error)
{
  Request request;
  request_begin (&request, self, name, g_strdup_printf ("write %s", name));
  request.curl.source = bytes;
  request.curl.n_source = n_bytes;
  curl_easy_setopt (self->line.easy, CURLOPT_APPEND, offset > 0 ? 1L : 0L);
  gboolean is_done = request_make (&request, error);
  request_end (&request);
  return is_done;
}

/* Finds out whether a put has failed because the disk is full. A server that cannot write closes
 * the data connection, and libcurl does not read the server's reply then. So a few more bytes are
 * sent, which fit into the server's buffers: the reply to them gives the reason. */
static gboolean
has_no_room (Folder *self, const char *name, guint64 length, const guint8 *bytes, gsize n_bytes,
             GError **ret_reason)
{
  return !put_once (self, name, length, bytes, MIN (n_bytes, FEW_BYTES), ret_reason)
         && g_error_matches (*ret_reason, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

/* Puts bytes at the end of a file. If the connection was cut, the file's length shows whether all
 * bytes arrived: some servers complain about the end of TLS although they have every byte. */
static gboolean
ftp_put (Folder *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
         GError **error)
{
  g_autoptr (GError) failure = NULL, reason = NULL;
  gint64 length = -1;
  if (put_once (self, name, offset, bytes, n_bytes, &failure))
    return TRUE;
  if (g_error_matches (failure, SATIN_ERROR, SATIN_ERROR_CLOSED))
    ftp_get_size (self, name, &length, NULL);
  guint64 n_there = length >= (gint64)offset ? (guint64)length - offset : G_MAXUINT64;
  if (n_there == n_bytes)
    return TRUE;
  if (n_there < n_bytes
      && has_no_room (self, name, offset + n_there, bytes + n_there, n_bytes - n_there, &reason))
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Gets the bytes from @offset to @end - 1. */
static gboolean
get_range (Folder *self, const char *name, guint64 offset, guint64 end, guint8 *buffer,
           gsize *ret_n_bytes, GError **error)
{
  Request request;
  g_autofree char *range =
      g_strdup_printf ("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, offset, end - 1);
  request_begin (&request, self, name, g_strdup_printf ("read %s", name));
  request.curl.target = buffer;
  request.curl.n_target = (gsize)(end - offset);
  curl_easy_setopt (self->line.easy, CURLOPT_RANGE, range);
  gboolean is_done = request_make (&request, error);
  *ret_n_bytes = request.curl.n_received;
  request_end (&request);
  return is_done;
}

/* Reads the file's length and then its bytes. @ret_is_whole: %FALSE when fewer bytes came than this
 * length promised, or when the read ended at the end of the file and the length has changed since:
 * the file may have been replaced */
static gboolean
get_once (Folder *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
          gsize *ret_n_bytes, gboolean *ret_is_whole, GError **error)
{
  gint64 before, after;
  gsize n = 0;
  if (!ftp_get_size (self, name, &before, error))
    return FALSE;
  if (before < 0)
    return folder_refuse_missing (self, name, error);
  guint64 end = MIN ((guint64)before, offset + n_bytes);
  if (end > offset && !get_range (self, name, offset, end, buffer, &n, error))
    return FALSE;
  *ret_is_whole = end <= offset || n == end - offset;
  *ret_n_bytes = n;
  if (n == n_bytes || end <= offset)
    return TRUE;
  if (!ftp_get_size (self, name, &after, error))
    return FALSE;
  *ret_is_whole = *ret_is_whole && after == before;
  return TRUE;
}

static gboolean
ftp_get (Folder *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
         gsize *ret_n_bytes, GError **error)
{
  gboolean is_whole = FALSE;
  gsize n = 0;
  for (guint i = 0; i < MAX_LOOKS && !is_whole; i++)
    if (!get_once (self, name, offset, buffer, n_bytes, &n, &is_whole, error))
      return FALSE;
  if (!is_whole)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED,
                   "%s: cannot read %s: fewer bytes come than there are", self->where, name);
      return FALSE;
    }
  *ret_n_bytes = n;
  return TRUE;
}

/* ---- list ---- */

/* Gets the answer to MLSD, or to NLST if @mlsd is NULL. Some servers refuse NLST for an empty
 * folder, which is no failure. */
static gboolean
get_lines (Folder *self, const char *mlsd, GString **ret_text, GError **error)
{
  Request request;
  request_begin (&request, self, NULL, g_strdup ("list it"));
  request.curl.has_text = TRUE;
  if (mlsd != NULL)
    curl_easy_setopt (self->line.easy, CURLOPT_CUSTOMREQUEST, mlsd);
  else
    curl_easy_setopt (self->line.easy, CURLOPT_DIRLISTONLY, 1L);
  g_autoptr (GError) local = NULL;
  gboolean is_done = request_make (&request, &local);
  long status = request.curl.status;
  if (request.curl.text != NULL)
    *ret_text = g_steal_pointer (&request.curl.text);
  request_end (&request);
  if (mlsd != NULL && (status == 500 || status == 502))
    self->has_no_mlsd = TRUE;
  if (is_done || (mlsd == NULL && (status == 450 || status == 550)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
list_facts (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GString) text = NULL;
  if (!get_lines (self, "MLSD", &text, error))
    return FALSE;
  listing_parse (text->str, text->len, func, user_data);
  return TRUE;
}

/* Lists the names and asks for the size of each. An entry without a size is no plain file, or was
 * removed meanwhile. */
static gboolean
list_names (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GString) text = NULL;
  if (!get_lines (self, NULL, &text, error))
    return FALSE;
  g_auto (GStrv) names = g_strsplit (text->str, "\n", -1);
  for (guint i = 0; names[i] != NULL; i++)
    {
      gint64 size_bytes = -1;
      if (!satin_storage_name_is_valid (g_strchomp (names[i])))
        continue;
      if (!ftp_get_size (self, names[i], &size_bytes, error))
        return FALSE;
      if (size_bytes >= 0)
        func (names[i], (guint64)size_bytes, user_data);
    }
  return TRUE;
}

static gboolean
ftp_list (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (!self->has_no_mlsd && list_facts (self, func, user_data, &local))
    return TRUE;
  if (self->has_no_mlsd)
    return list_names (self, func, user_data, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- names ---- */

static gboolean
ftp_move (Folder *self, const char *from, const char *to, GError **error)
{
  g_autofree char *what = g_strdup_printf ("rename %s to %s", from, to);
  g_autofree char *first = g_strconcat ("RNFR ", from, NULL);
  g_autofree char *second = g_strconcat ("RNTO ", to, NULL);
  return command (self, what, first, second, error);
}

static gboolean
ftp_remove (Folder *self, const char *name, GError **error)
{
  gint64 size_bytes = -1;
  g_autofree char *what = g_strdup_printf ("remove %s", name);
  g_autofree char *line = g_strconcat ("DELE ", name, NULL);
  return ftp_get_size (self, name, &size_bytes, error)
         && (size_bytes < 0 || command (self, what, line, NULL, error));
}

const Protocol protocol_ftp = {
  .find = ftp_find,
  .get_size = ftp_get_size,
  .put = ftp_put,
  .get = ftp_get,
  .list = ftp_list,
  .move = ftp_move,
  .remove = ftp_remove,
};
