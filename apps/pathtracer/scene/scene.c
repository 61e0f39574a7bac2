/* scene.c - builds Embree's tree over the triangles, and describes what rays hit
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <math.h>
#include <string.h>

/* How far a ray begins above its surface, in parts of the largest coordinate. A coordinate is a
 * float, with a relative error of 6e-8. */
#define LIFT 1e-5

/* ---- making a scene ---- */

static void
fill_buffer (RTCGeometry mesh, enum RTCBufferType type, enum RTCFormat format, gsize element_bytes,
             gconstpointer elements, gsize n)
{
  gpointer buffer = rtcSetNewGeometryBuffer (mesh, type, 0, format, element_bytes, n);
  if (buffer != NULL)
    memcpy (buffer, elements, n * element_bytes);
}

static gboolean
build (Scene *self, GError **error)
{
  const SceneData *data = &self->data;
  self->device = rtcNewDevice ("isa=sse2,threads=1,set_affinity=0");
  if (self->device != NULL)
    {
      RTCGeometry mesh = rtcNewGeometry (self->device, RTC_GEOMETRY_TYPE_TRIANGLE);
      fill_buffer (mesh, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 3 * sizeof (float),
                   data->places, data->n_places / 3);
      fill_buffer (mesh, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 3 * sizeof (gint32),
                   data->corners, data->n_surfaces);
      rtcCommitGeometry (mesh);
      self->tree = rtcNewScene (self->device);
      rtcSetSceneFlags (self->tree, RTC_SCENE_FLAG_ROBUST);
      rtcAttachGeometry (self->tree, mesh);
      rtcReleaseGeometry (mesh);
      rtcCommitScene (self->tree);
    }
  enum RTCError code = rtcGetDeviceError (self->device);
  if (code == RTC_ERROR_NONE)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "Embree cannot build its tree over %" G_GSIZE_FORMAT " triangles (error %d): %s",
               data->n_surfaces, (int)code,
               code == RTC_ERROR_OUT_OF_MEMORY ? "there is too little memory" : "see its manual");
  return FALSE;
}

static void
measure (Scene *self)
{
  self->low = self->high = scene_vertex (&self->data, self->data.corners[0]);
  for (gsize i = 1; i < self->data.n_corners; i++)
    {
      Vector place = scene_vertex (&self->data, self->data.corners[i]);
      self->low = vector_low (self->low, place);
      self->high = vector_high (self->high, place);
    }
  for (guint axis = 0; axis < 3; axis++)
    self->lift = MAX (
        self->lift,
        LIFT * MAX (fabs (vector_get (self->low, axis)), fabs (vector_get (self->high, axis))));
  self->lift = MAX (self->lift, G_MINFLOAT);
}

Scene *
scene_new (const SceneData *data, GError **error)
{
  if (!scene_data_check (data, error))
    return NULL;
  g_autoptr (Scene) self = g_new0 (Scene, 1);
  satin_record_copy (&SceneData_record, data, &self->data);
  measure (self);
  scene_find_lights (self);
  return build (self, error) ? g_steal_pointer (&self) : NULL;
}

void
scene_free (Scene *self)
{
  if (self == NULL)
    return;
  if (self->tree != NULL)
    rtcReleaseScene (self->tree);
  if (self->device != NULL)
    rtcReleaseDevice (self->device);
  satin_record_clear (&SceneData_record, &self->data);
  g_free (self->lights);
  g_free (self->sums);
  g_free (self);
}

/* ---- rays ---- */

Vector
scene_lift (const Scene *self, Vector place, Vector normal)
{
  return vector_add_scaled (place, normal, self->lift);
}

static struct RTCRay
make_ray (Vector from, Vector direction, float far)
{
  return (struct RTCRay){ .org_x = (float)from.x,
                          .org_y = (float)from.y,
                          .org_z = (float)from.z,
                          .dir_x = (float)direction.x,
                          .dir_y = (float)direction.y,
                          .dir_z = (float)direction.z,
                          .tfar = far,
                          .mask = G_MAXUINT32 };
}

