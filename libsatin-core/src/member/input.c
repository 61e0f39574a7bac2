/* input.c - a job names its inputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input.h"

#include <string.h>

#define WAIT_US ((gint64)1000000)

/* One call of satin_input_add(). It lies on the stack of the worker, which waits. */
typedef struct
{
  InputDesk *desk; /* (borrowed) */
  const SatinThreadOps *ops;
  const char *name;
  guint8 digest[SATIN_INPUT_DIGEST_BYTES];
  GError *error; /* (owned) (nullable) */
  int woken;     /* atomic */
} Call;

static void
settle (const GError *error, gpointer user_data)
{
  Call *self = user_data;
  self->error = error != NULL ? g_error_copy (error) : NULL;
  self->ops->wake (&self->woken);
}

static void
on_call (gpointer user_data)
{
  Call *self = user_data;
  self->desk->name (self->desk, self->name, self->digest, settle, self);
}

gboolean
satin_input_add (const char *name, gconstpointer bytes, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (name != NULL && *name != '\0', FALSE);
  g_return_val_if_fail (bytes != NULL || n_bytes == 0, FALSE);
  Worker *worker = worker_find_here ();
  InputDesk *desk = worker != NULL ? SATIN_LOAD (&worker->pool->input_desk) : NULL;
  if (strlen (name) > SATIN_INPUT_NAME_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "the name of an input has %" G_GSIZE_FORMAT " bytes: %" G_GSIZE_FORMAT
                   " are possible",
                   strlen (name), SATIN_INPUT_NAME_MAX_BYTES);
      return FALSE;
    }
  if (desk == NULL)
    return TRUE;
  Call call = { .desk = desk, .ops = worker->pool->ops, .name = name };
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize n_digest = sizeof call.digest;
  g_checksum_update (checksum, bytes, (gssize)n_bytes);
  g_checksum_get_digest (checksum, call.digest, &n_digest);
  satin_loop_post (desk->loop, on_call, &call);
  while (SATIN_LOAD (&call.woken) == 0)
    call.ops->wait (&call.woken, WAIT_US);
  if (call.error == NULL)
    return TRUE;
  g_propagate_error (error, call.error);
  return FALSE;
}

GBytes *
satin_input_read (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text;
  gsize n_text;
  g_return_val_if_fail (path != NULL && *path != '\0', NULL);
  if (!g_file_get_contents (path, &text, &n_text, &local))
    {
      g_set_error (error, SATIN_ERROR,
                   g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT) ? SATIN_ERROR_NOT_FOUND
                                                                             : SATIN_ERROR_IO,
                   "cannot read the input %s: %s", path, local->message);
      return NULL;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, n_text);
  return satin_input_add (path, text, n_text, error) ? g_steal_pointer (&bytes) : NULL;
}
