/* test-context.c - tests switching between stacks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world/context.h"

#include <fenv.h>

#define STACK_BYTES ((gsize)64 << 10)

/* The context of a test, and a context that the test enters and that goes back to it. */
typedef struct
{
  Context *here;
  Context *other;
  guint n_rounds;
  guint64 n_sum; /* what the context has found */
} Pair;

static Pair *
pair_new (void (*main) (gpointer data), gsize stack_bytes)
{
  Pair *self = g_new0 (Pair, 1);
  self->here = context_new_here ();
  self->other = context_new (stack_bytes, TRUE, main, self);
  g_assert_nonnull (self->other);
  return self;
}

static void
pair_free (Pair *self)
{
  context_free (self->other);
  context_free (self->here);
  g_free (self);
}

static void
enter (Pair *self)
{
  context_switch (self->here, self->other);
}

static void
go_back (Pair *self)
{
  context_switch (self->other, self->here);
}

static void
count_rounds (gpointer data)
{
  Pair *self = data;
  for (;;)
    {
      self->n_rounds++;
      go_back (self);
    }
}

static void
test_goes_on_where_it_was_left (void)
{
  Pair *pair = pair_new (count_rounds, STACK_BYTES);
  for (guint i = 0; i < 1000; i++)
    enter (pair);
  g_assert_cmpuint (pair->n_rounds, ==, 1000);
  pair_free (pair);
}

/* These values need more registers than a called function preserves. All of them are in use during
 * the switches. */
static guint64 G_GNUC_NO_INLINE
keep_integers (Pair *self, void (*leave) (Pair *self), volatile const guint64 *from)
{
  guint64 a = from[0], b = from[1], c = from[2], d = from[3], e = from[4], f = from[5];
  guint64 g = from[6], h = from[7], i = from[8], j = from[9], k = from[10], l = from[11];
  for (guint n = 0; n < 3; n++)
    {
      leave (self);
      a += 1, b += 2, c += 3, d += 4, e += 5, f += 6;
      g += 7, h += 8, i += 9, j += 10, k += 11, l += 12;
    }
  return a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4 ^ f << 5 ^ g << 6 ^ h << 7 ^ i << 8 ^ j << 9
         ^ k << 10 ^ l << 11;
}

static double G_GNUC_NO_INLINE
keep_doubles (Pair *self, void (*leave) (Pair *self), volatile const double *from)
{
  double a = from[0], b = from[1], c = from[2], d = from[3], e = from[4];
  double f = from[5], g = from[6], h = from[7], i = from[8], j = from[9];
  for (guint n = 0; n < 3; n++)
    {
      leave (self);
      a += 0.5, b *= 2, c += 0.25, d *= 3, e += 1, f *= 5, g += 2, h *= 7, i += 3, j *= 9;
    }
  return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h + 23 * i + 29 * j;
}

static void
stay (Pair *self)
{
}

static const guint64 integers_here[12] = { 1, 20, 300, 4, 50, 600, 7, 80, 900, 10, 11, 12 };
static const guint64 integers_there[12] = { 9, 98, 987, 9876, 5, 54, 543, 3, 32, 321, 2, 1 };
static const double doubles_here[10] = { 1, 1.5, 2.25, 3, 4.5, 5.75, 6, 7.5, 8.25, 9 };
static const double doubles_there[10] = { 10, -1, 20, -2, 30, -3, 40, -4, 50, -5 };

static void
use_all_registers (gpointer data)
{
  Pair *self = data;
  guint64 integer = keep_integers (self, go_back, integers_there);
  self->n_sum = integer == keep_integers (self, stay, integers_there);
  double number = keep_doubles (self, go_back, doubles_there);
  self->n_sum += number == keep_doubles (self, stay, doubles_there);
  go_back (self);
}

static void
test_keeps_registers_here (void)
{
  Pair *pair = pair_new (use_all_registers, STACK_BYTES);
  g_assert_cmpuint (keep_integers (pair, enter, integers_here), ==,
                    keep_integers (pair, stay, integers_here));
  pair_free (pair);
}

static void
test_keeps_floating_point_here (void)
{
  Pair *pair = pair_new (use_all_registers, STACK_BYTES);
  for (guint i = 0; i < 3; i++)
    enter (pair);
  g_assert_cmpfloat (keep_doubles (pair, enter, doubles_here), ==,
                     keep_doubles (pair, stay, doubles_here));
  pair_free (pair);
}

static void
test_keeps_registers_there (void)
{
  Pair *pair = pair_new (use_all_registers, STACK_BYTES);
  keep_integers (pair, enter, integers_here);
  keep_doubles (pair, enter, doubles_here);
  enter (pair);
  g_assert_cmpuint (pair->n_sum, ==, 2);
  pair_free (pair);
}

static void
round_up (gpointer data)
{
  fesetround (FE_UPWARD);
  go_back (data);
  g_assert_cmpint (fegetround (), ==, FE_UPWARD);
  go_back (data);
}

static void
test_rounding_is_of_a_context (void)
{
  Pair *pair = pair_new (round_up, STACK_BYTES);
  enter (pair);
  g_assert_cmpint (fegetround (), ==, FE_TONEAREST);
  enter (pair);
  g_assert_cmpint (fegetround (), ==, FE_TONEAREST);
  pair_free (pair);
}

/* Calls itself @n times, and goes back to the test from the deepest call. Returns: a sum over all
 * frames */
static guint64 G_GNUC_NO_INLINE
descend (Pair *self, guint n)
{
  volatile guint64 frame[32];
  for (guint i = 0; i < G_N_ELEMENTS (frame); i++)
    frame[i] = n;
  if (n == 0)
    go_back (self);
  guint64 below = n > 0 ? descend (self, n - 1) : 0;
  return below + frame[n % G_N_ELEMENTS (frame)];
}

