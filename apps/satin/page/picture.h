/* picture.h - the picture of a program, which the page shows while the program writes it anew
 *
 * A file is shown only if it is a PNG or JPEG image by its first bytes, whatever its name is. A
 * document that can have scripts in it, such as SVG or HTML, is never sent.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* A larger file is not shown. */
#define PAGE_PICTURE_MAX_BYTES ((gsize)16 << 20)

/**
 * PagePicture:
 * @bytes: (owned) (nullable): the whole file; %NULL when there is no file yet, or when it is the
 * one that the browser has
 * @type: (nullable): the content type; static; %NULL when there is no file yet
 * @tag: (owned) (nullable): differs when the file has changed: the value of an ETag, with its
 * quotes
 */
typedef struct
{
  GBytes *bytes;
  const char *type;
  char *tag;
} PagePicture;

/**
 * page_picture_read:
 * @path: the file
 * @known: (nullable): the tag of the picture that the browser has
 * @ret_picture: (out caller-allocates): free with page_picture_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID when it is no regular file, or neither PNG nor JPEG;
 *   %SATIN_ERROR_LIMIT when it is too large; %SATIN_ERROR_IO when it cannot be read
 *
 * Reads the file, unless its tag is @known. A file that does not exist is no error.
 *
 * Returns: %TRUE on success
 */
gboolean page_picture_read (const char *path, const char *known, PagePicture *ret_picture,
                            GError **error);

void page_picture_clear (PagePicture *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PagePicture, page_picture_clear)

G_END_DECLS
