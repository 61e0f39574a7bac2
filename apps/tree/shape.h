/* shape.h - how a tree divides: jobs like those of a real program, without its work
 *
 * A shape says into which pieces a piece of the work divides. For a leaf, which is a piece that
 * does not divide, it says how long the leaf takes, relative to other leaves. Everything follows
 * from the size and the seed. A whole tree is small enough to be walked, so the program knows
 * beforehand how many leaves there are and how long all of them take together.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The most children of one piece. */
#define SHAPE_MAX_CHILDREN 24

/* A part of the work. Each shape gives x, y, number and slack its own meaning. */
typedef struct
{
  gint32 level; /* depth in the tree; 0 for the root */
  gint32 x, y;
  gint64 number;
  double slack;
} Piece;

typedef struct _Shape Shape;

/* A tree of one shape and size. */
typedef struct
{
  const Shape *shape; /* (borrowed) */
  int size;
  gint64 seed;
} Tree;

/**
 * Shape:
 * @name: the name as the user writes it
 * @what: what the size of a tree counts, for messages: "CITIES"
 * @min: smallest size
 * @max: largest size
 * @begin: fills in the root piece; all of *@ret_root is zero before
 * @divide: fills in the pieces that @piece divides into. Returns: their number; 0 for a leaf
 * @weigh: how long a leaf takes, 0 or more, relative to the other leaves
 * @is_piece: whether @piece may be in a tree of that size. If not, the other functions may not get
 *   it: they could leave their arrays, or never end. Cost: O(1)
 */
struct _Shape
{
  const char *name;
  const char *what;
  int min, max;
  void (*begin) (const Tree *tree, Piece *ret_root);
  guint (*divide) (const Tree *tree, const Piece *piece, Piece *ret_children);
  double (*weigh) (const Tree *tree, const Piece *leaf);
  gboolean (*is_piece) (const Tree *tree, const Piece *piece);
};

/* All shapes. Jobs name a shape by its index in this array. */
#define SHAPE_N 4
extern const Shape *const shapes[SHAPE_N];

/**
 * shape_read:
 * @text: name and size of a shape: "knapsack:28"
 * @ret_tree: (out): a tree with seed 0; untouched on failure
 * @error: %SATIN_ERROR_INVALID, with a message that lists the shapes and sizes
 *
 * Returns: %TRUE on success
 */
gboolean shape_read (const char *text, Tree *ret_tree, GError **error);

/* Checks what a job gets, which may come from a damaged node. @shape: index in the array shapes;
 * @error: %SATIN_ERROR_JOB, with what is wrong */
gboolean shape_check (gint32 shape, gint32 size, const Piece *piece, GError **error);

/* Returns: the index of @shape in the array shapes */
gint32 shape_get_number (const Shape *shape);

/* The totals of a tree. */
typedef struct
{
  gint64 n_leaves;
  double weight; /* the sum of weigh() over all leaves */
} TreeSum;

/* Walks the whole tree and adds up its leaves. Cost: 0.3 s for the largest tree. */
TreeSum shape_sum (const Tree *tree);

/* In this order: N queens, row by row; a picture, in quarters; a tour, city by city; a knapsack,
 * item by item. */
extern const Shape queens_shape;
extern const Shape raytracer_shape;
extern const Shape tsp_shape;
extern const Shape knapsack_shape;

G_END_DECLS
