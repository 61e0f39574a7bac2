/* tree.c - a synthetic search tree: a given amount of work, in jobs of a known size
 *
 * In the shape "halves" every node of the tree divides its work among two children, unevenly, by
 * its own random number. A node whose work is no larger than the grain (--grain) is a leaf. The
 * other shapes (shape.h) imitate the jobs of real programs.
 *
 * In a simulation, a leaf takes its time in virtual time. In a real run, it computes for its time
 * with --spin, sleeps for its time with --sleep, and else takes no time. The program counts the
 * leaves, and checks their number.
 *
 * With --best each leaf has a value, and the program searches for the best value. As soon as a leaf
 * has reached the limit that --best gives, the rest is aborted. With --shared the best value so far
 * is a shared object: nothing is aborted, but leaves that cannot reach that value are skipped.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>
#include <satin/core.h>
#include <satin/so.h>

#include "../common/arguments.h"
#include "tree-options.h"

/* The longest time of a leaf of a shape, 30 years. */
#define LEAF_MAX_NS 1e18

/* Returns: the first child's part of @work_ns: a random share between (100 - @skew) / 2 and (100 +
 * @skew) / 2 per cent */
static gint64
divide (gint64 work_ns, gint64 number, int skew)
{
  double percent = 50 + skew * (satin_random_share (satin_random_mix ((guint64)number)) - 0.5);
  return CLAMP ((gint64)((double)work_ns * percent / 100), 1, work_ns - 1);
}

static gint64
child_number (gint64 number, int which)
{
  return (gint64)satin_random_mix ((guint64)number * 2 + (guint64)which + 1);
}

static void
take_time (gint64 work_ns, int pace)
{
  gint64 until_us = g_get_monotonic_time () + work_ns / 1000;
  if (pace == PACE_SLEEP)
    g_usleep ((gulong)(work_ns / 1000));
  while (pace == PACE_SPIN && g_get_monotonic_time () < until_us)
    ;
}

/* Whether the arguments of a job of the shape "halves" are in range. Leaves may be very short, so
 * this is one test; halves_error() says which argument is wrong. */
static inline gboolean
are_halves (gint64 work_ns, gint64 grain_ns, int skew)
{
  return G_LIKELY (work_ns >= 1 && grain_ns >= 1 && skew >= 0 && skew <= MAX_SKEW);
}

static G_GNUC_NO_INLINE GError *
halves_error (gint64 work_ns, gint64 grain_ns, int skew)
{
  GError *error = NULL;
  if (app_argument_check ("work", work_ns, 1, G_MAXINT64, &error)
      && app_argument_check ("grain", grain_ns, 1, G_MAXINT64, &error))
    app_argument_check ("skew", skew, 0, MAX_SKEW, &error);
  return error;
}

/* Counts the leaves below a node. */
SATIN_TASK (tree, (long), (long, work_ns), (long, number), (long, grain_ns), (int, skew),
            (int, pace))
{
  if (!are_halves (work_ns, grain_ns, skew))
    {
      satin_fail (halves_error (work_ns, grain_ns, skew));
      return 0;
    }
  if (work_ns <= grain_ns)
    {
      satin_charge (work_ns);
      take_time (work_ns, pace);
      return 1;
    }
  gint64 a, b;
  gint64 first_ns = divide (work_ns, number, skew);
  SATIN_SPAWN (&a, tree, first_ns, child_number (number, 0), grain_ns, skew, pace);
  SATIN_SPAWN (&b, tree, work_ns - first_ns, child_number (number, 1), grain_ns, skew, pace);
  SATIN_SYNC_OR_RETURN (0);
  return a + b;
}

static gint64
tree_sequential (gint64 work_ns, gint64 number, gint64 grain_ns, int skew, int pace)
{
  if (work_ns <= grain_ns)
    {
      take_time (work_ns, pace);
      return 1;
    }
  gint64 first_ns = divide (work_ns, number, skew);
  return tree_sequential (first_ns, child_number (number, 0), grain_ns, skew, pace)
         + tree_sequential (work_ns - first_ns, child_number (number, 1), grain_ns, skew, pace);
}

