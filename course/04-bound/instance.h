/* instance.h - a hidden instance, and what a program has done with it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "remote.h"

/**
 * Instance:
 * @number: what tour_expand() makes the distances of
 * @optimum: the length of the shortest tour
 * @limit: the program has to find out whether there is a tour of at most this length; -1: it has
 *   to find the shortest tour
 * @n_plain: how many partial tours plain.c expands
 * @n_expanded: how many partial tours the program has expanded
 * @n_after: how many of them it has expanded after its first tour of at most @limit; -1: it has
 *   found no such tour
 * @expanded: (owned): the keys of the partial tours that the program has expanded
 */
typedef struct
{
  int number;
  gint64 optimum, limit, n_plain;
  gint64 n_expanded, n_after;
  GHashTable *expanded;
} Instance;

typedef enum
{
  INSTANCE_OPTIMUM,
  INSTANCE_YES,
  INSTANCE_NO,
} InstanceKind;

/* Chooses an instance of this kind that is neither too easy nor too long. */
void instance_choose (Instance *self, int seed, InstanceKind kind);

/* Whether @cities are the first cities of a tour, and not all of them. */
gboolean instance_is_partial (const gint32 *cities, guint n);

/* Expands a partial tour for the program. Returns: how many children there are */
guint instance_expand (Instance *self, const gint32 *cities, guint n, Child *ret_children);

/* Returns: how many partial tours might begin a better tour, and were not expanded by the program.
 * Its answer that there is no better tour is proved only if there are none. 0 if the answer is yes:
 * a tour of at most @limit needs no proof. */
gint64 instance_count_missing (const Instance *self);
