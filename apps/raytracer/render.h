/* render.h - draws a rectangle of the picture
 *
 * Each pixel is computed independently, so the result does not depend on how a picture is cut.
 *
 * Threads: any; the scene is finished and does not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>
#include "scene/scene.h"

#define RENDER_MAX_SAMPLES 16

/* How to draw a picture. @width, @height: its size in pixels; @samples: each pixel gets @samples *
 * @samples rays; @depth: how often a ray may be mirrored or refracted */
SATIN_RECORD (Shot, (int, width), (int, height), (int, samples), (int, depth))

/* A rectangle of the picture: its upper left pixel, and its size. */
SATIN_RECORD (Area, (int, x), (int, y), (int, width), (int, height))

/**
 * render_area:
 * @rgb: (out caller-allocates): 3 bytes for each pixel of @area, line by line from the top
 */
void render_area (const Scene *scene, const Shot *shot, const Area *area, guint8 *rgb);