/* ---- the best leaf ---- */

/* The estimate of a leaf is the leaf's value or more, but less than the value plus this. A program
 * can compute the estimate without the work of the leaf. */
#define ESTIMATE_ABOVE 200000

static gint64
leaf_value (gint64 number, gint64 limit)
{
  gint64 value = (gint64)(satin_random_mix ((guint64)number ^ 0x5a5a) % (VALUE_MAX + 1));
  return MIN (value, limit);
}

/* The state of one best_leaf(): the best value so far, and the value that ends the search. */
typedef struct
{
  gint64 best, limit;
} Search;

SATIN_INLET (note_best, (Search, search), (gint64, value), error)
{
  if (value != NULL)
    search->best = MAX (search->best, *value);
  if (search->best >= search->limit)
    SATIN_ABORT_OTHERS ();
}

/* Returns: the best value of the leaves below this node of the tree, but at most @limit */
SATIN_TASK (best_leaf, (long), (long, work_ns), (long, number), (long, grain_ns), (int, skew),
            (long, limit), (int, pace))
{
  if (!are_halves (work_ns, grain_ns, skew))
    {
      satin_fail (halves_error (work_ns, grain_ns, skew));
      return 0;
    }
  if (work_ns <= grain_ns)
    {
      satin_charge (work_ns);
      take_time (work_ns, pace);
      return leaf_value (number, limit);
    }
  gint64 a, b;
  gint64 first_ns = divide (work_ns, number, skew);
  Search search = { .limit = limit };
  SATIN_SPAWN_INLET (&a, note_best, &search, best_leaf, first_ns, child_number (number, 0),
                     grain_ns, skew, limit, pace);
  SATIN_SPAWN_INLET (&b, note_best, &search, best_leaf, work_ns - first_ns,
                     child_number (number, 1), grain_ns, skew, limit, pace);
  return SATIN_SYNC () ? search.best : 0;
}

static gint64
best_sequential (gint64 work_ns, gint64 number, gint64 grain_ns, int skew, gint64 limit)
{
  if (work_ns <= grain_ns)
    return leaf_value (number, limit);
  gint64 first_ns = divide (work_ns, number, skew);
  gint64 best = best_sequential (first_ns, child_number (number, 0), grain_ns, skew, limit);
  if (best >= limit)
    return best;
  return MAX (
      best, best_sequential (work_ns - first_ns, child_number (number, 1), grain_ns, skew, limit));
}

/* ---- the best leaf, with a shared object ---- */

/* Returns: an upper bound of a leaf's value, which is known before the work of the leaf is done */
static gint64
leaf_estimate (gint64 number, gint64 limit)
{
  return leaf_value (number, limit)
         + (gint64)(satin_random_mix ((guint64)number ^ 0xa5a5) % ESTIMATE_ABOVE);
}

/* Like best_leaf(), but skips a leaf whose estimate is below the best value so far. A leaf that can
 * only equal that value is searched: the result that had the value may have been lost with its
 * node. @known: with --guarded the best value that the spawner knew, else -1 */
