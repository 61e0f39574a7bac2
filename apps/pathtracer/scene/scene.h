/* scene.h - a scene that rays can be traced through, with Embree
 *
 * Embree uses no more than the SSE2 instructions, which all processors of its kind have, and its
 * robust mode. So all nodes of a run hit the same triangles, at the same places.
 *
 * Threads: any; a finished scene does not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "data.h"

G_BEGIN_DECLS

typedef struct _Scene Scene;

/**
 * Hit:
 * @place: where the ray has met a triangle
 * @flat: unit normal of the triangle, on the side from which the ray came
 * @normal: unit normal that is interpolated from the normals of the vertices, on the same side;
 *   @flat if these have none
 * @u: place in the texture, from the left
 * @v: place in the texture, from the top
 * @material: (borrowed from the scene)
 */
typedef struct
{
  Vector place;
  Vector flat;
  Vector normal;
  double u;
  double v;
  const Material *material;
} Hit;

/**
 * LightPlace:
 * @place: a place on a triangle that emits light
 * @normal: unit normal of the triangle, on one of its sides
 * @emission: radiance that it emits
 * @density: density with which this place was drawn, per unit of area
 */
typedef struct
{
  Vector place;
  Vector normal;
  Vector emission;
  double density;
} LightPlace;

/**
 * scene_new:
 * @data: copied
 * @error: as for scene_data_check(); %SATIN_ERROR_LIMIT when Embree has too little memory
 *
 * Cost: O(n log n) for n triangles, on this thread.
 *
 * Returns: (transfer full): free with scene_free()
 */
Scene *scene_new (const SceneData *data, GError **error);
void scene_free (Scene *self);

/**
 * scene_keep:
 * @id: a number that only one scene has
 * @data: (nullable): the scene of that number
 * @error: as for scene_new(); %SATIN_ERROR_JOB when @data is %NULL and the process has no such
 * scene
 *
 * Finds the scene of that number, or makes it if this process has not made it yet. While one thread
 * makes a scene, the other threads wait. Threads: any.
 *
 * Returns: (transfer none): valid until the process ends
 */
const Scene *scene_keep (gint64 id, const SceneData *data, GError **error);

/**
 * scene_hit:
 * @direction: unit vector
 * @ret_hit: (out caller-allocates): untouched when nothing is hit
 *
 * Finds the first triangle that the ray meets. Both sides of a triangle can be met.
 *
 * Returns: whether there is one
 */
gboolean scene_hit (const Scene *self, Vector from, Vector direction, Hit *ret_hit);

/* Whether nothing is between two places, neither of which is on a surface: see scene_lift(). */
gboolean scene_is_open (const Scene *self, Vector from, Vector to);

/* Returns: a place so little above @place, in the direction @normal, that a ray that begins there
 * does not meet the surface on which @place is */
Vector scene_lift (const Scene *self, Vector place, Vector normal);

/* Whether anything in the scene emits light. */
gboolean scene_has_light (const Scene *self);

/**
 * scene_draw_light:
 * @choice: random number in [0, 1) that chooses a triangle
 * @a: random number in [0, 1)
 * @b: random number in [0, 1): with @a it chooses a place on the triangle
 *
 * Draws a place on the triangles that emit light, in proportion to the light that they emit. The
 * scene must have light.
 */
LightPlace scene_draw_light (const Scene *self, double choice, double a, double b);

/* Returns: the density with which scene_draw_light() draws a place on the material, per unit of
 * area */
double scene_light_density (const Scene *self, const Material *material);

/* Returns: the colour of the texture of a material at a place; 1, 1, 1 without a texture */
Vector scene_texture (const Scene *self, const Material *material, double u, double v);

/* The smallest ball around the box of all triangles. @ret_middle, @ret_radius: (out) */
void scene_get_ball (const Scene *self, Vector *ret_middle, double *ret_radius);

const Camera *scene_get_camera (const Scene *self);
gsize scene_get_n_triangles (const Scene *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)

G_END_DECLS
