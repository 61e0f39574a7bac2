/* factors.h - the prime factors of a number, found by dividing by one candidate after the other
 *
 * A number gives away its factors from the smallest on. What is left, its *rest*, is prime
 * as soon as nothing up to its square root divides it.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* No number up to G_MAXINT64 has more prime factors. */
#define PRIMEFACTORS_MAX 62

/* @primes: (owned): the prime factors of a number in ascending order, each as often as it divides
 * it */
SATIN_RECORD (PrimeFactors, (array_long, primes))

/* @n_primes: how many of the numbers are prime; @n_factors: how many prime factors all have
 * together */
SATIN_RECORD (PrimeTally, (long, n_primes), (long, n_factors))

/**
 * Factoring:
 * @rest: of the number, without the factors below @next
 * @next: the smallest candidate that was not tried yet
 * @primes: (array length=n_primes): the factors that were found
 */
typedef struct
{
  gint64 rest;
  gint64 next;
  gint64 primes[PRIMEFACTORS_MAX];
  guint n_primes;
} Factoring;

/* @number: 1 or more */
void factoring_init (Factoring *self, gint64 number);

/* Returns: the first candidate that is not to be tried any more: the rest has none from there on,
 * unless it is prime */
gint64 factoring_end (const Factoring *self);

/* @prime: the smallest factor of the rest. */
void factoring_note (Factoring *self, gint64 prime);

/* Tries all candidates that are left. */
void factoring_run (Factoring *self);

/* No candidate divides the rest. Returns: (transfer full): all factors */
PrimeFactors factoring_finish (Factoring *self);

/**
 * primefactors_smallest:
 * @number: 1 or more, without a factor from 2 to @from - 1
 * @from: the first candidate, 2 or more
 * @to: where to end; its square is at most 2^63
 *
 * Returns: the smallest prime factor from @from to @to - 1; 0 when there is none
 */
gint64 primefactors_smallest (gint64 number, gint64 from, gint64 to);

/* The largest number whose square is not above @number, which is 0 or more. */
gint64 primefactors_root (gint64 number);

/* Adds what the numbers from @from to @to, 1 or more, have. */
void primefactors_tally (gint64 from, gint64 to, PrimeTally *tally);

/* Adds what a number has that has these @n_factors factors. */
void primefactors_count (PrimeTally *tally, gsize n_factors);

/* Returns: (transfer full): "360 = 2^3 * 3^2 * 5"; %NULL when @factors are not those of @number */
char *primefactors_to_text (gint64 number, const PrimeFactors *factors);

G_END_DECLS
