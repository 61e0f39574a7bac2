/* shape.h - how a tree divides: jobs like those of a real program, without its work
 *
 * A shape says into what pieces a piece of the work divides, and what one that does not divide any
 * more takes, relative to the others. All of it follows from the size and the seed. The tree of all
 * pieces is small enough to be walked, so what each leaf takes in the end, and how many there are,
 * is known before.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of one piece. */
#define SHAPE_MAX_CHILDREN 24

/* A part of the work. What the numbers are is the shape's own. */
typedef struct
{
  gint32 level; /* 0 of all of it */
  gint32 x, y;
  gint64 number;
  double slack;
} Piece;

typedef struct _Shape Shape;

/* A shape of one size. */
typedef struct
{
  const Shape *shape; /* (borrowed) */
  int size;
  gint64 seed;
} Tree;

/**
 * Shape:
 * @name: as the user writes it
 * @what: what its size is, "CITIES"
 * @min: smallest size
 * @max: largest size
 * @begin: fills in all of the work; *@ret_root is zero
 * @divide: fills in what @piece divides into. Returns: how many; 0 when it is a leaf
 * @weigh: what a leaf takes, 0 or more, in a unit of the shape's own
 */
struct _Shape
{
  const char *name;
  const char *what;
  int min, max;
  void (*begin) (const Tree *tree, Piece *ret_root);
  guint (*divide) (const Tree *tree, const Piece *piece, Piece *ret_children);
  double (*weigh) (const Tree *tree, const Piece *leaf);
};

/* By the number that jobs call them by. */
#define SHAPE_N 4
extern const Shape *const shapes[SHAPE_N];

/**
 * shape_read:
 * @text: "knapsack:28"
 * @ret_tree: (out): its seed is 0; untouched on failure
 * @error: %SATIN_ERROR_INVALID with what can be given
 *
 * Returns: %TRUE on success
 */
gboolean shape_read (const char *text, Tree *ret_tree, GError **error);

/* The number of @shape. */
gint32 shape_get_number (const Shape *shape);

/* What there is in a tree. */
typedef struct
{
  gint64 n_leaves;
  double weight; /* of all leaves */
} TreeSum;

/* Walks all of the tree. Cost: 0.3 s for the largest. */
TreeSum shape_sum (const Tree *tree);

/* Rows of N queens; quarters of a picture; tours of cities; things to carry. */
extern const Shape queens_shape;
extern const Shape raytracer_shape;
extern const Shape tsp_shape;
extern const Shape knapsack_shape;

G_END_DECLS
