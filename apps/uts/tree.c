/* tree.c - the trees of the Unbalanced Tree Search benchmark
 *
 * The floating-point expressions are written as in the benchmark. Another order of operations would
 * round differently and make another tree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree.h"

#include <math.h>
/* Without this, OpenSSL 3 marks SHA1_Init() as deprecated, because it is of an older API. With the
 * newer API, making a context would cost more than the hash itself. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>

#define N_WORDS 5

/* clang-format off */
static const struct
{
  const char *name;
  UtsTree tree;
} samples[] = {
  /*         type           shape      depth branching seed prob.     m  shift gran. */
  { NULL,    { UTS_GEOMETRIC, UTS_LINEAR, 6,  4,    0,   0.234375,     4, 0.5, 1 } },
  { "T1",    { UTS_GEOMETRIC, UTS_FIXED,  10, 4,    19,  0.234375,     4, 0.5, 1 } },
  { "T2",    { UTS_GEOMETRIC, UTS_CYCLIC, 16, 6,    502, 0.234375,     4, 0.5, 1 } },
  { "T3",    { UTS_BINOMIAL,  UTS_LINEAR, 6,  2000, 42,  0.124875,     8, 0.5, 1 } },
  { "T4",    { UTS_HYBRID,    UTS_LINEAR, 16, 6,    1,   0.234375,     4, 0.5, 1 } },
  { "T5",    { UTS_GEOMETRIC, UTS_LINEAR, 20, 4,    34,  0.234375,     4, 0.5, 1 } },
  { "T1L",   { UTS_GEOMETRIC, UTS_FIXED,  13, 4,    29,  0.234375,     4, 0.5, 1 } },
  { "T2L",   { UTS_GEOMETRIC, UTS_CYCLIC, 23, 7,    220, 0.234375,     4, 0.5, 1 } },
  { "T3L",   { UTS_BINOMIAL,  UTS_LINEAR, 6,  2000, 7,   0.200014,     5, 0.5, 1 } },
  { "T1XL",  { UTS_GEOMETRIC, UTS_FIXED,  15, 4,    29,  0.234375,     4, 0.5, 1 } },
  { "T1XXL", { UTS_GEOMETRIC, UTS_FIXED,  15, 4,    19,  0.234375,     4, 0.5, 1 } },
  { "T3XXL", { UTS_BINOMIAL,  UTS_LINEAR, 6,  2000, 316, 0.499995,     2, 0.5, 1 } },
  { "T2XXL", { UTS_BINOMIAL,  UTS_LINEAR, 6,  2000, 0,   0.499999995,  2, 0.5, 1 } },
  { "T1WL",  { UTS_GEOMETRIC, UTS_FIXED,  18, 4,    19,  0.234375,     4, 0.5, 1 } },
  { "T2WL",  { UTS_BINOMIAL,  UTS_LINEAR, 6,  2000, 559, 0.4999999995, 2, 0.5, 1 } },
  { "T3WL",  { UTS_BINOMIAL,  UTS_LINEAR, 6,  2000, 559, 0.4999995,    2, 0.5, 1 } },
};
/* clang-format on */

gboolean
uts_tree_init (const char *name, UtsTree *ret_tree, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    if (g_strcmp0 (name, samples[i].name) == 0)
      {
        *ret_tree = samples[i].tree;
        return TRUE;
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "no sample tree is called '%s': --help lists them", name);
  return FALSE;
}

gboolean
uts_tree_can_be_drawn (const UtsTree *tree)
{
  return tree->type == UTS_GEOMETRIC && tree->shape == UTS_FIXED && tree->branching > 0
         && tree->branching <= UTS_MAX_CHILDREN;
}

gboolean
uts_tree_check (const UtsTree *tree, GError **error)
{
  const struct
  {
    const char *name;
    double value, min, max;
  } ranges[] = {
    { "--type", tree->type, UTS_BINOMIAL, UTS_BALANCED },
    { "--shape", tree->shape, UTS_LINEAR, UTS_FIXED },
    { "--depth", tree->max_depth, 1, G_MAXINT32 / 8 },
    { "--branching", tree->branching, 0, UTS_MAX_BRANCHING },
    { "--probability", tree->probability, 0, 1 },
    { "--children", tree->n_children, 0, UTS_MAX_CHILDREN },
    { "--shift", tree->shift, 0, 1 },
    { "--granularity", tree->granularity, 1, G_MAXINT32 },
    { "--node-ns", tree->node_ns, 0, UTS_MAX_NODE_NS },
    { "--drawn-depth", tree->drawn_depth, 0, UTS_MAX_DEPTH },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (!(ranges[i].value >= ranges[i].min && ranges[i].value <= ranges[i].max))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is %g, but must be from %g to %g",
                     ranges[i].name, ranges[i].value, ranges[i].min, ranges[i].max);
        return FALSE;
      }
  if (tree->drawn_depth == 0 || uts_tree_can_be_drawn (tree))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--drawn-depth is for geometric trees of the fixed shape only, such as T1, with a "
               "--branching of at most %d",
               UTS_MAX_CHILDREN);
  return FALSE;
}

