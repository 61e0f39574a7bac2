/* render.h - draws a rectangle of the picture
 *
 * The random numbers of a pixel depend on its place in the picture only, so the result does not
 * depend on how a picture is cut.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "area.h"
#include "scene/scene.h"

#define RENDER_MAX_SAMPLES 65536

/**
 * Shot:
 * @width: pixels
 * @height: pixels
 * @n_samples: paths for each pixel
 * @n_bounces: how often a path is scattered, at most
 * @sky: radiance where there is no surface
 * @eye: where the camera is
 * @at: where it looks
 * @up: what it shows above
 * @degrees: the angle of its view from top to bottom
 * @exposure: what radiance is multiplied by to get the intensity of a pixel
 *
 * What the picture is of.
 */
SATIN_RECORD (Shot, (int, width), (int, height), (int, n_samples), (int, n_bounces),
              (record, sky, Vector), (record, eye, Vector), (record, at, Vector),
              (record, up, Vector), (double, degrees), (double, exposure))

/* Sets the camera of @shot to one that sees the whole scene, from above and a little from the
 * right. The size and @degrees of @shot are set already. */
void render_see_all (const Scene *scene, Shot *shot);

/**
 * render_area:
 * @rgb: (out caller-allocates): 3 bytes for each pixel of @area, line by line from the top
 */
void render_area (const Scene *scene, const Shot *shot, const Area *area, guint8 *rgb);
