/* folder.c - opens and closes a folder on a server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

#include <string.h>

static const char *const schemes[] = { "ftp", "ftps", "http", "https", NULL };

/* Checks that only its owner can read the password file. If not @may_be_clear, also refuses to send
 * the password over an unencrypted connection. */
static gboolean
check_password_file (const Folder *self, gboolean may_be_clear, GError **error)
{
  const char *path = self->password_file;
  if (path[0] == '\0')
    return TRUE;
  if (!curl_common_check_private_file ("password-file", path, error))
    return FALSE;
  if (!self->has_tls && !may_be_clear)
    return curl_common_refuse (
        "password-file", path,
        "anybody on the way would see the password: use ftps:// or https://, starttls=yes, "
        "or clear-password=yes",
        error);
  return TRUE;
}

static gboolean
take_params (Folder *self, const SatinParams *given, GError **error)
{
  self->line.timeout_us = satin_params_get_duration_us (given, "timeout");
  self->capacity_bytes = satin_params_get_size_bytes (given, "capacity");
  self->ca_file = g_strdup (satin_params_get_string (given, "ca-file"));
  self->password_file = g_strdup (satin_params_get_string (given, "password-file"));
  self->is_ftp_upgraded = satin_params_get_boolean (given, "starttls");
  self->is_move_atomic = satin_params_get_boolean (given, "atomic-move");
  if (self->line.timeout_us < G_TIME_SPAN_MILLISECOND)
    return curl_common_refuse ("timeout", "0", "it must be a millisecond or more", error);
  if (self->is_ftp_upgraded && strcmp (self->place.scheme, "ftp") != 0)
    return curl_common_refuse ("starttls", "yes", "only ftp:// has this parameter", error);
  self->has_tls = self->is_ftp_upgraded || strcmp (self->place.scheme, "ftps") == 0
                  || strcmp (self->place.scheme, "https") == 0;
  return check_password_file (self, satin_params_get_boolean (given, "clear-password"), error);
}

static gboolean
take_uri (Folder *self, const char *uri, GError **error)
{
  if (!place_parse (&self->place, uri, schemes, error))
    return FALSE;
  self->where = g_strdup (uri);
  self->url = place_join (&self->place, self->place.scheme, NULL);
  self->protocol = self->place.scheme[0] == 'f' ? &protocol_ftp : &protocol_http;
  return TRUE;
}

static gboolean
make_handles (Folder *self, GError **error)
{
  self->interrupt = storage_interrupt_new (error);
  if (self->interrupt == NULL)
    return FALSE;
  self->line.wake_fd = storage_interrupt_get_fd (self->interrupt);
  self->http_auth = (long)(CURLAUTH_BASIC | CURLAUTH_DIGEST);
  if (curl_line_open (&self->line))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: libcurl cannot be started", self->where);
  return FALSE;
}

/* Finds or makes the folder. Turns the errors %SATIN_ERROR_IO and %SATIN_ERROR_CLOSED into
 * %SATIN_ERROR_UNREACHABLE. */
static gboolean
find (Folder *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (self->protocol->find (self, &local))
    return TRUE;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_IO)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_CLOSED))
    local->code = SATIN_ERROR_UNREACHABLE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

Folder *
folder_open (const char *uri, const SatinParams *given, GError **error)
{
  Folder *self = g_new0 (Folder, 1);
  gboolean is_found = FALSE;
  if (take_uri (self, uri, error) && take_params (self, given, error) && make_handles (self, error))
    is_found = find (self, error);
  if (is_found)
    return self;
  folder_free (self);
  return NULL;
}

void
folder_free (Folder *self)
{
  curl_line_close (&self->line);
  storage_interrupt_free (self->interrupt);
  place_clear (&self->place);
  g_free (self->where);
  g_free (self->url);
  g_free (self->ca_file);
  g_free (self->password_file);
  g_free (self);
}

gboolean
folder_refuse_missing (const Folder *self, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s: there is no file %s", self->where,
               name);
  return FALSE;
}
