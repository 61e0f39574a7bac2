/* render.h - draws a rectangle of the picture
 *
 * Each pixel is computed alone, so it does not matter how a picture is cut.
 *
 * Threads: any; the scene is finished and not changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>
#include "scene/scene.h"

#define RENDER_MAX_SAMPLES 16

/* The whole picture: its size, the rays of a pixel (samples * samples) and the depth of their
 * trees. */
SATIN_RECORD (Shot, (int, width), (int, height), (int, samples), (int, depth))

/* A rectangle of it: left upper pixel and size. */
SATIN_RECORD (Area, (int, x), (int, y), (int, width), (int, height))

/**
 * render_area:
 * @rgb: (out caller-allocates): 3 bytes for each pixel of @area, line by line from the top
 */
void render_area (const Scene *scene, const Shot *shot, const Area *area, guint8 *rgb);
