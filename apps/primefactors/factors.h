/* factors.h - finds the prime factors of a number by trial division
 *
 * The factors are found from the smallest on, and the number is divided by each of them. The
 * quotient that is left is the *rest*. The rest is prime if no number from 2 up to its square root
 * divides it.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* The most prime factors of any number up to G_MAXINT64. */
#define PRIMEFACTORS_MAX 62

/* The most that factoring_end() returns: one above the square root of G_MAXINT64. */
#define PRIMEFACTORS_MAX_END G_GINT64_CONSTANT (3037000500)

/* @primes: (owned): the prime factors of a number in ascending order; a factor that divides the
 * number n times is in the list n times */
SATIN_RECORD (PrimeFactors, (array_long, primes))

/* The totals over several numbers. @n_primes: how many of the numbers are prime; @n_factors: how
 * many prime factors they have together */
SATIN_RECORD (PrimeTally, (long, n_primes), (long, n_factors))

/**
 * Factoring:
 * @rest: the number, with all factors below @next divided out
 * @next: the smallest candidate that has not been tried
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

/* Returns: the first candidate that need not be tried: one above the square root of the rest */
gint64 factoring_end (const Factoring *self);

/* Adds @prime to the factors, as often as it divides the rest. @prime: the smallest factor of the
 * rest */
void factoring_note (Factoring *self, gint64 prime);

/* Tries all candidates that are left, by plain division. */
void factoring_run (Factoring *self);

/* Call it when no candidate is left: the rest is then prime, or 1. Returns: (transfer full): all
 * factors */
PrimeFactors factoring_finish (Factoring *self);

/**
 * primefactors_smallest:
 * @number: 1 or more, without a factor from 2 to @from - 1
 * @from: the first candidate, 2 or more
 * @to: the first number that is not tried, at most factoring_end() of a number
 *
 * Returns: the smallest prime factor from @from to @to - 1; 0 when there is none
 */
gint64 primefactors_smallest (gint64 number, gint64 from, gint64 to);

/* Returns: the largest number whose square is at most @number. @number: 0 or more */
gint64 primefactors_root (gint64 number);

/* Factorises the numbers from @from, 1 or more, to @to, and adds their totals to @tally. */
void primefactors_tally (gint64 from, gint64 to, PrimeTally *tally);

/* Adds one number, which has @n_factors prime factors, to @tally. */
void primefactors_count (PrimeTally *tally, gsize n_factors);

/* Returns: (transfer full) (nullable): text such as "360 = 2^3 * 3^2 * 5"; %NULL when the product
 * of @factors is not @number */
char *primefactors_to_text (gint64 number, const PrimeFactors *factors);

G_END_DECLS
