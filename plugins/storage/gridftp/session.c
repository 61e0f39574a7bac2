/* session.c - one handle of the storage: its server, its credential, and one exchange at a time
 *
 * The library is activated for the first session of the process and deactivated after the last. A
 * link whose exchange failed is not used again. If an aborted link was left to the library, the
 * library stays active.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "session.h"

#include "credential.h"
#include "failure.h"

#include <poll.h>
#include <string.h>

static const char *const schemes[] = { "gsiftp", "gridftp", NULL };

/* ---- the library ---- */

/* The library counts its users, but the count is not thread-safe. */
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

static gboolean
library_use (GError **error)
{
  pthread_mutex_lock (&library);
  /* Once a module of the library is active, the library refuses this call, which does no harm. */
  globus_thread_set_model ("pthread");
  int status = globus_module_activate (GLOBUS_FTP_CLIENT_MODULE);
  pthread_mutex_unlock (&library);
  if (status == GLOBUS_SUCCESS)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "the Globus FTP client cannot be started: %d",
               status);
  return FALSE;
}

static void
library_leave (void)
{
  pthread_mutex_lock (&library);
  globus_module_deactivate (GLOBUS_FTP_CLIENT_MODULE);
  pthread_mutex_unlock (&library);
}

/* ---- attributes ---- */

static globus_ftp_control_protection_t
parse_protection (const char *text, GError **error)
{
  if (strcmp (text, "private") == 0)
    return GLOBUS_FTP_CONTROL_PROTECTION_PRIVATE;
  if (strcmp (text, "safe") == 0)
    return GLOBUS_FTP_CONTROL_PROTECTION_SAFE;
  if (strcmp (text, "clear") == 0)
    return GLOBUS_FTP_CONTROL_PROTECTION_CLEAR;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "protection=%s: it is private, safe or clear", text);
  return 0;
}

static void
authorize (Session *self, globus_ftp_client_operationattr_t *attr, const SessionOptions *options,
           globus_ftp_control_protection_t protection)
{
  gboolean has_gsi = strcmp (self->scheme, "gsiftp") == 0;
  const char *user = self->place.user;
  if (user == NULL)
    user = has_gsi ? ":globus-mapping:" : "anonymous";
  globus_ftp_client_operationattr_set_authorization (attr, self->credential, user, "satin@", NULL,
                                                     options->subject[0] != '\0' ? options->subject
                                                                                 : NULL);
  if (!has_gsi)
    return;
  globus_ftp_control_dcau_t dcau = { .mode = GLOBUS_FTP_CONTROL_DCAU_SELF };
  globus_ftp_client_operationattr_set_dcau (attr, &dcau);
  globus_ftp_client_operationattr_set_data_protection (attr, protection);
}

/* Makes the attributes of a transfer in blocks, which can use several connections. Lists use
 * blocks, too: if the end of the connection marks the end of the bytes, the library fails, even by
 * an assertion, when the reply arrives before the bytes. */
static void
make_attr (Session *self, globus_ftp_client_operationattr_t *attr, guint n_streams,
           const SessionOptions *options, globus_ftp_control_protection_t protection)
{
  globus_ftp_control_parallelism_t parallelism;
  globus_ftp_client_operationattr_init (attr);
  globus_ftp_client_operationattr_set_type (attr, GLOBUS_FTP_CONTROL_TYPE_IMAGE);
  globus_ftp_client_operationattr_set_mode (attr, GLOBUS_FTP_CONTROL_MODE_EXTENDED_BLOCK);
  globus_ftp_client_operationattr_set_list_uses_data_mode (attr, GLOBUS_TRUE);
  parallelism.mode = GLOBUS_FTP_CONTROL_PARALLELISM_FIXED;
  parallelism.fixed.size = n_streams;
  globus_ftp_client_operationattr_set_parallelism (attr, &parallelism);
  authorize (self, attr, options, protection);
  if (options->tcp_buffer_bytes == 0)
    return;
  globus_ftp_control_tcpbuffer_t buffer;
  buffer.mode = GLOBUS_FTP_CONTROL_TCPBUFFER_FIXED;
  buffer.fixed.size = (unsigned long)options->tcp_buffer_bytes;
  globus_ftp_client_operationattr_set_tcp_buffer (attr, &buffer);
}

/* ---- making a session ---- */

static gboolean
make_attrs (Session *self, const SessionOptions *options, GError **error)
{
  globus_ftp_control_protection_t protection = parse_protection (options->protection, error);
  if (protection == 0
      || (options->credential[0] != '\0'
          && !credential_load (options->credential, &self->credential, error)))
    return FALSE;
  make_attr (self, &self->plain, 1, options, protection);
  make_attr (self, &self->in_order, 1, options, protection);
  /* Even for one stream of blocks the library may use two connections, one of them left from the
   * last transfer. Then the first bytes may arrive last. Without blocks there is one connection. */
  globus_ftp_client_operationattr_set_mode (&self->in_order, GLOBUS_FTP_CONTROL_MODE_STREAM);
  make_attr (self, &self->in_parallel, self->n_streams, options, protection);
  self->has_attrs = TRUE;
  return TRUE;
}