SATIN_TASK (shared_leaf, (long), (object, best), (long, known), (long, work_ns), (long, number),
            (long, grain_ns), (int, skew), (long, limit), (int, pace))
{
  if (SATIN_READ (satin_maximum, best) == NULL || !are_halves (work_ns, grain_ns, skew))
    {
      GError *error = halves_error (work_ns, grain_ns, skew);
      if (error == NULL)
        app_argument_refuse ("the best value is not here", &error);
      satin_fail (error);
      return 0;
    }
  if (work_ns <= grain_ns)
    {
      gint64 value = leaf_value (number, limit);
      gint64 witness = GINT64_TO_BE (number);
      if (leaf_estimate (number, limit) < SATIN_READ (satin_maximum, best)->value)
        return 0;
      satin_charge (work_ns);
      take_time (work_ns, pace);
      SATIN_UPDATE (best, satin_maximum, improve, value, (const guint8 *)&witness, sizeof witness);
      return value;
    }
  gint64 a, b;
  gint64 first_ns = divide (work_ns, number, skew);
  if (known >= 0)
    known = SATIN_READ (satin_maximum, best)->value;
  SATIN_SPAWN (&a, shared_leaf, best, known, first_ns, child_number (number, 0), grain_ns, skew,
               limit, pace);
  SATIN_SPAWN (&b, shared_leaf, best, known, work_ns - first_ns, child_number (number, 1), grain_ns,
               skew, limit, pace);
  return SATIN_SYNC () ? MAX (a, b) : 0;
}

/* With --guarded, a job from another node begins here only when this node knows a best value of
 * @known or more. A job without its object may begin, too: it fails then. */
SATIN_GUARD (shared_leaf, (object, best), (long, known), (long, work_ns), (long, number),
             (long, grain_ns), (int, skew), (long, limit), (int, pace))
{
  const satin_maximum_state *state = SATIN_LOOK (satin_maximum, best);
  return state == NULL || state->value >= known;
}

/* ---- the other shapes ---- */

static double
leaf_ns (const Tree *tree, const Piece *leaf, double weight_ns)
{
  return tree->shape->weigh (tree, leaf) * weight_ns;
}

/* Counts the leaves below a piece. */
SATIN_TASK (shape_tree, (long), (int, shape), (int, size), (long, seed), (int, level), (int, x),
            (int, y), (long, number), (double, slack), (double, weight_ns), (int, pace))
{
  const Piece piece = { level, x, y, number, slack };
  GError *error = NULL;
  if (!shape_check (shape, size, &piece, &error))
    {
      satin_fail (error);
      return 0;
    }
  const Tree tree = { shapes[shape], size, seed };
  Piece children[SHAPE_MAX_CHILDREN];
  gint64 counts[SHAPE_MAX_CHILDREN];
  guint n_children = tree.shape->divide (&tree, &piece, children);
  if (n_children == 0)
    {
      double work_ns = leaf_ns (&tree, &piece, weight_ns);
      if (work_ns >= 0 && work_ns <= LEAF_MAX_NS)
        {
          satin_charge ((gint64)work_ns);
          take_time ((gint64)work_ns, pace);
          return 1;
        }
      app_argument_refuse ("a leaf cannot take that long", &error);
      satin_fail (error);
      return 0;
    }
  for (guint i = 0; i < n_children; i++)
    SATIN_SPAWN (&counts[i], shape_tree, shape, size, seed, children[i].level, children[i].x,
                 children[i].y, children[i].number, children[i].slack, weight_ns, pace);
  SATIN_SYNC_OR_RETURN (0);
  gint64 total = 0;
  for (guint i = 0; i < n_children; i++)
    total += counts[i];
  return total;
}

static gint64
shape_sequential (const Tree *tree, const Piece *piece, double weight_ns, int pace)
{
  Piece children[SHAPE_MAX_CHILDREN];
  guint n_children = tree->shape->divide (tree, piece, children);
  gint64 total = 0;
  if (n_children == 0)
    {
      take_time ((gint64)leaf_ns (tree, piece, weight_ns), pace);
      return 1;
    }
  for (guint i = 0; i < n_children; i++)
    total += shape_sequential (tree, &children[i], weight_ns, pace);
  return total;
}

/* ---- the run ---- */

/* Compares what the run found with what it should find: the number of leaves, or with --best the
 * best value. This reveals leaves that were lost or counted twice. */
static gboolean
check (gint64 n_leaves, gint64 n_expected, GError **error)
{
  if (n_leaves == n_expected)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
               "the tree has %" G_GINT64_FORMAT ", but the run found %" G_GINT64_FORMAT, n_expected,
               n_leaves);
  return FALSE;
}

