/* scene.h - what is to be drawn: viewpoint, lights, surfaces, primitives
 *
 * A scene is filled by one thread, then finished; from then on it does not
 * change and any thread may look at it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "bvh.h"

#define SCENE_MAX_PIXELS     8192
#define SCENE_MAX_LIGHTS     256
#define SCENE_MAX_PRIMITIVES (2 * 1024 * 1024)

/**
 * Viewpoint:
 * @angle_degrees: from the picture's lower to its upper edge, in (0, 180)
 * @hither: what is nearer than this plane is not seen, scene units
 * @width: pixels
 * @height: pixels
 */
typedef struct
{
  Vector from, at, up;
  double angle_degrees;
  double hither;
  guint width, height;
} Viewpoint;

typedef struct
{
  Vector position;
  Vector colour;
  gboolean has_colour;
} Light;

/**
 * Surface:
 * @colour: red, green, blue, each mostly in [0, 1]
 * @diffuse: Kd, the part of the light that it scatters
 * @specular: Ks, the part that it mirrors
 * @shine: Phong's exponent of the highlights; 0 for none
 * @transmittance: T, the part that goes through; 0 for none
 * @index: of refraction, inside over outside
 */
typedef struct
{
  Vector colour;
  double diffuse;
  double specular;
  double shine;
  double transmittance;
  double index;
} Surface;

typedef struct
{
  Viewpoint viewpoint;
  Vector background;
  GArray *lights;     /* (owned) Light */
  GArray *surfaces;   /* (owned) Surface */
  GArray *primitives; /* (owned) Primitive */
  GArray *corners;    /* (owned) Vector: three normals of each triangle that has them */
  GArray *nodes;      /* (owned) BvhNode, from scene_finish() on */
} Scene;

/* Returns: (transfer full): a scene with a black background and nothing in it */
Scene *scene_new (void);
void scene_free (Scene *self);

/* @colour: (nullable): %NULL for white light that shares a total brightness with the others */
void scene_add_light (Scene *self, Vector position, const Vector *colour);

/* What is added from now on has this surface. One is needed before the first primitive. */
void scene_add_surface (Scene *self, const Surface *surface);

/* @radius: above 0 */
void scene_add_sphere (Scene *self, Vector centre, double radius);

/* @base and @apex differ; no radius is below 0, and one is above it. */
void scene_add_cone (Scene *self, Vector base, double base_radius, Vector apex, double apex_radius);

/**
 * scene_add_polygon:
 * @corners: (array length=n_corners): as polygon_cut() takes them
 * @normals: (array length=n_corners) (nullable): at each corner, any length above 0; %NULL for flat
 */
void scene_add_polygon (Scene *self, const Vector *corners, const Vector *normals, guint n_corners);

/* Nothing may be added after this. */
void scene_finish (Scene *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)
