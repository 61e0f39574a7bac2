/* surface.h - how a place on a surface scatters light: Lambert below a GGX mirror
 *
 * The surface is a diffuse ground (Lambert) under a layer of tiny mirrors, whose directions have
 * the GGX distribution. What the layer mirrors does not reach the ground, and what the ground
 * scatters passes the layer again. A metal has no ground. The functions are symmetric in both
 * directions, and no surface returns more light than it receives.
 *
 * Sources: Walter et al., "Microfacet models for refraction through rough surfaces" (2007); Heitz,
 * "Understanding the masking-shadowing function in microfacet-based BRDFs" (2014), and "Sampling
 * the GGX distribution of visible normals" (2018); Schlick, "An inexpensive BRDF model" (1994).
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../scene/scene.h"
#include "random.h"

/**
 * Surface:
 * @tangent: with @bitangent and @normal a right-angled frame of unit vectors
 * @flat: unit normal of the triangle
 * @ground: share of the light that the diffuse ground returns, for each colour
 * @mirror: share of the light that is mirrored at a right angle
 * @edge: share that is mirrored at a grazing angle
 * @alpha: roughness of GGX; 0: there are no mirrors
 * @chance: how probable it is that a direction is drawn from the mirrors
 *
 * A place on a surface.
 */
typedef struct
{
  Vector tangent;
  Vector bitangent;
  Vector normal;
  Vector flat;
  Vector ground;
  Vector mirror;
  double edge;
  double alpha;
  double chance;
} Surface;

/* A direction that was drawn. @density: per solid angle; @weight: which share of the light from
 * @direction is scattered to the viewer, divided by @density */
typedef struct
{
  Vector direction;
  double density;
  Vector weight;
} Scattering;

/* Describes the surface at @hit. @out: unit vector from there to the viewer */
Surface surface_make (const Scene *scene, const Hit *hit, Vector out);

/**
 * surface_value:
 * @out: unit vector to the viewer
 * @in: unit vector to where light comes from
 * @ret_density: (out): the density, per solid angle, with which surface_draw() draws @in
 *
 * Returns: BRDF times cosine: which share of the light is scattered to the viewer, for each unit of
 *   solid angle; 0, 0, 0 when @in is below the surface
 */
Vector surface_value (const Surface *self, Vector out, Vector in, double *ret_density);

/* Draws a direction from which light comes, about in proportion to surface_value(). @ret_drawn:
 * (out caller-allocates). Returns: %FALSE when the drawn direction is below the surface: then the
 * path ends */
gboolean surface_draw (const Surface *self, Vector out, Random *random, Scattering *ret_drawn);
