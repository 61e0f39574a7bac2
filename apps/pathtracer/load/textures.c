/* textures.c - reads textures: PNG images, in a file of their own or inside the scene's file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <assimp/texture.h>
#include <png.h>
#include <string.h>

static const char png_mark[] = "\211PNG\r\n\032\n";

/* Makes a texture of red, green, blue and alpha. @rgba: 4 bytes for each pixel */
static void
add_texture (Import *self, const char *name, const png_image *image, const guint8 *rgba,
             gint32 *ret_index)
{
  gsize n = (gsize)image->width * image->height;
  guint8 *rgb = g_malloc (3 * n);
  for (gsize i = 0; i < n; i++)
    memcpy (rgb + 3 * i, rgba + 4 * i, 3);
  Texture texture = { (gint32)image->width, (gint32)image->height, rgb, 3 * n };
  *ret_index = (gint32)self->textures->len;
  g_array_append_val (self->textures, texture);
  g_hash_table_insert (self->texture_names, g_strdup (name), GINT_TO_POINTER (*ret_index + 1));
}

static gboolean
refuse (png_image *image, const char *name, const char *reason, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "texture %s is malformed: %s", name,
               reason);
  png_image_free (image);
  return FALSE;
}

/* Refuses an image before there is memory for its pixels. */
static gboolean
check_size (const Import *self, const char *name, const png_image *image, GError **error)
{
  gsize n_bytes = 3 * (gsize)image->width * image->height;
  if (image->width > SCENE_MAX_TEXTURE_SIDE || image->height > SCENE_MAX_TEXTURE_SIDE)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "texture %s has %ux%u pixels, but at most %d on each side are possible", name,
                   image->width, image->height, SCENE_MAX_TEXTURE_SIDE);
      return FALSE;
    }
  for (guint i = 0; i < self->textures->len; i++)
    n_bytes += g_array_index (self->textures, Texture, i).n_rgb;
  if (self->textures->len < SCENE_MAX_TEXTURES && n_bytes <= SCENE_MAX_BYTES)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "with texture %s, there are more than %d textures or %" G_GSIZE_FORMAT
               " MiB of them: use fewer or smaller ones",
               name, SCENE_MAX_TEXTURES, SCENE_MAX_BYTES >> 20);
  return FALSE;
}

static gboolean
decode (Import *self, const char *name, const guint8 *bytes, gsize n_bytes, gint32 *ret_index,
        GError **error)
{
  png_image image = { .version = PNG_IMAGE_VERSION };
  if (!png_image_begin_read_from_memory (&image, bytes, n_bytes))
    return refuse (&image, name, image.message, error);
  if (!check_size (self, name, &image, error))
    {
      png_image_free (&image);
      return FALSE;
    }
  image.format = PNG_FORMAT_RGBA;
  g_autofree guint8 *rgba = g_malloc (PNG_IMAGE_SIZE (image));
  if (!png_image_finish_read (&image, NULL, rgba, 0, NULL))
    return refuse (&image, name, image.message, error);
  add_texture (self, name, &image, rgba, ret_index);
  return TRUE;
}

/* Finds the bytes of a texture. Returns: (transfer full) (nullable): %NULL with @error set */
static GBytes *
find_bytes (Import *self, const char *name, GError **error)
{
  if (name[0] == '*')
    {
      guint64 index;
      if (!g_ascii_string_to_unsigned (name + 1, 10, 0, G_MAXUINT32, &index, NULL)
          || index >= self->scene->mNumTextures)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "there is no texture %s", name);
          return NULL;
        }
      const struct aiTexture *texture = self->scene->mTextures[index];
      /* An image that Assimp has not decoded has no height, and its width is a number of bytes. */
      return g_bytes_new_static (texture->pcData, texture->mHeight == 0 ? texture->mWidth : 0);
    }
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *path =
      g_path_is_absolute (name) ? g_strdup (name) : g_build_filename (folder, name, NULL);
  GBytes *bytes = scene_files_read (self->files, path, error);
  return bytes != NULL ? g_bytes_ref (bytes) : NULL;
}

gboolean
import_texture (Import *self, const char *name, gint32 *ret_index, GError **error)
{
  gsize n_bytes;
  gint known = GPOINTER_TO_INT (g_hash_table_lookup (self->texture_names, name));
  *ret_index = known - 1;
  if (known > 0)
    return TRUE;
  g_autoptr (GBytes) image = find_bytes (self, name, error);
  if (image == NULL)
    return FALSE;
  const guint8 *bytes = g_bytes_get_data (image, &n_bytes);
  if (n_bytes >= strlen (png_mark) && memcmp (bytes, png_mark, strlen (png_mark)) == 0)
    return decode (self, name, bytes, n_bytes, ret_index, error);
  import_note (self, g_strdup_printf ("texture %s is ignored: it is no PNG image", name));
  return TRUE;
}
