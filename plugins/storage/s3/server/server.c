/* server.c - opens and closes the way to a bucket
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "server.h"

#include <string.h>

#define DEFAULT_REGION "us-east-1"

static gboolean
is_region (const char *name)
{
  return name[0] != '\0' && strlen (name) <= 64
         && strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
                == strlen (name);
}

static gboolean
take_region (Server *self, const char *given, GError **error)
{
  self->region = given[0] != '\0' ? g_strdup (given) : credentials_find_region (&self->source);
  if (self->region == NULL)
    self->region = g_strdup (DEFAULT_REGION);
  return is_region (self->region)
         || curl_common_refuse ("region", self->region, "it is no name of a region", error);
}

/* Takes another server for s3:// from the environment, as Amazon's tools do. */
static gboolean
take_endpoint (Server *self, GError **error)
{
  const char *url = g_getenv ("AWS_ENDPOINT_URL_S3");
  if (url == NULL || url[0] == '\0')
    url = g_getenv ("AWS_ENDPOINT_URL");
  return self->address.host != NULL || url == NULL || url[0] == '\0'
         || address_use_endpoint (&self->address, url, error);
}

static gboolean
take_params (Server *self, const SatinParams *given, GError **error)
{
  self->line.timeout_us = satin_params_get_duration_us (given, "timeout");
  self->retry_us = satin_params_get_duration_us (given, "retry");
  const char *ca_file = satin_params_get_string (given, "ca-file");
  const char *bundle = g_getenv ("AWS_CA_BUNDLE");
  self->ca_file = g_strdup (ca_file[0] == '\0' && bundle != NULL ? bundle : ca_file);
  if (self->line.timeout_us < G_TIME_SPAN_MILLISECOND)
    return curl_common_refuse ("timeout", "0", "it must be a millisecond or more", error);
  self->interrupt = storage_interrupt_new (error);
  if (self->interrupt == NULL)
    return FALSE;
  self->line.wake_fd = storage_interrupt_get_fd (self->interrupt);
  credentials_source_init (&self->source, satin_params_get_string (given, "profile"),
                           satin_params_get_string (given, "metadata"), self->line.wake_fd);
  return take_region (self, satin_params_get_string (given, "region"), error);
}

gboolean
server_open (Server *self, const char *uri, const SatinParams *given, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (!address_parse (&self->address, uri, error))
    return FALSE;
  self->where = g_strdup (uri);
  if (!take_endpoint (self, error) || !take_params (self, given, error))
    return FALSE;
  if (!credentials_find (&self->source, &self->credentials, &local))
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", self->where);
      return FALSE;
    }
  if (curl_line_open (&self->line))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: libcurl cannot be started", self->where);
  return FALSE;
}

void
server_close (Server *self)
{
  curl_line_close (&self->line);
  storage_interrupt_free (self->interrupt);
  address_clear (&self->address);
  credentials_source_clear (&self->source);
  credentials_clear (&self->credentials);
  g_free (self->where);
  g_free (self->region);
  g_free (self->ca_file);
}
