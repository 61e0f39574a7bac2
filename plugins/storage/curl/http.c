/* http.c - a folder on an HTTP server, which may support WebDAV
 *
 * No header tells whether a server can put a part of a file. A server that cannot would replace the
 * whole file by the part. So this is tried on a hidden file when the folder is opened. Whether MOVE
 * replaces a file in one step cannot be tried: Apache's mod_dav, for example, removes the old file
 * first. So the user must state that MOVE does this (`atomic-move`).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "failure.h"
#include "multistatus.h"

#include <string.h>

/* The name of the hidden file. No file of the storage can have such a name. The random digits keep
 * handles apart. */
#define PROBE_FORMAT ".satin-probe-%08x"

static const char probe_bytes[] = "ab";

static gboolean
is_success (const Request *self)
{
  return self->curl.status >= 200 && self->curl.status < 300;
}

/* Makes a request. Any status but success and @other is an error. */
static gboolean
make_well (Request *self, long other, GError **error)
{
  return request_make (self, error)
         && (is_success (self) || self->curl.status == other || failure_take_status (self, error));
}

/* ---- requests without a body ---- */

static gboolean
http_get_size (Folder *self, const char *name, gint64 *ret_size_bytes, GError **error)
{
  Request request;
  request_begin (&request, self, name, g_strdup_printf ("look at %s", name));
  curl_easy_setopt (self->line.easy, CURLOPT_NOBODY, 1L);
  gboolean is_done = make_well (&request, 404, error);
  if (is_done)
    *ret_size_bytes = request.curl.status == 404 ? -1 : request.curl.length_bytes;
  self->has_ranges = self->has_ranges || request.has_ranges;
  request_end (&request);
  return is_done;
}

/* Makes a request without a body. @to: (nullable): the target of MOVE. @what: (transfer full).
 * @other: a status that counts as success, too */
static gboolean
command (Folder *self, const char *method, const char *name, const char *to, char *what, long other,
         GError **error)
{
  Request request;
  g_autofree char *target = to != NULL ? g_strconcat ("Destination: ", self->url, to, NULL) : NULL;
  struct curl_slist *headers = curl_slist_append (NULL, "Overwrite: T");
  if (target != NULL)
    curl_slist_append (headers, target);
  request_begin (&request, self, name, what);
  curl_easy_setopt (self->line.easy, CURLOPT_CUSTOMREQUEST, method);
  if (to != NULL)
    curl_easy_setopt (self->line.easy, CURLOPT_HTTPHEADER, headers);
  gboolean is_done = make_well (&request, other, error);
  request_end (&request);
  curl_slist_free_all (headers);
  return is_done;
}

static gboolean
http_move (Folder *self, const char *from, const char *to, GError **error)
{
  return command (self, "MOVE", from, to, g_strdup_printf ("rename %s to %s", from, to), 0, error);
}

static gboolean
http_remove (Folder *self, const char *name, GError **error)
{
  return command (self, "DELETE", name, NULL, g_strdup_printf ("remove %s", name), 404, error);
}

/* ---- data ---- */

