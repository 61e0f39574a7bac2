/* materials.c - what a surface of a glTF or OBJ file means for the path tracer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <assimp/material.h>
#include <math.h>

/* The share that glass and most plastics mirror at a right angle, which glTF prescribes. */
#define PLAIN_MIRROR 0.04

/* Textures without an effect. */
static const struct
{
  enum aiTextureType type;
  const char *name;
} ignored[] = {
  { aiTextureType_SPECULAR, "specular" },
  { aiTextureType_EMISSIVE, "emission" },
  { aiTextureType_NORMALS, "normals" },
  { aiTextureType_HEIGHT, "height" },
  { aiTextureType_SHININESS, "shininess" },
  { aiTextureType_OPACITY, "opacity" },
  { aiTextureType_DISPLACEMENT, "displacement" },
  { aiTextureType_METALNESS, "metallic" },
  { aiTextureType_DIFFUSE_ROUGHNESS, "roughness" },
};

static double
read_number (const struct aiMaterial *material, const char *key, double initial)
{
  ai_real number;
  guint n = 1;
  if (aiGetMaterialFloatArray (material, key, 0, 0, &number, &n) != aiReturn_SUCCESS)
    return initial;
  return (double)number;
}

static double
read_share (const struct aiMaterial *material, const char *key, double initial)
{
  return CLAMP (read_number (material, key, initial), 0, 1);
}

/* @max: greatest value of each colour */
static Vector
read_colour (const struct aiMaterial *material, const char *key, double initial, double max)
{
  struct aiColor4D colour;
  if (aiGetMaterialColor (material, key, 0, 0, &colour) != aiReturn_SUCCESS)
    return vector (initial, initial, initial);
  return vector (CLAMP ((double)colour.r, 0, max), CLAMP ((double)colour.g, 0, max),
                 CLAMP ((double)colour.b, 0, max));
}

static Material
read_gltf (const struct aiMaterial *material)
{
  return (Material){
    .base = read_colour (material, "$clr.base", 1, 1),
    .specular = vector (PLAIN_MIRROR, PLAIN_MIRROR, PLAIN_MIRROR),
    .metallic = read_share (material, "$mat.metallicFactor", 1),
    .roughness = read_share (material, "$mat.roughnessFactor", 1),
    .emission = read_colour (material, "$clr.emissive", 0, SCENE_MAX_EMISSION),
    .texture = -1,
  };
}

/* Kd is the colour of the ground, Ks what the mirrors return at a right angle, and Ns the exponent
 * of Phong, for which alpha is sqrt (2 / (Ns + 2)). */
static Material
read_obj (const struct aiMaterial *material)
{
  double exponent = MAX (read_number (material, "$mat.shininess", 0), 0);
  return (Material){
    .base = read_colour (material, "$clr.diffuse", 0.6, 1),
    .specular = read_colour (material, "$clr.specular", 0, 1),
    .roughness = sqrt (sqrt (2 / (exponent + 2))),
    .emission = read_colour (material, "$clr.emissive", 0, SCENE_MAX_EMISSION),
    .texture = -1,
  };
}

static void
note_ignored (Import *self, const struct aiMaterial *material)
{
  for (guint i = 0; i < G_N_ELEMENTS (ignored); i++)
    if (aiGetMaterialTextureCount (material, ignored[i].type) > 0)
      import_note (self, g_strdup_printf ("textures for %s are ignored", ignored[i].name));
  if (read_number (material, "$mat.opacity", 1) < 1
      || read_number (material, "$mat.transmission.factor", 0) > 0)
    import_note (self, g_strdup ("transparent materials are drawn as if they were opaque"));
}

static gboolean
add_material (Import *self, const struct aiMaterial *from, GError **error)
{
  struct aiString name;
  Material material = self->is_gltf ? read_gltf (from) : read_obj (from);
  enum aiTextureType type = self->is_gltf ? aiTextureType_BASE_COLOR : aiTextureType_DIFFUSE;
  if (aiGetMaterialTextureCount (from, type) > 0
      && aiGetMaterialTexture (from, type, 0, &name, NULL, NULL, NULL, NULL, NULL, NULL)
             == aiReturn_SUCCESS
      && !import_texture (self, name.data, &material.texture, error))
    return FALSE;
  note_ignored (self, from);
  g_array_append_val (self->materials, material);
  return TRUE;
}

gboolean
import_materials (Import *self, GError **error)
{
  for (guint i = 0; i < self->scene->mNumMaterials; i++)
    if (!add_material (self, self->scene->mMaterials[i], error))
      return FALSE;
  return TRUE;
}
