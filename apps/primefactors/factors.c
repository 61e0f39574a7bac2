/* factors.c - finds prime factors by trial division; skips multiples of 2, 3 and 5
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "factors.h"

#include <math.h>

/* A number that is not a multiple of 2, 3 or 5 is a multiple of TURN plus one of the spokes. */
#define TURN 30
static const guint8 spokes[] = { 1, 7, 11, 13, 17, 19, 23, 29 };
static const guint8 small_primes[] = { 2, 3, 5 };

gint64
primefactors_root (gint64 number)
{
  gint64 root = (gint64)sqrt ((double)number);
  /* sqrt() works on the nearest double, which may be larger than @number. */
  while ((guint64)root * (guint64)root > (guint64)number)
    root--;
  while ((guint64)(root + 1) * (guint64)(root + 1) <= (guint64)number)
    root++;
  return root;
}

gint64
primefactors_smallest (gint64 number, gint64 from, gint64 to)
{
  for (gsize i = 0; i < G_N_ELEMENTS (small_primes); i++)
    if (small_primes[i] >= from && small_primes[i] < to && number % small_primes[i] == 0)
      return small_primes[i];
  /* Begin at spoke 7, because 1 is not a candidate. */
  from = MAX (from, spokes[1]);
  for (guint64 turn = (guint64)(from / TURN) * TURN; turn < (guint64)to; turn += TURN)
    for (gsize i = 0; i < G_N_ELEMENTS (spokes); i++)
      {
        guint64 candidate = turn + spokes[i];
        if ((guint64)number % candidate == 0 && candidate >= (guint64)from)
          return candidate < (guint64)to ? (gint64)candidate : 0;
      }
  return 0;
}

/* ---- one number ---- */

void
factoring_init (Factoring *self, gint64 number)
{
  *self = (Factoring){ .rest = number, .next = 2 };
}

gint64
factoring_end (const Factoring *self)
{
  return primefactors_root (self->rest) + 1;
}

void
factoring_note (Factoring *self, gint64 prime)
{
  for (; self->rest % prime == 0; self->rest /= prime)
    self->primes[self->n_primes++] = prime;
  self->next = prime + 1;
}

void
factoring_run (Factoring *self)
{
  gint64 prime;
  while ((prime = primefactors_smallest (self->rest, self->next, factoring_end (self))) != 0)
    factoring_note (self, prime);
}

PrimeFactors
factoring_finish (Factoring *self)
{
  if (self->rest > 1)
    factoring_note (self, self->rest);
  return (PrimeFactors){ g_memdup2 (self->primes, self->n_primes * sizeof (gint64)),
                         self->n_primes };
}

char *
primefactors_to_text (gint64 number, const PrimeFactors *factors)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 rest = number;
  g_string_printf (text, "%" G_GINT64_FORMAT " = ", number);
  for (gsize i = 0, next; i < factors->n_primes; i = next)
    {
      gint64 prime = factors->primes[i];
      for (next = i; next < factors->n_primes && factors->primes[next] == prime; next++)
        {
          if (prime < 2 || rest % prime != 0)
            return NULL;
          rest /= prime;
        }
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? " * " : "", prime);
      if (next > i + 1)
        g_string_append_printf (text, "^%" G_GSIZE_FORMAT, next - i);
    }
  if (rest != 1)
    return NULL;
  if (number == 1)
    g_string_append_c (text, '1');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- many numbers ---- */

void
primefactors_count (PrimeTally *tally, gsize n_factors)
{
  tally->n_primes += n_factors == 1;
  tally->n_factors += (gint64)n_factors;
}

void
primefactors_tally (gint64 from, gint64 to, PrimeTally *tally)
{
  for (gint64 number = from; number <= to; number++)
    {
      Factoring factoring;
      factoring_init (&factoring, number);
      factoring_run (&factoring);
      primefactors_count (tally, factoring.n_primes + (factoring.rest > 1));
      if (number == G_MAXINT64)
        return;
    }
}
