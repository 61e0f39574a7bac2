/* private.h - what a scene consists of, for the files of this folder
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "scene.h"

#include <embree3/rtcore.h>

/**
 * Scene:
 * @data: (owned)
 * @device: (owned) (nullable)
 * @tree: (owned) (nullable)
 * @low: lowest coordinates of all triangles
 * @high: highest coordinates of all triangles
 * @lift: how far a ray begins above its surface
 * @lights: (owned): the triangles that emit light
 * @sums: (owned): for each of them its power and the power of all before it
 * @n_lights: how many there are
 *
 * Power is area times luminance.
 */
struct _Scene
{
  SceneData data;
  RTCDevice device;
  RTCScene tree;
  Vector low;
  Vector high;
  double lift;
  gint32 *lights;
  double *sums;
  gsize n_lights;
};

static inline Vector
scene_vertex (const SceneData *data, gint32 vertex)
{
  const float *place = data->places + 3 * (gsize)vertex;
  return vector (place[0], place[1], place[2]);
}

/* Returns: the normal of a triangle; its length is twice the area */
static inline Vector
scene_triangle_normal (const SceneData *data, const gint32 *corners)
{
  Vector a = scene_vertex (data, corners[0]);
  return vector_cross (vector_subtract (scene_vertex (data, corners[1]), a),
                       vector_subtract (scene_vertex (data, corners[2]), a));
}

/* Sets the lights of a scene. */
void scene_find_lights (Scene *self);
