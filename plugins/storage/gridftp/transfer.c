/* transfer.c - moves bytes over a session: put, get and list
 *
 * The library gets some blocks for each stream. When a block was sent or received, the library
 * calls back from one of its threads, and the callback fills or empties the block and returns it to
 * the library. Blocks of several streams come in any order, each with its offset in the file. All
 * blocks belong to the link. The caller's memory is used only while the exchange runs, under the
 * lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "transfer.h"

#include "failure.h"

#include <string.h>

/* Up to this size, more than one stream is not faster. */
#define SMALL_BYTES ((gsize)1 << 20)

/* A longer list is refused; this is enough for some 100,000 files. */
#define MAX_TEXT_BYTES ((gsize)32 << 20)

/* Called under the lock. Restarts the exchange's timeout. */
static void
tell_moved (Link *link)
{
  link->data.moved_us = g_get_monotonic_time ();
}

/* ---- put ---- */

/* One filled block, which is given to the library outside the lock. */
typedef struct
{
  gsize n_bytes; /* 0: no bytes are left to send */
  guint64 offset;
  gboolean is_last;
} Portion;

/* Called under the lock. Fills @block with the next bytes. */
static Portion
fill (Data *data, guint8 *block)
{
  gsize done = data->n_registered;
  gsize n = data->source != NULL ? MIN (BLOCK_BYTES, data->n_bytes - done) : 0;
  if (n > 0)
    memcpy (block, data->source + done, n);
  data->n_registered += n;
  return (Portion){ .n_bytes = n,
                    .offset = data->offset + done,
                    .is_last = data->n_registered == data->n_bytes };
}

static void put_next (Link *link, guint8 *block);

static void
on_sent (void *user_data, globus_ftp_client_handle_t *handle, globus_object_t *failure,
         globus_byte_t *block, globus_size_t n_bytes, globus_off_t offset, globus_bool_t is_eof)
{
  Link *link = user_data;
  pthread_mutex_lock (&link->lock);
  tell_moved (link);
  pthread_mutex_unlock (&link->lock);
  if (failure == NULL)
    put_next (link, block);
}

/* Sends the next block. Several callbacks run at once, so `order` is held from filling the block to
 * registering it; else blocks could change places. If the library refuses a block, the exchange
 * also ends with an error, so the refusal is ignored here. */
static void
put_next (Link *link, guint8 *block)
{
  pthread_mutex_lock (&link->order);
  pthread_mutex_lock (&link->lock);
  Portion portion = link->is_over ? (Portion){ 0 } : fill (&link->data, block);
  pthread_mutex_unlock (&link->lock);
  if (portion.n_bytes > 0)
    globus_ftp_client_register_write (&link->handle, block, portion.n_bytes,
                                      (globus_off_t)portion.offset, portion.is_last, on_sent, link);
  pthread_mutex_unlock (&link->order);
}

static globus_result_t
start_put (Link *link, const char *url, globus_ftp_client_operationattr_t *attr)
{
  const Data *data = &link->data;
  if (data->offset == 0)
    return globus_ftp_client_put (&link->handle, url, attr, NULL, link_on_over, link);
  return globus_ftp_client_partial_put (&link->handle, url, attr, NULL, (globus_off_t)data->offset,
                                        (globus_off_t)(data->offset + data->n_bytes), link_on_over,
                                        link);
}

static gboolean
put (Session *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
     gboolean is_parallel, GError **error)
{
  g_autofree char *url = session_url (self, name);
  g_autofree char *what = g_strdup_printf ("write %s", name);
  guint n_blocks = BLOCKS_A_STREAM * (is_parallel ? self->n_streams : 1);
  if (!session_begin (self, error))
    return FALSE;
  Link *link = self->link;
  link->data.source = bytes;
  link->data.offset = offset;
  link->data.n_bytes = n_bytes;
  globus_result_t result =
      start_put (link, url, is_parallel ? &self->in_parallel : &self->in_order);
  for (guint i = 0; result == GLOBUS_SUCCESS && i < n_blocks; i++)
    put_next (link, link_block (link, i));
  return session_end (self, result, what, error);
}

