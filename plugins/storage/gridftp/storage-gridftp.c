/* storage-gridftp.c - the storage plugin "gridftp": a folder on a GridFTP server
 *
 * An append puts the next bytes at the end of the file, over one stream. So a transfer that breaks
 * off leaves a shorter file and never a hole. A large new file goes over all streams to a hidden
 * name, and is renamed when it is whole. globus-gridftp-server renames it by one rename(2).
 *
 * The bytes of a put are in the server's file once its closing reply has come. The protocol has no
 * command to write them to the disk. So an append already does all that can be done, and sync only
 * checks that the file is there; see README.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "listing.h"
#include "transfer.h"

#include <string.h>

/* A new file of this size or more goes over all streams. */
#define LARGE_BYTES ((gsize)1 << 20)

/* How many bytes has_no_room() sends at most: more than a block of a file system, and less than a
 * socket buffer holds. */
#define FEW_BYTES ((gsize)16384)

/* Prefix of a file that is not whole yet. No file of the storage can have such a name. */
#define PART_PREFIX ".satin-part-"

static const SatinParam params[] = {
  { "streams", SATIN_PARAM_INT, "4",
    "parallel connections, 1 to 32, for reading and for large new files" },
  { "credential", SATIN_PARAM_STRING, "",
    "file with certificate, key and chain for gsiftp; else the usual places of Globus" },
  { "server-subject", SATIN_PARAM_STRING, "",
    "subject that the server's certificate must have; else its host's name" },
  { "protection", SATIN_PARAM_STRING, "private",
    "of bytes on the way with gsiftp: private, safe (can be read, not changed) or clear" },
  { "tcp-buffer", SATIN_PARAM_SIZE, "0", "socket buffers; 0 lets the systems choose" },
  { "timeout", SATIN_PARAM_DURATION, "60s",
    "how long the server may take without sending or taking a byte" },
  STORAGE_CAPACITY_PARAM,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* ---- requests, over the control connection ---- */

/* A request without data; @url: the file or folder. */
typedef globus_result_t (*Request) (Session *self, const char *url);

/* Makes a request, and repeats it once if the server may have closed the connection before. So the
 * request must do no harm when it runs twice. @what: (transfer full) */
static gboolean
ask (Session *self, Request request, const char *name, char *what, GError **error)
{
  g_autofree char *taken = what;
  g_autofree char *url = session_url (self, name);
  g_autoptr (GError) local = NULL;
  if (session_begin (self, &local) && session_end (self, request (self, url), what, &local))
    return TRUE;
  if (!session_may_repeat (self, local))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return session_begin (self, error) && session_end (self, request (self, url), what, error);
}

static globus_result_t
request_size (Session *self, const char *url)
{
  return globus_ftp_client_size (&self->link->handle, url, &self->plain,
                                 &self->link->answer.size_bytes, link_on_over, self->link);
}

static globus_result_t
request_facts (Session *self, const char *url)
{
  return globus_ftp_client_mlst (&self->link->handle, url, &self->plain, &self->link->answer.text,
                                 &self->link->answer.n_text, link_on_over, self->link);
}

static globus_result_t
request_folder (Session *self, const char *url)
{
  return globus_ftp_client_mkdir (&self->link->handle, url, &self->plain, link_on_over, self->link);
}

static globus_result_t
request_removal (Session *self, const char *url)
{
  return globus_ftp_client_delete (&self->link->handle, url, &self->plain, link_on_over,
                                   self->link);
}

/* Asks for the length of a file. Returns: FALSE with @error when the server does not tell.
 * @ret_size_bytes: -1 when the file does not exist */
static gboolean
ask_size (Session *self, const char *name, gint64 *ret_size_bytes, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (ask (self, request_size, name, g_strdup_printf ("look at %s", name), &local))
    *ret_size_bytes = (gint64)self->link->answer.size_bytes;
  else if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    *ret_size_bytes = -1;
  else
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

static gboolean
refuse_missing (const Session *self, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s: there is no file %s", self->where,
               name);
  return FALSE;
}

/* ---- open and close ---- */

/* Takes the answer of request_facts(). Returns: whether it describes a plain file */
static gboolean
take_is_file (Session *self)
{
  guint64 size_bytes;
  g_autofree char *facts =
      g_strndup ((const char *)self->link->answer.text, self->link->answer.n_text);
  free (g_steal_pointer (&self->link->answer.text));
  return listing_parse_facts (g_strchug (facts), &size_bytes);
}

static gboolean
find_folder (Session *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (ask (self, request_facts, NULL, g_strdup ("look at it"), &local))
    {
      if (!take_is_file (self))
        return TRUE;
      g_set_error (&local, SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "%s: it is a file, not a folder",
                   self->where);
    }
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    return ask (self, request_folder, NULL, g_strdup ("make it"), error);
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_IO)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_CLOSED))
    local->code = SATIN_ERROR_UNREACHABLE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gpointer
