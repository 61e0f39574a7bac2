/* link.h - one connection to a GridFTP server, and the exchange that runs on it
 *
 * An exchange is one transfer, listing or request without data. The Globus library calls back from
 * its own threads, so `lock` guards what they share with the session. After an abort, the library
 * does not always call back. In that case the link is left to the library and never freed, and the
 * session makes another link.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <globus_ftp_client.h>
#include <satin/base/atomic.h>
#include <satin/base/error.h>

G_BEGIN_DECLS

/* The size of a block, how many blocks the library has at once for each stream, and the largest
 * number of streams. */
#define BLOCK_BYTES     ((gsize)256 << 10)
#define BLOCKS_A_STREAM 4
#define MAX_STREAMS     32

/* The source or the target of an exchange's bytes. While the exchange runs, the link's lock guards
 * all fields. */
typedef struct
{
  const guint8 *source; /* (borrowed) (nullable): for a put */
  guint8 *target;       /* (borrowed) (nullable): for a get */
  GByteArray *text;     /* (owned) (nullable): for a listing */
  gboolean is_too_long; /* the listing was too long and was cut */
  gboolean is_ended;    /* the exchange is being aborted */
  guint64 offset;       /* of the exchange's first byte in the file */
  gsize n_bytes;        /* size of source or target */
  gsize n_registered;   /* bytes of the source that the library has */
  gsize n_received;     /* bytes put into target */
  gsize end;            /* in the target: the end of the farthest bytes that came */
  gint64 moved_us;      /* when bytes last moved, or the exchange began */
} Data;

/* The answer to a request without data. The library may write it as long as it uses the link. */
typedef struct
{
  globus_off_t size_bytes;
  globus_byte_t *text; /* (nullable): allocated by the library; its reader frees it */
  globus_size_t n_text;
} Answer;

typedef struct
{
  globus_ftp_client_handle_t handle;
  guint n_exchanges;                             /* exchanges begun on this link */
  guint8 *blocks[BLOCKS_A_STREAM * MAX_STREAMS]; /* (owned) (nullable) each: BLOCK_BYTES */
  Answer answer;

  pthread_mutex_t order; /* held while a block is filled and registered */
  int over_fd;           /* (owned): readable when the exchange is over */
  pthread_mutex_t lock;
  /* Guarded by the lock. */
  Data data;
  gboolean is_over;
  globus_object_t *failure; /* (owned) (nullable): why the last exchange failed */
} Link;

/* Makes a link, which connects only with its first exchange. Returns: (transfer full) (nullable):
 * %NULL with @error when no descriptor is left, or the library gives no handle */
Link *link_new (GError **error);

/* Frees the link. No exchange may be running on it. @self: (nullable) */
void link_free (Link *self);

/* Prepares for an exchange. The caller then starts it with link_on_over as its callback. */
void link_begin (Link *self);

/* The callback that ends each exchange; @user_data is the link. */
void link_on_over (void *user_data, globus_ftp_client_handle_t *handle, globus_object_t *failure);

/* Returns: whether the exchange is over. @ret_moved_us: when its bytes last moved */
gboolean link_is_over (Link *self, gint64 *ret_moved_us);

/* Returns: (transfer full) (nullable): why the exchange failed; %NULL when it succeeded */
globus_object_t *link_take_failure (Link *self);

/* Aborts the exchange and frees the link. Returns: FALSE when the exchange does not end in time;
 * the link is then left to the library
 */
gboolean link_abort (Link *self);

/* Returns: the i-th block, made on first use */
guint8 *link_block (Link *self, guint i);

G_END_DECLS