gboolean
transfer_put (Session *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
              gboolean is_parallel, GError **error)
{
  g_autoptr (GError) local = NULL;
  if (put (self, name, offset, bytes, n_bytes, is_parallel, &local))
    return TRUE;
  if (failure_is_unready (local->message))
    return put (self, name, offset, bytes, n_bytes, is_parallel, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- get ---- */

/* Called under the lock. Copies the block to the target. Bytes that were not asked for are
 * ignored. */
static void
empty (Data *data, const guint8 *block, gsize n_bytes, guint64 offset)
{
  if (data->target == NULL || offset < data->offset || offset - data->offset > data->n_bytes)
    return;
  gsize from = (gsize)(offset - data->offset), n = MIN (n_bytes, data->n_bytes - from);
  memcpy (data->target + from, block, n);
  data->n_received += n;
  data->end = MAX (data->end, from + n);
}

/* Called under the lock. Copies the block to its place in the listing. Returns: FALSE when the
 * listing is too long */
static gboolean
place_text (GByteArray *text, const guint8 *block, gsize n_bytes, guint64 offset)
{
  if (offset > MAX_TEXT_BYTES || n_bytes > MAX_TEXT_BYTES - offset)
    return FALSE;
  if (offset + n_bytes > text->len)
    g_byte_array_set_size (text, (guint)(offset + n_bytes));
  if (n_bytes > 0)
    memcpy (text->data + offset, block, n_bytes);
  return TRUE;
}

static void get_next (Link *link, guint8 *block);

static void
on_received (void *user_data, globus_ftp_client_handle_t *handle, globus_object_t *failure,
             globus_byte_t *block, globus_size_t n_bytes, globus_off_t offset, globus_bool_t is_eof)
{
  Link *link = user_data;
  if (failure != NULL)
    return;
  pthread_mutex_lock (&link->lock);
  if (link->data.text != NULL)
    link->data.is_too_long |= !place_text (link->data.text, block, n_bytes, (guint64)offset);
  else if (n_bytes > 0)
    empty (&link->data, block, n_bytes, (guint64)offset);
  tell_moved (link);
  pthread_mutex_unlock (&link->lock);
  if (!is_eof)
    get_next (link, block);
}

static void
get_next (Link *link, guint8 *block)
{
  pthread_mutex_lock (&link->order);
  pthread_mutex_lock (&link->lock);
  gboolean is_wanted = !link->is_over && !link->data.is_ended;
  pthread_mutex_unlock (&link->lock);
  if (is_wanted)
    globus_ftp_client_register_read (&link->handle, block, BLOCK_BYTES, on_received, link);
  pthread_mutex_unlock (&link->order);
}

static void
get_blocks (Link *link, guint n_blocks)
{
  for (guint i = 0; i < n_blocks; i++)
    get_next (link, link_block (link, i));
}

static gboolean
get (Session *self, const char *url, const char *what, const Data *wanted, GError **error)
{
  gboolean is_parallel = self->n_streams > 1 && wanted->n_bytes > SMALL_BYTES;
  if (!session_begin (self, error))
    return FALSE;
  Link *link = self->link;
  link->data.target = wanted->target;
  link->data.offset = wanted->offset;
  link->data.n_bytes = wanted->n_bytes;
  globus_result_t result = globus_ftp_client_partial_get (
      &link->handle, url, is_parallel ? &self->in_parallel : &self->plain, NULL,
      (globus_off_t)wanted->offset, (globus_off_t)(wanted->offset + wanted->n_bytes), link_on_over,
      link);
  if (result == GLOBUS_SUCCESS)
    get_blocks (link, BLOCKS_A_STREAM * (is_parallel ? self->n_streams : 1));
  return session_end (self, result, what, error);
}

gboolean
transfer_get (Session *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  g_autofree char *url = session_url (self, name);
  g_autofree char *what = g_strdup_printf ("read %s", name);
  Data wanted = { .target = buffer, .offset = offset, .n_bytes = n_bytes };
  g_autoptr (GError) local = NULL;
  gboolean is_done = get (self, url, what, &wanted, &local);
  if (!is_done && session_may_repeat (self, local))
    {
      g_clear_error (&local);
      is_done = get (self, url, what, &wanted, &local);
    }
  if (!is_done)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  const Data *data = &self->link->data;
  if (data->n_received == data->end)
    {
      *ret_n_bytes = data->end;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED,
               "%s: cannot %s: of %" G_GSIZE_FORMAT " bytes only %" G_GSIZE_FORMAT " came",
               self->where, what, data->end, data->n_received);
  return FALSE;
}

/* ---- list ---- */

static GByteArray *
list (Session *self, const char *url, GError **error)
{
  const char *what = "list it";
  if (!session_begin (self, error))
    return NULL;
  Link *link = self->link;
  link->data.text = g_byte_array_new ();
  globus_result_t result =
      globus_ftp_client_machine_list (&link->handle, url, &self->plain, link_on_over, link);
  if (result == GLOBUS_SUCCESS)
    get_blocks (link, 1);
  if (!session_end (self, result, what, error))
    return NULL;
  g_autoptr (GByteArray) lines = g_steal_pointer (&link->data.text);
  if (!link->data.is_too_long)
    return g_steal_pointer (&lines);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s: there are too many files to list",
               self->where);
  return NULL;
}

GByteArray *
transfer_list (Session *self, GError **error)
{
  g_autofree char *url = session_url (self, NULL);
  g_autoptr (GError) local = NULL;
  GByteArray *lines = list (self, url, &local);
  if (lines == NULL && session_may_repeat (self, local))
    {
      g_clear_error (&local);
      lines = list (self, url, &local);
    }
  if (lines == NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return lines;
}