gridftp_open (const char *uri, const SatinParams *given, GError **error)
{
  gint64 n_streams = satin_params_get_int (given, "streams");
  if (n_streams < 1 || n_streams > MAX_STREAMS)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "streams=%" G_GINT64_FORMAT " is not in 1 to %d", n_streams, MAX_STREAMS);
      return NULL;
    }
  SessionOptions options = { .credential = satin_params_get_string (given, "credential"),
                             .subject = satin_params_get_string (given, "server-subject"),
                             .protection = satin_params_get_string (given, "protection"),
                             .tcp_buffer_bytes = satin_params_get_size_bytes (given, "tcp-buffer"),
                             .n_streams = (guint)n_streams };
  Session *self = session_new (uri, given, &options, error);
  if (self == NULL)
    return NULL;
  self->capacity_bytes = satin_params_get_size_bytes (given, "capacity");
  if (find_folder (self, error))
    return self;
  session_free (self);
  return NULL;
}

static void
gridftp_close (gpointer storage)
{
  session_free (storage);
}

static guint
gridftp_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

/* ---- write ---- */

static gboolean
move (Session *self, const char *from, const char *to, GError **error)
{
  g_autofree char *from_url = session_url (self, from);
  g_autofree char *to_url = session_url (self, to);
  g_autofree char *what = g_strdup_printf ("rename %s to %s", from, to);
  if (!session_begin (self, error))
    return FALSE;
  globus_result_t result = globus_ftp_client_move (&self->link->handle, from_url, to_url,
                                                   &self->plain, link_on_over, self->link);
  return session_end (self, result, what, error);
}

/* Finds out whether a put has failed because the disk is full. A server that cannot write may close
 * the data connections before its reply comes. So a few more bytes are sent, which fit into its
 * buffers: the reply to them gives the reason. */
static gboolean
has_no_room (Session *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
             GError **ret_reason)
{
  gint64 length = -1;
  if (!ask_size (self, name, &length, NULL) || length < (gint64)offset
      || (guint64)length - offset >= n_bytes)
    return FALSE;
  gsize n_there = (gsize)((guint64)length - offset);
  return !transfer_put (self, name, (guint64)length, bytes + n_there,
                        MIN (n_bytes - n_there, FEW_BYTES), FALSE, ret_reason)
         && g_error_matches (*ret_reason, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

static gboolean
put (Session *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
     gboolean is_parallel, GError **error)
{
  g_autoptr (GError) failure = NULL, reason = NULL;
  if (transfer_put (self, name, offset, bytes, n_bytes, is_parallel, &failure))
    return TRUE;
  if (g_error_matches (failure, SATIN_ERROR, SATIN_ERROR_CLOSED)
      && has_no_room (self, name, offset, bytes, n_bytes, &reason))
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static gboolean
append_at (Session *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
           GError **error)
{
  if (offset > 0 || n_bytes < LARGE_BYTES || self->n_streams == 1)
    return put (self, name, offset, bytes, n_bytes, FALSE, error);
  g_autofree char *part = g_strconcat (PART_PREFIX, name, NULL);
  return put (self, part, 0, bytes, n_bytes, TRUE, error) && move (self, part, name, error);
}

static gboolean
gridftp_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GByteArray) lines = transfer_list (storage, error);
  if (lines == NULL)
    return FALSE;
  listing_parse ((const char *)lines->data, lines->len, func, user_data);
  return TRUE;
}

static gboolean
gridftp_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  Session *self = storage;
  gint64 length;
  return storage_check_name (name, error) && ask_size (self, name, &length, error)
         && storage_check_length (self->where, name, (guint64)MAX (length, 0), offset, error)
         && storage_check_room (self, gridftp_list, self->where, self->capacity_bytes, n_bytes,
                                error)
         && append_at (self, name, offset, bytes, n_bytes, error);
}

/* The server already has the appended bytes, so this only checks that the file is there. */
static gboolean
gridftp_sync (gpointer storage, const char *name, GError **error)
{
  gint64 length;
  return storage_check_name (name, error) && ask_size (storage, name, &length, error)
         && (length >= 0 || refuse_missing (storage, name, error));
}

static gboolean
gridftp_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  gint64 length;
  return storage_check_name (from, error) && storage_check_name (to, error)
         && ask_size (storage, from, &length, error)
         && (length >= 0 || refuse_missing (storage, from, error))
         && move (storage, from, to, error);
}

static gboolean
gridftp_remove (gpointer storage, const char *name, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (!storage_check_name (name, error))
    return FALSE;
  if (ask (storage, request_removal, name, g_strdup_printf ("remove %s", name), &local)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- read ---- */

static gboolean
gridftp_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  Session *self = storage;
  if (!storage_check_name (name, error))
    return FALSE;
  return transfer_get (self, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static void
gridftp_interrupt (gpointer storage)
{
  Session *self = storage;
  session_interrupt (self);
}

/* ---- descriptor ---- */

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = gridftp_open,
  .close = gridftp_close,
  .can = gridftp_can,
  .append = gridftp_append,
  .sync = gridftp_sync,
  .read = gridftp_read,
  .list = gridftp_list,
  .replace = gridftp_replace,
  .remove = gridftp_remove,
  .interrupt = gridftp_interrupt,
};

static const char *const schemes[] = { "gsiftp", "gridftp", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "gridftp",
  .version = "0.1.0",
  .summary = "files on a GridFTP server, over parallel streams",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