static gboolean
http_put (Folder *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
          GError **error)
{
  Request request;
  g_autofree char *range =
      g_strdup_printf ("Content-Range: bytes %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT "/*", offset,
                       offset + n_bytes - 1);
  /* An empty "Expect:" keeps libcurl from waiting for "100 Continue", which costs a round trip, or
   * a second. */
  struct curl_slist *headers = curl_slist_append (NULL, "Expect:");
  if (offset > 0)
    curl_slist_append (headers, range);
  request_begin (&request, self, name, g_strdup_printf ("write %s", name));
  request.curl.source = bytes;
  request.curl.n_source = n_bytes;
  curl_easy_setopt (self->line.easy, CURLOPT_HTTPHEADER, headers);
  gboolean is_done = make_well (&request, 0, error);
  request_end (&request);
  curl_slist_free_all (headers);
  return is_done;
}

static gboolean
http_get (Folder *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
          gsize *ret_n_bytes, GError **error)
{
  Request request;
  g_autofree char *range =
      g_strdup_printf ("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, offset, offset + n_bytes - 1);
  request_begin (&request, self, name, g_strdup_printf ("read %s", name));
  request.curl.target = buffer;
  request.curl.n_target = n_bytes;
  request.curl.n_before = offset;
  curl_easy_setopt (self->line.easy, CURLOPT_RANGE, range);
  gboolean is_done = make_well (&request, 416, error);
  /* 416: the file ends before the range begins. */
  if (is_done)
    *ret_n_bytes = request.curl.status == 416 ? 0 : request.curl.n_received;
  request_end (&request);
  return is_done;
}

/* ---- list ---- */

static gboolean
http_list (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  static const char wanted[] =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:propfind xmlns:D=\"DAV:\"><D:prop>"
      "<D:resourcetype/><D:getcontentlength/></D:prop></D:propfind>\n";
  Request request;
  struct curl_slist *headers = curl_slist_append (NULL, "Depth: 1");
  curl_slist_append (headers, "Content-Type: application/xml");
  request_begin (&request, self, NULL, g_strdup ("list it (which takes WebDAV)"));
  request.curl.has_text = TRUE;
  curl_easy_setopt (self->line.easy, CURLOPT_POSTFIELDS, wanted);
  curl_easy_setopt (self->line.easy, CURLOPT_CUSTOMREQUEST, "PROPFIND");
  curl_easy_setopt (self->line.easy, CURLOPT_HTTPHEADER, headers);
  gboolean is_done =
      make_well (&request, 0, error)
      && multistatus_parse (request.curl.text->str, request.curl.text->len, func, user_data, error);
  request_end (&request);
  curl_slist_free_all (headers);
  return is_done;
}

/* ---- opening ---- */

static gboolean
try_part (Folder *self, const char *name)
{
  const guint8 *bytes = (const guint8 *)probe_bytes;
  char found[sizeof probe_bytes + 1];
  gsize n_found = 0;
  return http_put (self, name, 1, bytes + 1, 1, NULL)
         && http_get (self, name, 0, (guint8 *)found, sizeof found, &n_found, NULL)
         && n_found == strlen (probe_bytes) && memcmp (found, probe_bytes, n_found) == 0;
}

/* Finds out what the server can do. If this user may not write in the folder, no ability is found;
 * files can still be read. */
static void
probe (Folder *self)
{
  g_autofree char *name = g_strdup_printf (PROBE_FORMAT, g_random_int ());
  gint64 size_bytes;
  if (!http_put (self, name, 0, (const guint8 *)probe_bytes, 1, NULL))
    return;
  http_get_size (self, name, &size_bytes, NULL);
  if (self->has_ranges)
    self->can |= SATIN_STORAGE_CAN_RANGE;
  if (try_part (self, name))
    self->can |= SATIN_STORAGE_CAN_APPEND;
  http_remove (self, name, NULL);
}

/* Asks for the folder. A status of 403 or 405 also means that the folder exists: it only has no
 * page to show. */
static gboolean
look (Folder *self, gboolean *ret_is_there, GError **error)
{
  Request request;
  request_begin (&request, self, NULL, g_strdup ("look at it"));
  curl_easy_setopt (self->line.easy, CURLOPT_NOBODY, 1L);
  gboolean is_answered = request_make (&request, error);
  long status = request.curl.status;
  gboolean is_known = is_success (&request) || status == 403 || status == 404 || status == 405;
  if (is_answered && !is_known)
    failure_take_status (&request, error);
  request_end (&request);
  *ret_is_there = status != 404;
  return is_answered && is_known;
}

static gboolean
http_find (Folder *self, GError **error)
{
  gboolean is_there = FALSE;
  if (!look (self, &is_there, error))
    return FALSE;
  /* MKCOL answers 405 when the folder exists. */
  if (!is_there && !command (self, "MKCOL", NULL, NULL, g_strdup ("make it"), 405, error))
    return FALSE;
  probe (self);
  if (self->is_move_atomic)
    self->can |= SATIN_STORAGE_CAN_REPLACE;
  return TRUE;
}

const Protocol protocol_http = {
  .find = http_find,
  .get_size = http_get_size,
  .put = http_put,
  .get = http_get,
  .list = http_list,
  .move = http_move,
  .remove = http_remove,
};