/* Interpolates between the three corners of a triangle. @values: the array of the scene, with three
 * numbers for each vertex */
static Vector
interpolate (const float *values, const gint32 *corners, double u, double v)
{
  Vector sum = vector (0, 0, 0);
  const double weights[] = { 1 - u - v, u, v };
  for (guint i = 0; i < 3; i++)
    {
      const float *value = values + 3 * (gsize)corners[i];
      sum = vector_add_scaled (sum, vector (value[0], value[1], value[2]), weights[i]);
    }
  return sum;
}

/* Returns: @normal with the length 1, on the side of @flat; @flat if it has no direction, or is not
 * to be seen from where the ray came */
static Vector
bend (Vector normal, Vector flat, Vector direction)
{
  double length = vector_length (normal);
  if (!(length > 1e-6))
    return flat;
  normal = vector_scale (normal, (vector_dot (normal, flat) < 0 ? -1 : 1) / length);
  return vector_dot (normal, direction) < 0 ? normal : flat;
}

static gboolean
describe (const Scene *self, const struct RTCRayHit *met, Vector direction, Hit *ret_hit)
{
  const SceneData *data = &self->data;
  const gint32 *corners = data->corners + 3 * (gsize)met->hit.primID;
  double u = (double)met->hit.u, v = (double)met->hit.v;
  Vector flat = scene_triangle_normal (data, corners);
  double length = vector_length (flat);
  if (!(length > 0))
    return FALSE;
  flat = vector_scale (flat, (vector_dot (flat, direction) > 0 ? -1 : 1) / length);
  Vector normal = interpolate (data->normals, corners, u, v);
  const float *a = data->texture_places + 2 * (gsize)corners[0];
  const float *b = data->texture_places + 2 * (gsize)corners[1];
  const float *c = data->texture_places + 2 * (gsize)corners[2];
  *ret_hit = (Hit){ .place = interpolate (data->places, corners, u, v),
                    .flat = flat,
                    .normal = bend (normal, flat, direction),
                    .u = (double)a[0] * (1 - u - v) + (double)b[0] * u + (double)c[0] * v,
                    .v = (double)a[1] * (1 - u - v) + (double)b[1] * u + (double)c[1] * v,
                    .material = &data->materials[data->surfaces[met->hit.primID]] };
  return TRUE;
}

gboolean
scene_hit (const Scene *self, Vector from, Vector direction, Hit *ret_hit)
{
  struct RTCIntersectContext context;
  struct RTCRayHit met = { .ray = make_ray (from, direction, INFINITY) };
  met.hit.geomID = met.hit.primID = RTC_INVALID_GEOMETRY_ID;
  rtcInitIntersectContext (&context);
  rtcIntersect1 (self->tree, &context, &met);
  return met.hit.geomID != RTC_INVALID_GEOMETRY_ID && describe (self, &met, direction, ret_hit);
}

gboolean
scene_is_open (const Scene *self, Vector from, Vector to)
{
  struct RTCIntersectContext context;
  struct RTCRay ray = make_ray (from, vector_subtract (to, from), 1);
  rtcInitIntersectContext (&context);
  rtcOccluded1 (self->tree, &context, &ray);
  return ray.tfar >= 0;
}

/* ---- what the scene is like ---- */

void
scene_get_ball (const Scene *self, Vector *ret_middle, double *ret_radius)
{
  *ret_middle = vector_scale (vector_add (self->low, self->high), 0.5);
  *ret_radius = vector_length (vector_subtract (self->high, self->low)) / 2;
}

const Camera *
scene_get_camera (const Scene *self)
{
  return &self->data.camera;
}

gsize
scene_get_n_triangles (const Scene *self)
{
  return self->data.n_surfaces;
}
