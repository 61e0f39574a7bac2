/* scene.h - a scene: viewpoint, lights, surfaces, primitives
 *
 * One thread fills a scene and calls scene_finish(). After that the scene does not change, and any
 * thread may read it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "bvh.h"

#define SCENE_MAX_PIXELS 8192
/* The largest part that is not cut. With larger ones, a quarter of the largest picture could be too
 * large for the result of a job. */
#define SCENE_MAX_TILE       1024
#define SCENE_MAX_LIGHTS     256
#define SCENE_MAX_PRIMITIVES (2 * 1024 * 1024)

/**
 * Viewpoint:
 * @angle_degrees: angle between the picture's lower and upper edge, in (0, 180)
 * @hither: objects nearer than this distance are invisible
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
 * @diffuse: Kd, the share of the light that the surface scatters
 * @specular: Ks, the share of the light that it mirrors
 * @shine: Phong's exponent of the highlights; 0: no highlights
 * @transmittance: T, the share of the light that goes through; 0: opaque
 * @index: index of refraction inside, divided by that outside
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
  GArray *corners;    /* (owned) Vector: corner normals; a triangle has three of them or none */
  GArray *nodes;      /* (owned) BvhNode: set by scene_finish() */
} Scene;

/* Returns: (transfer full): an empty scene with a black background */
Scene *scene_new (void);
void scene_free (Scene *self);

/* Adds a light. @colour: (nullable): %NULL for white; a white light's brightness is 1 divided by
 * the square root of the number of all lights */
void scene_add_light (Scene *self, Vector position, const Vector *colour);

/* Sets the surface of the primitives that are added next. Call it before the first primitive. */
void scene_add_surface (Scene *self, const Surface *surface);

/* Adds a sphere. @radius: above 0 */
void scene_add_sphere (Scene *self, Vector centre, double radius);

/* Adds a cone or cylinder. @base and @apex must differ. No radius may be below 0, and one must be
 * above 0. */
void scene_add_cone (Scene *self, Vector base, double base_radius, Vector apex, double apex_radius);

/**
 * scene_add_polygon:
 * @corners: (array length=n_corners): as for polygon_cut()
 * @normals: (array length=n_corners) (nullable): normal at each corner, not 0; %NULL for a flat
 *   polygon
 */
void scene_add_polygon (Scene *self, const Vector *corners, const Vector *normals, guint n_corners);

/* Ends the construction: nothing may be added after this. */
void scene_finish (Scene *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)