/* Sets *@ret_node to the SHA-1 of @words. */
static void
hash (const guint32 *words, guint n_words, UtsNode *ret_node)
{
  guint32 digest[N_WORDS];
  SHA_CTX context;
  SHA1_Init (&context);
  SHA1_Update (&context, words, n_words * sizeof *words);
  SHA1_Final ((guint8 *)digest, &context);
  *ret_node = (UtsNode){ (gint32)GUINT32_FROM_BE (digest[0]), (gint32)GUINT32_FROM_BE (digest[1]),
                         (gint32)GUINT32_FROM_BE (digest[2]), (gint32)GUINT32_FROM_BE (digest[3]),
                         (gint32)GUINT32_FROM_BE (digest[4]) };
}

void
uts_tree_root (const UtsTree *tree, UtsNode *ret_root)
{
  const guint32 words[N_WORDS] = { 0, 0, 0, 0, GUINT32_TO_BE ((guint32)tree->seed) };
  hash (words, N_WORDS, ret_root);
}

void
uts_tree_child (const UtsTree *tree, const UtsNode *node, guint index, UtsNode *ret_child)
{
  const guint32 words[N_WORDS + 1] = {
    GUINT32_TO_BE ((guint32)node->h0), GUINT32_TO_BE ((guint32)node->h1),
    GUINT32_TO_BE ((guint32)node->h2), GUINT32_TO_BE ((guint32)node->h3),
    GUINT32_TO_BE ((guint32)node->h4), GUINT32_TO_BE (index)
  };
  for (gint32 i = 0; i < tree->granularity; i++)
    hash (words, N_WORDS + 1, ret_child);
}

/* Returns: the node's random number, in [0, 1) */
static double
uniform (const UtsNode *node)
{
  return (node->h4 & G_MAXINT32) / 2147483648.0;
}

/* Returns: the expected number of children of a node at @depth */
static double
mean_children (const UtsTree *tree, gint32 depth)
{
  if (depth == 0)
    return tree->branching;
  switch ((UtsShape)tree->shape)
    {
    case UTS_EXPONENTIAL:
      return tree->branching * pow (depth, -log (tree->branching) / log (tree->max_depth));
    case UTS_CYCLIC:
      if (depth > 5 * tree->max_depth)
        return 0;
      return pow (tree->branching, sin (2.0 * G_PI * depth / tree->max_depth));
    case UTS_FIXED:
      return depth < tree->max_depth ? tree->branching : 0;
    case UTS_LINEAR:
      break;
    }
  return tree->branching * (1.0 - (double)depth / tree->max_depth);
}

static guint
binomial_children (const UtsTree *tree, const UtsNode *node)
{
  return uniform (node) < tree->probability ? (guint)tree->n_children : 0;
}

/* Returns: the node's number of children. Its random number is put into the inverse of the
 * geometric distribution that has the mean of @depth */
static guint
geometric_children (const UtsTree *tree, const UtsNode *node, gint32 depth)
{
  double mean = mean_children (tree, depth);
  if (!(mean > 0))
    return 0;
  double p = 1.0 / (1.0 + mean);
  double n = log (1 - uniform (node)) / log (1 - p);
  return n < UTS_MAX_CHILDREN ? (guint)n : UTS_MAX_CHILDREN;
}

guint
uts_tree_n_children (const UtsTree *tree, const UtsNode *node, gint32 depth)
{
  switch ((UtsType)tree->type)
    {
    case UTS_BINOMIAL:
      return depth == 0 ? (guint)tree->branching : binomial_children (tree, node);
    case UTS_HYBRID:
      if (depth >= tree->shift * tree->max_depth)
        return binomial_children (tree, node);
      break;
    case UTS_BALANCED:
      return depth < tree->max_depth ? (guint)tree->branching : 0;
    case UTS_GEOMETRIC:
      break;
    }
  return geometric_children (tree, node, depth);
}

void
uts_tree_search (const UtsTree *tree, const UtsNode *node, gint32 depth, UtsCount *count)
{
  guint n_children = uts_tree_n_children (tree, node, depth);
  count->nodes++;
  count->leaves += n_children == 0;
  count->depth = MAX (count->depth, depth);
  for (guint i = 0; i < n_children; i++)
    {
      UtsNode child;
      uts_tree_child (tree, node, i, &child);
      uts_tree_search (tree, &child, depth + 1, count);
    }
}
