/* colour.h - colours are linear red, green and blue of Rec. 709, the primaries of sRGB
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../../common/vector.h"

static inline double
colour_luminance (Vector colour)
{
  return 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z;
}

static inline double
colour_max (Vector colour)
{
  return MAX (MAX (colour.x, colour.y), colour.z);
}
