/* link.h - one connection to a GridFTP server as the Globus library has it, and its exchange
 *
 * The library calls back from threads of its own; what its callbacks touch is under `lock`. It does
 * not always call back after an exchange was aborted: then the link is left to it for good, and who
 * had it makes another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <globus_ftp_client.h>
#include <satin/base/atomic.h>
#include <satin/base/error.h>

G_BEGIN_DECLS

/* How much is registered with the library at once, for each stream. */
#define BLOCK_BYTES     ((gsize)256 << 10)
#define BLOCKS_A_STREAM 4
#define MAX_STREAMS     32

/* Where the bytes of an exchange come from or go to; all under the lock. */
typedef struct
{
  const guint8 *source; /* (borrowed) (nullable): of a put */
  guint8 *target;       /* (borrowed) (nullable): of a get */
  GByteArray *text;     /* (owned) (nullable): of a listing */
  gboolean is_too_long; /* a listing of which not all was taken */
  gboolean is_ended;    /* the exchange is being aborted */
  guint64 offset;       /* of the first byte in the file */
  gsize n_bytes;        /* of source or target */
  gsize n_registered;   /* of source, given to the library */
  gsize n_received;     /* into target */
  gsize end;            /* of target, behind the last byte that came */
  gint64 moved_us;      /* when the last of them came or went, or the exchange began */
} Data;

/* What an exchange asks for beyond data; written by the library, as long as that has the link. */
typedef struct
{
  globus_off_t size_bytes;
  globus_byte_t *text; /* (owned by the library) (nullable) */
  globus_size_t n_text;
} Answer;

typedef struct
{
  globus_ftp_client_handle_t handle;
  guint n_exchanges;                             /* begun over this link */
  guint8 *blocks[BLOCKS_A_STREAM * MAX_STREAMS]; /* (owned) (nullable) each: BLOCK_BYTES */
  Answer answer;

  pthread_mutex_t order; /* held while a callback gives the library a block */
  int over_fd;           /* (owned): can be read when the exchange is over */
  pthread_mutex_t lock;
  /* Under the lock. */
  Data data;
  gboolean is_over;
  globus_object_t *failure; /* (owned) (nullable): why the exchange that is over failed */
} Link;

/* Returns: (transfer full) (nullable): %NULL with @error when there is no descriptor left. Nothing
 * is sent yet */
Link *link_new (GError **error);

/* The exchange is over, or there was none. */
void link_free (Link *self);

/* An exchange is to be started with link_on_over. */
void link_begin (Link *self);

/* The callback that each exchange is started with; @user_data is the link. */
void link_on_over (void *user_data, globus_ftp_client_handle_t *handle, globus_object_t *failure);

/* Returns: whether the exchange is over. @ret_moved_us: when it last moved */
gboolean link_is_over (Link *self, gint64 *ret_moved_us);

/* Returns: (transfer full) (nullable): why the exchange that is over failed */
globus_object_t *link_take_failure (Link *self);

/* Ends the exchange early, and frees the link or leaves it to the library. Returns: FALSE for that
 */
gboolean link_abort (Link *self);

/* Returns: the i-th block, made on first use */
guint8 *link_block (Link *self, guint i);

G_END_DECLS
