/* picture.c - writes PNG files through libpng's simplified interface, which returns its errors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "picture.h"
#include <png.h>

gboolean
picture_write (AppOutput *file, guint width, guint height, const guint8 *rgb, GError **error)
{
  png_image image = {
    .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB
  };
  FILE *stream = app_output_begin (file, error);

  if (stream == NULL)
    return FALSE;
  if (!png_image_write_to_stdio (&image, stream, 0, rgb, 0, NULL))
    {
      app_output_fail (file, image.message, error);
      png_image_free (&image);
      return FALSE;
    }
  return app_output_end (file, error);
}