static void
tell (const TreeOptions *options, gint64 n_leaves, gint64 time_us)
{
  if (options->limit > 0)
    g_print ("tree: best %" G_GINT64_FORMAT "\n", n_leaves);
  else
    g_print ("tree: %" G_GINT64_FORMAT " leaves\n", n_leaves);
  if (options->common.is_timed)
    app_print_time ("tree", time_us, 0, 0);
}

/* One of the --iterations trees of a run. */
typedef struct
{
  gint64 seed;
  Tree tree; /* tree.shape is %NULL for the shape "halves" */
  Piece root;
  double weight_ns;
  gint64 n_leaves; /* what the run should find; with --best: the best value */
} Iteration;

static Iteration
make_iteration (const TreeOptions *options, int number)
{
  Iteration self = { .seed = options->seed + number, .tree = options->tree };
  if (options->limit > 0)
    {
      self.n_leaves = best_sequential (options->work_ns, self.seed, options->grain_ns,
                                       options->skew, options->limit);
      return self;
    }
  if (self.tree.shape == NULL)
    {
      self.n_leaves =
          tree_sequential (options->work_ns, self.seed, options->grain_ns, options->skew, FALSE);
      return self;
    }
  self.tree.seed = self.seed;
  TreeSum sum = shape_sum (&self.tree);
  self.tree.shape->begin (&self.tree, &self.root);
  self.weight_ns = (double)options->work_ns / sum.weight;
  self.n_leaves = sum.n_leaves;
  return self;
}

static gint64
count_sequential (const TreeOptions *options, const Iteration *iteration)
{
  if (iteration->tree.shape != NULL)
    return shape_sequential (&iteration->tree, &iteration->root, iteration->weight_ns,
                             options->pace);
  if (options->limit > 0)
    return iteration->n_leaves;
  return tree_sequential (options->work_ns, iteration->seed, options->grain_ns, options->skew,
                          options->pace);
}

SATIN_TASK (tree_main, (int), (array_string, argv))
{
  TreeOptions options = { 0 };
  GError *error = NULL;
  if (!tree_options_read (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;
  gint64 n_leaves = 0, n_expected = 0, time_us = 0;
  for (int i = 0; i < options.n_iterations; i++)
    {
      const Iteration now = make_iteration (&options, i);
      const Piece *root = &now.root;
      g_autofree char *name = g_strdup_printf ("best of tree %" G_GINT64_FORMAT, now.seed);
      SatinObject best = options.is_shared ? SATIN_NEW (satin_maximum, name, 0, NULL, 0) : 0;
      gint64 n = 0;
      gint64 started_us = g_get_monotonic_time ();
      if (options.common.is_sequential)
        n = count_sequential (&options, &now);
      else if (options.is_shared)
        SATIN_SPAWN (&n, shared_leaf, best, options.is_guarded ? 0 : -1, options.work_ns, now.seed,
                     options.grain_ns, options.skew, options.limit, options.pace);
      else if (options.limit > 0)
        SATIN_SPAWN (&n, best_leaf, options.work_ns, now.seed, options.grain_ns, options.skew,
                     options.limit, options.pace);
      else if (now.tree.shape != NULL)
        SATIN_SPAWN (&n, shape_tree, shape_get_number (now.tree.shape), now.tree.size, now.seed,
                     root->level, root->x, root->y, root->number, root->slack, now.weight_ns,
                     options.pace);
      else
        SATIN_SPAWN (&n, tree, options.work_ns, now.seed, options.grain_ns, options.skew,
                     options.pace);
      SATIN_SYNC_OR_RETURN (0);
      time_us += g_get_monotonic_time () - started_us;
      n_leaves += n;
      n_expected += now.n_leaves;
    }
  if (check (n_leaves, n_expected, &error))
    tell (&options, n_leaves, time_us);
  else
    satin_fail (error);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, tree_main);
}