static gboolean
take_uri (Session *self, const char *uri, GError **error)
{
  if (!place_parse (&self->place, uri, schemes, error))
    return FALSE;
  self->where = g_strdup (uri);
  self->scheme = strcmp (self->place.scheme, "gsiftp") == 0 ? "gsiftp" : "ftp";
  return TRUE;
}

Session *
session_new (const char *uri, const SatinParams *given, const SessionOptions *options,
             GError **error)
{
  Session *self = g_new0 (Session, 1);
  self->credential = GSS_C_NO_CREDENTIAL;
  self->n_streams = options->n_streams;
  self->timeout_us = satin_params_get_duration_us (given, "timeout");
  if (take_uri (self, uri, error))
    self->interrupt = storage_interrupt_new (error);
  if (self->interrupt != NULL)
    self->has_library = library_use (error);
  if (self->has_library && make_attrs (self, options, error))
    return self;
  session_free (self);
  return NULL;
}

/* Frees the attributes and the credential, and leaves the library. Not called if a link was left to
 * the library, because the library may still use them. */
static void
free_attrs (Session *self)
{
  OM_uint32 minor;
  if (self->has_attrs)
    {
      globus_ftp_client_operationattr_destroy (&self->plain);
      globus_ftp_client_operationattr_destroy (&self->in_order);
      globus_ftp_client_operationattr_destroy (&self->in_parallel);
    }
  if (self->credential != GSS_C_NO_CREDENTIAL)
    gss_release_cred (&minor, &self->credential);
  if (self->has_library)
    library_leave ();
}

void
session_free (Session *self)
{
  link_free (self->link);
  if (!self->has_left)
    free_attrs (self);
  storage_interrupt_free (self->interrupt);
  place_clear (&self->place);
  g_free (self->where);
  g_free (self);
}

void
session_interrupt (Session *self)
{
  storage_interrupt_raise (self->interrupt);
}

char *
session_url (const Session *self, const char *name)
{
  return place_join (&self->place, self->scheme, name);
}

/* ---- one exchange ---- */

static gboolean
set_overdue (const Session *self, const char *what, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "%s: cannot %s: the server did nothing for %" G_GINT64_FORMAT
               " ms (parameter timeout)",
               self->where, what, self->timeout_us / 1000);
  return FALSE;
}

gboolean
session_begin (Session *self, GError **error)
{
  self->was_connected = FALSE;
  if (!storage_interrupt_check (self->interrupt, self->where, error))
    return FALSE;
  if (self->link == NULL)
    self->link = link_new (error);
  if (self->link == NULL)
    return FALSE;
  link_begin (self->link);
  return TRUE;
}

/* Waits for the end of the exchange, an interrupt or @until_us. Returns: 0 when @until_us has
 * come */
static int
wait_until (const Session *self, gint64 until_us)
{
  struct pollfd fds[] = {
    { .fd = self->link->over_fd, .events = POLLIN },
    { .fd = storage_interrupt_get_fd (self->interrupt), .events = POLLIN },
  };
  gint64 left_us = until_us - g_get_monotonic_time ();
  return left_us > 0 ? poll (fds, G_N_ELEMENTS (fds), (int)MIN (left_us / 1000 + 1, G_MAXINT)) : 0;
}

/* Waits for the end of the exchange. The timeout starts again with each block. Returns: FALSE with
 * @error when the exchange must be aborted */
static gboolean
wait_for_end (Session *self, const char *what, GError **error)
{
  gint64 moved_us;
  while (!link_is_over (self->link, &moved_us))
    {
      gint64 until_us = moved_us + self->timeout_us;
      if (!storage_interrupt_check (self->interrupt, self->where, error))
        return FALSE;
      if (wait_until (self, until_us) == 0 && g_get_monotonic_time () >= until_us
          && !link_is_over (self->link, &moved_us) && moved_us + self->timeout_us <= until_us)
        return set_overdue (self, what, error);
    }
  return TRUE;
}

/* Frees the link; the next exchange makes another. */
static void
disconnect (Session *self)
{
  self->was_connected = self->link->n_exchanges > 1;
  link_free (g_steal_pointer (&self->link));
}

/* Returns: FALSE with @error when the exchange failed */
static gboolean
check_failure (Session *self, globus_object_t *failure, const char *what, GError **error)
{
  if (failure == NULL)
    return TRUE;
  failure_take (failure, self->where, what, error);
  globus_object_free (failure);
  disconnect (self);
  return FALSE;
}

gboolean
session_end (Session *self, globus_result_t result, const char *what, GError **error)
{
  if (result != GLOBUS_SUCCESS)
    return check_failure (self, globus_error_get (result), what, error);
  if (wait_for_end (self, what, error))
    return check_failure (self, link_take_failure (self->link), what, error);
  if (!link_abort (g_steal_pointer (&self->link)))
    self->has_left = TRUE;
  /* Clears interrupts that came meanwhile: they were meant for this exchange. */
  storage_interrupt_check (self->interrupt, self->where, NULL);
  return FALSE;
}

gboolean
session_may_repeat (const Session *self, const GError *error)
{
  return self->was_connected
         && (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_IO)
             || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_CLOSED));
}
