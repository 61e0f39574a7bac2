/* object.h - the operations on the objects of a bucket
 *
 * Threads: the thread that operates on the storage; all calls block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "server.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean is_there;
  guint64 size_bytes;
  char *etag;   /* (owned) (nullable) */
  char *writer; /* (owned) (nullable): the mark of the writer, if Satin wrote the object */
} Object;

void object_clear (Object *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Object, object_clear)

/* What must hold when an object is written. */
typedef struct
{
  gboolean must_be_new; /* no object has the key */
  const char *etag;     /* (borrowed) (nullable): the object with the key has this ETag */
} ObjectCondition;

/* Asks for an object without its bytes. @key: as in the bucket. @ret_object: (out): is_there is
 * %FALSE when there is no such object */
gboolean object_look (Server *server, const char *key, Object *ret_object, GError **error);

/**
 * object_read:
 * @offset: of the first byte that is wanted
 * @buffer: room for @n_bytes
 * @ret_n_bytes: (out): bytes read, less only at the object's end
 * @ret_object: (out): the object, without the writer's mark. Its size is that of the whole object.
 *   If @offset is behind the object's end, the size and the ETag may be missing (0, %NULL)
 *
 * Reads a part of an object. Returns: %TRUE also when there is no object
 */
gboolean object_read (Server *server, const char *key, guint64 offset, guint8 *buffer,
                      gsize n_bytes, gsize *ret_n_bytes, Object *ret_object, GError **error);

/* How many digits a writer's mark has. */
#define OBJECT_MARK_CHARS 32

/* Makes a new mark. @mark: (out): OBJECT_MARK_CHARS hexadecimal digits and a NUL */
void object_make_mark (char *mark);

/**
 * object_put:
 * @mark: the mark of this content: the same for each try to write it
 * @condition: (nullable): what must hold; the server must know conditions
 * @ret_etag: (out) (nullable): (transfer full): of the new object; %NULL when @condition did not
 *   hold
 *
 * Writes a whole object. If the answer was lost and the request was repeated, a condition that does
 * not hold any more because of the first request is no failure.
 */
gboolean object_put (Server *server, const char *key, const guint8 *bytes, gsize n_bytes,
                     const char *mark, const ObjectCondition *condition, char **ret_etag,
                     GError **error);

/* Removes an object; it is no failure if there is none. */
gboolean object_remove (Server *server, const char *key, GError **error);

/**
 * object_list:
 * @prefix: what the keys begin with
 * @after: (nullable): only keys that sort behind this one
 * @has_folders: %FALSE: keys with a slash behind the prefix are left out
 * @most: how many objects to ask for at most, in one page; 0: all objects
 *
 * Lists objects, page by page.
 */
gboolean object_list (Server *server, const char *prefix, const char *after, gboolean has_folders,
                      guint most, AnswerObjectFunc func, gpointer user_data, GError **error);

/* Lets the server copy the object @from, whose ETag is @etag, to the key @to. */
gboolean object_copy (Server *server, const char *from, const char *etag, const char *to,
                      GError **error);

/* ---- upload.c: an object that is sent in parts ---- */

/* Each part that is sent has this size, except the last. (A part that the server copies may have
 * another size.) Amazon's servers want 5 MiB or more, and at most 10,000 parts. */
#define UPLOAD_PART_BYTES ((gsize)16 << 20)
#define UPLOAD_PARTS_MAX  10000

typedef struct
{
  char *key;        /* (owned) */
  char *id;         /* (owned) (nullable): %NULL when it has not begun */
  GPtrArray *etags; /* (owned) of (owned) char*: of the parts */
  char mark[OBJECT_MARK_CHARS + 1];
} Upload;

/* Begins an upload. @self: zeroed; upload_clear() frees it */
gboolean upload_begin (Upload *self, Server *server, const char *key, GError **error);
gboolean upload_send (Upload *self, Server *server, const guint8 *bytes, gsize n_bytes,
                      GError **error);
/* Adds a part that is copied from @n_bytes of another object, from @offset on. */
gboolean upload_copy (Upload *self, Server *server, const char *from, const char *etag,
                      guint64 offset, guint64 n_bytes, GError **error);
/* Makes the object of the parts. Arguments as for object_put(). */
gboolean upload_complete (Upload *self, Server *server, const ObjectCondition *condition,
                          char **ret_etag, GError **error);
/* Tells the server to forget the parts, if there is an upload, and clears @self then. */
void upload_abort (Upload *self, Server *server);
void upload_clear (Upload *self);

/* For upload.c: adds the headers for a condition. @ret_match: (out) (transfer full) (nullable): a
 * text that a header borrows; free it after the exchange */
void object_add_condition (Exchange *exchange, const ObjectCondition *condition, char **ret_match);
/* For upload.c: adds the headers that name the object to copy. @ret_source, @ret_match: (out)
 * (transfer full): texts that the headers borrow */
void object_add_source (Exchange *exchange, const Server *server, const char *from,
                        const char *etag, char **ret_source, char **ret_match);
/* For upload.c: called when a condition did not hold. @ret_etag: (out) (transfer full) (nullable):
 * of the object if it has this @mark: then an earlier try has written it. Else %NULL */
gboolean object_take_refusal (Server *server, const Exchange *exchange, const char *mark,
                              char **ret_etag, GError **error);

G_END_DECLS
