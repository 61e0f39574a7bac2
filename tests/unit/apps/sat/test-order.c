/* test-order.c - tests the order in which the solver decides variables
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "order.h"

typedef Order TestOrder;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestOrder, order_done)

static Variable
take (Order *order)
{
  Variable variable = G_MAXUINT32;
  g_assert_true (order_take (order, &variable));
  return variable;
}

static void
test_equal_ones_come_by_number (void)
{
  g_auto (TestOrder) order;
  Variable variable;
  order_init (&order, 100);
  for (Variable i = 0; i < 100; i++)
    g_assert_cmpuint (take (&order), ==, i);
  g_assert_false (order_take (&order, &variable));
}

static void
test_most_active_comes_first (void)
{
  g_auto (TestOrder) order;
  order_init (&order, 10);
  order_bump (&order, 7, 1);
  order_bump (&order, 7, 1);
  order_bump (&order, 3, 1);
  g_assert_cmpuint (take (&order), ==, 7);
  g_assert_cmpuint (take (&order), ==, 3);
  g_assert_cmpuint (take (&order), ==, 0);
}

static void
test_later_conflicts_count_more (void)
{
  g_auto (TestOrder) order;
  order_init (&order, 10);
  order_bump (&order, 7, 1);
  order_decay (&order);
  order_bump (&order, 8, 1);
  g_assert_cmpuint (take (&order), ==, 8);
}

static void
test_activity_has_no_end (void)
{
  g_auto (TestOrder) order;
  order_init (&order, 10);
  for (guint i = 0; i < 100000; i++)
    {
      order_bump (&order, i % 10, 1);
      order_decay (&order);
    }
  g_assert_cmpfloat (order.increment, <, 1e300);
  for (guint i = 10; i-- > 0;)
    g_assert_cmpuint (take (&order), ==, i);
}

static void
test_what_was_taken_comes_back_once (void)
{
  g_auto (TestOrder) order;
  Variable variable;
  order_init (&order, 3);
  order_bump (&order, 2, 1);
  g_assert_cmpuint (take (&order), ==, 2);
  order_insert (&order, 2);
  order_insert (&order, 2);
  g_assert_cmpuint (take (&order), ==, 2);
  g_assert_cmpuint (take (&order), ==, 0);
  g_assert_cmpuint (take (&order), ==, 1);
  g_assert_false (order_take (&order, &variable));
}

/* There are enough variables for a heap of several levels. */
static void
test_order_is_that_of_activities (void)
{
  g_auto (TestOrder) order;
  order_init (&order, 200);
  for (guint i = 0; i < 1000; i++)
    {
      order_bump (&order, (Variable)g_test_rand_int_range (0, 200), 1);
      order_decay (&order);
      if (i % 10 == 0)
        take (&order);
    }
  Variable before = take (&order);
  for (Variable variable; order_take (&order, &variable); before = variable)
    g_assert_true (order_is_before (&order, before, variable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/sat/order/" path, function)
  CASE ("equal-ones-come-by-number", test_equal_ones_come_by_number);
  CASE ("most-active-comes-first", test_most_active_comes_first);
  CASE ("later-conflicts-count-more", test_later_conflicts_count_more);
  CASE ("activity-has-no-end", test_activity_has_no_end);
  CASE ("what-was-taken-comes-back-once", test_what_was_taken_comes_back_once);
  CASE ("order-is-that-of-activities", test_order_is_that_of_activities);
  return g_test_run ();
}
