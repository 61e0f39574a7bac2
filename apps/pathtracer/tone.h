/* tone.h - radiance to the bytes of a picture, and back
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/vector.h"

/* Returns: the linear intensity, 0 to 1, of a byte in sRGB */
double tone_decode (guint8 byte);

/* Returns: the byte in sRGB of a linear intensity. It is exact up to 0.7. Above that, a shoulder
 * brings any intensity below 1, so that bright places keep their shades. */
guint8 tone_encode (double intensity);