static void
be_deep (gpointer data)
{
  Pair *self = data;
  self->n_sum = descend (self, 10000);
  go_back (self);
}

static void
test_deep_stack_is_kept (void)
{
  Pair *pair = pair_new (be_deep, (gsize)32 << 20);
  enter (pair);
  enter (pair);
  g_assert_cmpuint (pair->n_sum, ==, 10000 * 10001 / 2);
  pair_free (pair);
}

static void
tell_where (gpointer data)
{
  Pair *self = data;
  char *low;
  gsize n_bytes;
  context_get_stack (self->other, &low, &n_bytes);
  /* The sanitizers may place variables elsewhere, but the frame is on the stack. */
  const char *frame = __builtin_frame_address (0);
  self->n_sum = frame >= low && frame < low + n_bytes && n_bytes >= STACK_BYTES;
  go_back (self);
}

static void
test_stack_is_where_it_says (void)
{
  Pair *pair = pair_new (tell_where, STACK_BYTES);
  enter (pair);
  g_assert_cmpuint (pair->n_sum, ==, 1);
  pair_free (pair);
}

/* Checks that the stack is aligned as it must be in a called function. */
static void
align (gpointer data)
{
  Pair *self = data;
  volatile guint8 vector __attribute__ ((aligned (16)));
  self->n_sum = (guintptr)&vector % 16 + (guintptr)__builtin_frame_address (0) % 16;
  go_back (self);
}

static void
test_odd_size_is_aligned (void)
{
  Pair *pair = pair_new (align, STACK_BYTES + 12345);
  enter (pair);
  g_assert_cmpuint (pair->n_sum, ==, 0);
  pair_free (pair);
}

static void
test_many_take_turns (void)
{
  enum
  {
    N = 1000
  };
  Pair *pairs[N];
  guint n_rounds = 0;
  for (guint i = 0; i < N; i++)
    pairs[i] = pair_new (count_rounds, STACK_BYTES);
  for (guint round = 0; round < 10; round++)
    for (guint i = 0; i < N; i++)
      enter (pairs[(i * 7 + round) % N]);
  for (guint i = 0; i < N; i++)
    {
      n_rounds += pairs[i]->n_rounds == 10;
      pair_free (pairs[i]);
    }
  g_assert_cmpuint (n_rounds, ==, N);
}

/* Enters the next context, without going back to the test first. */
static void
pass_on (gpointer data)
{
  Pair **pairs = data;
  context_switch (pairs[0]->other, pairs[1]->other);
}

static void
test_contexts_enter_each_other (void)
{
  Pair *last = pair_new (count_rounds, STACK_BYTES);
  Pair first = { .here = last->here };
  Pair *both[] = { &first, last };
  first.other = context_new (STACK_BYTES, FALSE, pass_on, both);
  enter (&first);
  g_assert_cmpuint (last->n_rounds, ==, 1);
  context_free (first.other);
  pair_free (last);
}

static void
overflow (gpointer data)
{
  descend (data, G_MAXUINT);
}

static void
test_overflow_ends_the_process (void)
{
  if (g_test_subprocess ())
    {
      enter (pair_new (overflow, STACK_BYTES));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
}

/* Touches an address far below the stack, as a function with a large frame may do. */
static void
step_over_a_page (gpointer data)
{
  Pair *self = data;
  char *low;
  gsize n_bytes;
  context_get_stack (self->other, &low, &n_bytes);
  *(volatile char *)(low - 60000) = 1;
}

static void
test_large_frame_ends_in_the_guard (void)
{
  if (g_test_subprocess ())
    {
      enter (pair_new (step_over_a_page, STACK_BYTES));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
}

static void
test_guard_is_below_the_stack (void)
{
  Pair *pair = pair_new (count_rounds, STACK_BYTES);
  char *low;
  gsize n_bytes;
  context_get_stack (pair->other, &low, &n_bytes);
  g_assert_true (context_is_guard (pair->other, low - 1));
  g_assert_true (context_is_guard (pair->other, low - 65536));
  g_assert_false (context_is_guard (pair->other, low - 65537));
  g_assert_false (context_is_guard (pair->other, low));
  pair_free (pair);
}

static void
test_too_large_a_stack_is_refused (void)
{
  g_assert_null (context_new ((gsize)1 << 60, TRUE, count_rounds, NULL));
}

static void
test_nothing_is_freed (void)
{
  context_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/sim/context/" claim, func)
  ADD ("goes-on-where-it-was-left", test_goes_on_where_it_was_left);
  ADD ("switch-keeps-registers-of-the-thread", test_keeps_registers_here);
  ADD ("switch-keeps-floating-point-of-the-thread", test_keeps_floating_point_here);
  ADD ("switch-keeps-registers-of-the-context", test_keeps_registers_there);
  ADD ("rounding-is-a-context's-own", test_rounding_is_of_a_context);
  ADD ("deep-stack-is-kept", test_deep_stack_is_kept);
  ADD ("stack-is-where-it-says", test_stack_is_where_it_says);
  ADD ("stack-of-odd-size-is-aligned", test_odd_size_is_aligned);
  ADD ("many-take-turns", test_many_take_turns);
  ADD ("contexts-enter-each-other", test_contexts_enter_each_other);
  ADD ("overflow-ends-the-process", test_overflow_ends_the_process);
  ADD ("large-frame-ends-in-the-guard", test_large_frame_ends_in_the_guard);
  ADD ("guard-is-below-the-stack", test_guard_is_below_the_stack);
  ADD ("too-large-a-stack-is-refused", test_too_large_a_stack_is_refused);
  ADD ("nothing-is-freed-without-harm", test_nothing_is_freed);
  return g_test_run ();
}
