/* trace.c - walks a ray through the tree of boxes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "trace.h"

/* The state of a walk through the tree: the nodes that it has not visited yet. */
typedef struct
{
  const BvhNode *nodes;
  guint n;
  guint32 waiting[BVH_MAX_DEPTH];
} Walk;

/* Whether the ray is inside the box at any distance between @low and @high. */
static inline gboolean
meets (const Box *box, const Ray *ray, double low, double high)
{
  double x1 = (box->low.x - ray->origin.x) * ray->inverse.x;
  double x2 = (box->high.x - ray->origin.x) * ray->inverse.x;
  double y1 = (box->low.y - ray->origin.y) * ray->inverse.y;
  double y2 = (box->high.y - ray->origin.y) * ray->inverse.y;
  double z1 = (box->low.z - ray->origin.z) * ray->inverse.z;
  double z2 = (box->high.z - ray->origin.z) * ray->inverse.z;

  low = MAX (low, MIN (x1, x2));
  high = MIN (high, MAX (x1, x2));
  low = MAX (low, MIN (y1, y2));
  high = MIN (high, MAX (y1, y2));
  low = MAX (low, MIN (z1, z2));
  high = MIN (high, MAX (z1, z2));
  return low <= high;
}

static void
walk_init (Walk *self, const Scene *scene)
{
  self->nodes = (const BvhNode *)(gpointer)scene->nodes->data;
  self->waiting[0] = 0;
  self->n = scene->nodes->len == 0 ? 0 : 1;
}

/* Returns: (nullable): the next leaf whose box the ray meets; nearer leaves mostly come first */
static const BvhNode *
walk_next (Walk *self, const Ray *ray, double low, double high)
{
  while (self->n > 0)
    {
      guint32 at = self->waiting[--self->n];
      const BvhNode *node = &self->nodes[at];

      if (!meets (&node->box, ray, low, high))
        continue;
      if (node->n_primitives > 0)
        return node;
      if (vector_get (ray->direction, node->axis) < 0)
        {
          self->waiting[self->n++] = at + 1;
          self->waiting[self->n++] = node->first;
        }
      else
        {
          self->waiting[self->n++] = node->first;
          self->waiting[self->n++] = at + 1;
        }
    }
  return NULL;
}

gboolean
trace_nearest (const Scene *scene, const Ray *ray, double low, Hit *ret_hit)
{
  Hit hit = { NULL, INFINITY };
  const BvhNode *leaf;
  Walk walk;

  walk_init (&walk, scene);
  while ((leaf = walk_next (&walk, ray, low, hit.distance)) != NULL)
    for (guint i = 0; i < leaf->n_primitives; i++)
      {
        const Primitive *primitive = &g_array_index (scene->primitives, Primitive, leaf->first + i);

        if (primitive_hit (primitive, ray, low, hit.distance, &hit.distance))
          hit.primitive = primitive;
      }
  if (hit.primitive == NULL)
    return FALSE;
  *ret_hit = hit;
  return TRUE;
}

double
trace_transmittance (const Scene *scene, const Ray *ray, double low, double high)
{
  double light = 1;
  const BvhNode *leaf;
  Walk walk;

  walk_init (&walk, scene);
  while ((leaf = walk_next (&walk, ray, low, high)) != NULL)
    for (guint i = 0; i < leaf->n_primitives; i++)
      {
        const Primitive *primitive = &g_array_index (scene->primitives, Primitive, leaf->first + i);
        const Surface *surface = &g_array_index (scene->surfaces, Surface, primitive->surface);
        double from = low;

        /* A ray may meet the same sphere or cone twice. */
        while (primitive_hit (primitive, ray, from, high, &from))
          {
            light *= surface->transmittance;
            if (light == 0)
              return 0;
          }
      }
  return light;
}
