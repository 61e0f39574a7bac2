/* nodes.c - reads the tree of nodes: meshes and the camera, each at its place in the world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <math.h>
#include <string.h>

/* Three rows of a matrix: a linear map, and a shift. */
typedef struct
{
  double a[3][4];
} Place;

static const Place nowhere = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };

/* Returns: @outer after the matrix of a node */
static Place
compose (const Place *outer, const struct aiMatrix4x4 *m)
{
  const double inner[4][4] = { { m->a1, m->a2, m->a3, m->a4 },
                               { m->b1, m->b2, m->b3, m->b4 },
                               { m->c1, m->c2, m->c3, m->c4 },
                               { 0, 0, 0, 1 } };
  Place place = { 0 };
  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 4; k++)
      for (guint j = 0; j < 4; j++)
        place.a[i][k] += outer->a[i][j] * inner[j][k];
  return place;
}

/* Moves a place, if @shift is 1, or turns a direction, if it is 0. */
static Vector
map (const Place *place, const struct aiVector3D *a, double shift)
{
  double x = a->x, y = a->y, z = a->z, sum[3];
  for (guint i = 0; i < 3; i++)
    sum[i] = place->a[i][0] * x + place->a[i][1] * y + place->a[i][2] * z + place->a[i][3] * shift;
  return vector (sum[0], sum[1], sum[2]);
}

/* A normal stays at a right angle to its surface: it is mapped by the cofactors of the matrix.
 * Returns: unit vector; 0, 0, 0 when it has no direction */
static Vector
map_normal (const Place *place, const struct aiVector3D *normal)
{
  const double (*a)[4] = place->a;
  Vector rows[] = { vector (a[0][0], a[0][1], a[0][2]), vector (a[1][0], a[1][1], a[1][2]),
                    vector (a[2][0], a[2][1], a[2][2]) };
  Vector from = vector (normal->x, normal->y, normal->z);
  Vector to = vector (vector_dot (vector_cross (rows[1], rows[2]), from),
                      vector_dot (vector_cross (rows[2], rows[0]), from),
                      vector_dot (vector_cross (rows[0], rows[1]), from));
  double length = vector_length (to);
  return length > 0 && isfinite (length) ? vector_scale (to, 1 / length) : vector (0, 0, 0);
}

static void
append_vector (GArray *array, Vector value)
{
  const float floats[] = { (float)value.x, (float)value.y, (float)value.z };
  g_array_append_vals (array, floats, 3);
}

static void
add_vertices (Import *self, const struct aiMesh *mesh, const Place *place)
{
  static const struct aiVector3D none;
  for (guint i = 0; i < mesh->mNumVertices; i++)
    {
      append_vector (self->places, map (place, &mesh->mVertices[i], 1));
      append_vector (self->normals, mesh->mNormals != NULL ? map_normal (place, &mesh->mNormals[i])
                                                           : vector (0, 0, 0));
      const struct aiVector3D *at =
          mesh->mTextureCoords[0] != NULL ? &mesh->mTextureCoords[0][i] : &none;
      /* Assimp counts from the bottom of a texture. */
      const float uv[] = { at->x, 1 - at->y };
      g_array_append_vals (self->texture_places, uv, 2);
    }
}

static gboolean
add_mesh (Import *self, const struct aiMesh *mesh, const Place *place, GError **error)
{
  gsize first = self->places->len / 3;
  gint32 surface = (gint32)mesh->mMaterialIndex;
  if (first + mesh->mNumVertices > SCENE_MAX_VERTICES
      || self->surfaces->len + mesh->mNumFaces > SCENE_MAX_TRIANGLES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "the scene has more than %d vertices or %d triangles: simplify it",
                   SCENE_MAX_VERTICES, SCENE_MAX_TRIANGLES);
      return FALSE;
    }
  add_vertices (self, mesh, place);
  for (guint i = 0; i < mesh->mNumFaces; i++)
    {
      const struct aiFace *face = &mesh->mFaces[i];
      /* Points and lines have no surface. */
      if (face->mNumIndices != 3)
        {
          import_note (self, g_strdup ("points and lines are not drawn"));
          continue;
        }
      for (guint k = 0; k < 3; k++)
        {
          gint32 corner = (gint32)(first + MIN (face->mIndices[k], SCENE_MAX_VERTICES));
          g_array_append_val (self->corners, corner);
        }
      g_array_append_val (self->surfaces, surface);
    }
  return TRUE;
}

static void
set_camera (Import *self, const struct aiCamera *camera, const Place *place)
{
  /* An angle of 0 is that of a camera without perspective. */
  if (!(camera->mHorizontalFOV > 0))
    {
      import_note (self, g_strdup ("a camera without perspective is not used"));
      return;
    }
  double aspect = camera->mAspect > 0 ? (double)camera->mAspect : 1;
  Vector eye = map (place, &camera->mPosition, 1), to = map (place, &camera->mLookAt, 0);
  /* Assimp 5.2 makes the angle by multiplying the one of the file, from top to bottom, with the
   * aspect ratio. */
  double radians = (double)camera->mHorizontalFOV / aspect;
  double degrees = (double)(float)(radians * 180 / G_PI);
  if (degrees < SCENE_MIN_DEGREES || degrees > SCENE_MAX_DEGREES)
    {
      import_note (self, g_strdup_printf ("a camera with an angle of %g degrees is not used: it is "
                                          "not from %d to %d",
                                          degrees, SCENE_MIN_DEGREES, SCENE_MAX_DEGREES));
      return;
    }
  self->camera = (Camera){ .is_given = TRUE,
                           .eye = eye,
                           .at = vector_add (eye, vector_normalise (to)),
                           .up = vector_normalise (map (place, &camera->mUp, 0)),
                           .degrees = degrees };
}

static void
find_camera (Import *self, const struct aiNode *node, const Place *place)
{
  for (guint i = 0; i < self->scene->mNumCameras && !self->camera.is_given; i++)
    if (strcmp (self->scene->mCameras[i]->mName.data, node->mName.data) == 0)
      set_camera (self, self->scene->mCameras[i], place);
}

static gboolean
add_node (Import *self, const struct aiNode *node, const Place *outer, guint depth, GError **error)
{
  Place place = compose (outer, &node->mTransformation);
  if (depth > IMPORT_MAX_DEPTH)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "a node is below more than %d others",
                   IMPORT_MAX_DEPTH);
      return FALSE;
    }
  find_camera (self, node, &place);
  for (guint i = 0; i < node->mNumMeshes; i++)
    if (!add_mesh (self, self->scene->mMeshes[node->mMeshes[i]], &place, error))
      return FALSE;
  for (guint i = 0; i < node->mNumChildren; i++)
    if (!add_node (self, node->mChildren[i], &place, depth + 1, error))
      return FALSE;
  return TRUE;
}

gboolean
import_nodes (Import *self, GError **error)
{
  return add_node (self, self->scene->mRootNode, &nowhere, 0, error);
}
