/* test-hints.c - what is known of the descendants of a job that runs again
 *
 * Trees of one book on a loop moved by hand; the orphans are jobs of one task with one number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "hints.h"

#include <string.h>

SATIN_TASK (piece, (void), (int, n)) {}

#define N_ENDED 8

static SatinLoop *loop;
static Hintbook *book;
static Tree *ended[N_ENDED];
static guint n_ended;

static void
tree_ended (Tree *tree, gpointer user_data)
{
  ended[n_ended++] = tree;
}

static void
set_up (void)
{
  loop = satin_loop_new_manual (1);
  book = hintbook_new (loop, tree_ended, NULL);
  n_ended = 0;
}

static void
tear_down (void)
{
  satin_loop_advance (loop, 0);
  for (guint i = 0; i < n_ended; i++)
    tree_free (ended[i]);
  hintbook_free (book);
  satin_loop_free (loop);
}

static Tree *
make_tree (void)
{
  SatinLoan loan = { 1, 2, 3 };
  return tree_new (book, &loan);
}

/* The orphan with argument @n, which @holder has. */
static Entry
make_entry (gint32 n, SatinNodeId holder)
{
  Entry entry = { .holder = holder, .loan = { 9, n, 100 + n } };
  piece_args args = { .n = n };
  satin_record_digest (piece_task.args, piece_task.name, &args, entry.key);
  return entry;
}

static void
add (Tree *tree, const char *path, gsize n_path, gint32 n, SatinNodeId holder)
{
  Entry entry = make_entry (n, holder);
  g_assert_true (tree_add (tree, (const guint8 *)path, n_path, &entry));
}

static SatinLook
look (Hints *hints, guint32 number, gint32 n)
{
  SatinLook found = { 0 };
  piece_args args = { .n = n };
  hints_look (hints, number, &piece_task, &args, &found);
  return found;
}

/* How many are left, and the path of the last. */
typedef struct
{
  guint n;
  GByteArray *path;
} Left;

static void
note_left (const guint8 *path, gsize n_path, const Entry *entry, gpointer user_data)
{
  Left *self = user_data;
  self->n++;
  g_byte_array_set_size (self->path, 0);
  g_byte_array_append (self->path, path, (guint)n_path);
}

static guint
count_left (Tree *tree)
{
  Left left = { 0, g_byte_array_new () };
  tree_foreach_left (tree, note_left, &left);
  g_byte_array_unref (left.path);
  return left.n;
}

/* ---- looking ---- */

static void
test_nothing (void)
{
  Hints *hints = hints_new (make_tree ());
  g_assert_cmpint (look (hints, 0, 7).kind, ==, SATIN_LOOK_NOTHING);
  hints_end (hints);
}

static void
test_held (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  SatinLook found = look (hints, 2, 7);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (found.holder, ==, 5);
  g_assert_cmpuint (found.loan.owner, ==, 9);
  g_assert_cmpint (found.loan.index, ==, 7);
  g_assert_cmpint (found.loan.generation, ==, 107);
  hints_end (hints);
}

static void
test_held_once (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  look (hints, 2, 7);
  g_assert_cmpint (look (hints, 2, 7).kind, ==, SATIN_LOOK_NOTHING);
  hints_end (hints);
}

static void
test_other_number (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  g_assert_cmpint (look (hints, 1, 7).kind, ==, SATIN_LOOK_NOTHING);
  hints_end (hints);
}

/* A frame that syncs twice uses numbers again. */
static void
test_other_key (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  g_assert_cmpint (look (hints, 2, 8).kind, ==, SATIN_LOOK_NOTHING);
  g_assert_cmpuint (count_left (tree), ==, 1);
  hints_end (hints);
}

static void
test_two_at_one_place (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  add (tree, "\2", 1, 8, 6);
  g_assert_cmpuint (look (hints, 2, 8).holder, ==, 6);
  g_assert_cmpuint (look (hints, 2, 7).holder, ==, 5);
  hints_end (hints);
}

static void
test_inside (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2\3", 2, 7, 5);
  SatinLook found = look (hints, 2, 0);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_INSIDE);
  g_assert_cmpint (look (found.hints, 3, 7).kind, ==, SATIN_LOOK_HELD);
  hints_end (found.hints);
  hints_end (hints);
}

static void
test_held_before_inside (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2\3", 2, 7, 5);
  add (tree, "\2", 1, 8, 6);
  g_assert_cmpint (look (hints, 2, 8).kind, ==, SATIN_LOOK_HELD);
  hints_end (hints);
}

static void
test_self (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  SatinLook found = { 0 };
  add (tree, "", 0, 7, 5);
  hints_look_self (hints, &found);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (found.holder, ==, 5);
  hints_end (hints);
}

static void
test_self_nothing (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  SatinLook found = { 0 };
  add (tree, "\1", 1, 7, 5);
  hints_look_self (hints, &found);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_NOTHING);
  hints_end (hints);
}

/* ---- what is added ---- */

static void
test_added_twice (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  add (tree, "\2", 1, 7, 5);
  g_assert_cmpuint (count_left (tree), ==, 1);
  hints_end (hints);
}

static void
test_forget_holder (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "", 0, 1, 5);
  add (tree, "\2", 1, 2, 5);
  add (tree, "\2", 1, 3, 6);
  add (tree, "\2\4", 2, 4, 5);
  tree_forget_holder (tree, 5);
  g_assert_cmpuint (count_left (tree), ==, 1);
  g_assert_cmpuint (look (hints, 2, 3).holder, ==, 6);
  hints_end (hints);
}

static void
test_large_number (void)
{
  static const guint8 path[] = { 0xff, 0xff, 0xff, 0xff, 0x0f };
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, (const char *)path, sizeof path, 7, 5);
  Left left = { 0, g_byte_array_new () };
  tree_foreach_left (tree, note_left, &left);
  g_assert_cmpmem (left.path->data, left.path->len, path, sizeof path);
  g_byte_array_unref (left.path);
  g_assert_cmpint (look (hints, G_MAXUINT32, 7).kind, ==, SATIN_LOOK_HELD);
  hints_end (hints);
}

static void
test_below (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 6, 5);
  add (tree, "\2\3\4", 3, 7, 5);
  SatinLook found = look (hints, 2, 0);
  Left left = { 0, g_byte_array_new () };
  hints_foreach_below (found.hints, note_left, &left);
  g_assert_cmpuint (left.n, ==, 1);
  g_assert_cmpmem (left.path->data, left.path->len, "\3\4", 2);
  g_byte_array_unref (left.path);
  hints_end (found.hints);
  hints_end (hints);
}

/* ---- hostile paths ---- */

static void
refuse_path (const guint8 *path, gsize n_path)
{
  Tree *tree = make_tree ();
  Entry entry = make_entry (7, 5);
  g_assert_false (tree_add (tree, path, n_path, &entry));
  g_assert_cmpuint (count_left (tree), ==, 0);
  tree_free (tree);
}

static void
test_path_ends_early (void)
{
  refuse_path ((const guint8 *)"\2\x80", 2);
}

static void
test_path_too_large (void)
{
  refuse_path ((const guint8 *)"\xff\xff\xff\xff\x1f", 5);
}

static void
test_path_endless (void)
{
  refuse_path ((const guint8 *)"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12);
}

/* As deep as it may be: walking and freeing it must not use up the stack. */
static void
test_path_deep (void)
{
  g_autofree guint8 *path = g_malloc0 (16384);
  Tree *tree = make_tree ();
  Entry entry = make_entry (7, 5);
  g_assert_true (tree_add (tree, path, 16384, &entry));
  g_assert_cmpuint (count_left (tree), ==, 1);
  tree_forget_holder (tree, 5);
  g_assert_cmpuint (count_left (tree), ==, 0);
  tree_free (tree);
}

static void
test_path_too_deep (void)
{
  g_autofree guint8 *path = g_malloc0 (16385);
  refuse_path (path, 16385);
}

static void
test_path_random (void)
{
  Tree *tree = make_tree ();
  for (guint i = 0; i < 2000; i++)
    {
      guint8 path[12];
      gsize n_path = (gsize)g_test_rand_int_range (0, sizeof path + 1);
      Entry entry = make_entry ((gint32)i, 5);
      for (gsize j = 0; j < n_path; j++)
        path[j] = (guint8)g_test_rand_int ();
      guint n_before = count_left (tree);
      gboolean is_added = tree_add (tree, path, n_path, &entry);
      g_assert_cmpuint (count_left (tree), ==, n_before + is_added);
    }
  tree_free (tree);
}

/* ---- jobs that were lent on ---- */

static SatinNodeId
find_lent (Tree *tree, const char *path, SatinLoan *ret_loan, gsize *ret_skip)
{
  return tree_find_lent (tree, (const guint8 *)path, strlen (path), ret_loan, ret_skip);
}

static void
test_lent_nobody (void)
{
  Tree *tree = make_tree ();
  SatinLoan loan;
  gsize skip;
  add (tree, "\2\3", 2, 7, 5);
  g_assert_cmpuint (find_lent (tree, "\2\3", &loan, &skip), ==, 0);
  tree_free (tree);
}

static void
test_lent_below (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  SatinLoan loan;
  gsize skip;
  add (tree, "\2\3", 2, 7, 5);
  SatinLook found = look (hints, 2, 0);
  hints_set_lent (found.hints, 4, 11, 12);
  g_assert_cmpuint (find_lent (tree, "\2\5", &loan, &skip), ==, 4);
  g_assert_cmpint (loan.index, ==, 11);
  g_assert_cmpint (loan.generation, ==, 12);
  g_assert_cmpuint (skip, ==, 1);
  hints_end (found.hints);
  hints_end (hints);
}

static void
test_lent_elsewhere (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  SatinLoan loan;
  gsize skip;
  add (tree, "\2\3", 2, 7, 5);
  SatinLook found = look (hints, 2, 0);
  hints_set_lent (found.hints, 4, 11, 12);
  g_assert_cmpuint (find_lent (tree, "\1\3", &loan, &skip), ==, 0);
  hints_end (found.hints);
  hints_end (hints);
}

static void
test_lent_back (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  SatinLoan loan;
  gsize skip;
  hints_set_lent (hints, 4, 11, 12);
  hints_set_lent (hints, 0, 0, 0);
  g_assert_cmpuint (find_lent (tree, "\2", &loan, &skip), ==, 0);
  hints_end (hints);
}

/* ---- ends ---- */

static void
test_ends_with_last (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2\3", 2, 7, 5);
  SatinLook found = look (hints, 2, 0);
  hints_end (hints);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 0);
  hints_end (found.hints);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
  g_assert_true (ended[0] == tree);
}

static void
test_ends_on_loop (void)
{
  hints_end (hints_new (make_tree ()));
  g_assert_cmpuint (n_ended, ==, 0);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
}

static void
test_each_ends (void)
{
  hints_end (hints_new (make_tree ()));
  hints_end (hints_new (make_tree ()));
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 2);
}

/* The same job came twice, and the first one has ended just now. */
static void
test_begun_again (void)
{
  Tree *tree = make_tree ();
  hints_end (hints_new (tree));
  Hints *again = hints_new (tree);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 0);
  hints_end (again);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
}

static void
test_ended_twice (void)
{
  Tree *tree = make_tree ();
  hints_end (hints_new (tree));
  hints_end (hints_new (tree));
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
}

/* Its owner knows all of it and wants it still. */
static void
test_given_back (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  add (tree, "\2", 1, 7, 5);
  hints_give_back (hints);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
  g_assert_cmpuint (count_left (tree), ==, 0);
}

/* Jobs may end after who recovers is gone; the sanitizers see that nothing is left. */
static void
test_outlives_book (void)
{
  Tree *tree = make_tree ();
  Hints *hints = hints_new (tree);
  hintbook_free (book);
  hints_end (hints);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 0);
  book = hintbook_new (loop, tree_ended, NULL);
}

static void
test_book_closed_before_told (void)
{
  hints_end (hints_new (make_tree ()));
  hintbook_free (book);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 0);
  book = hintbook_new (loop, tree_ended, NULL);
}

static void
run_case (gconstpointer data)
{
  set_up ();
  ((void (*) (void))data) ();
  tear_down ();
}

static void
add_case (const char *name, void (*test) (void))
{
  g_autofree char *path = g_strconcat ("/ft/hints/", name, NULL);
  g_test_add_data_func (path, (gconstpointer)test, run_case);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_case ("look/nothing-is-known", test_nothing);
  add_case ("look/an-orphan-is-held", test_held);
  add_case ("look/an-orphan-is-waited-for-once", test_held_once);
  add_case ("look/another-child-is-not-it", test_other_number);
  add_case ("look/another-key-is-not-it", test_other_key);
  add_case ("look/two-orphans-at-one-place", test_two_at_one_place);
  add_case ("look/an-ancestor-of-an-orphan-is-inside", test_inside);
  add_case ("look/held-goes-before-inside", test_held_before_inside);
  add_case ("look-self/the-lost-job-is-held", test_self);
  add_case ("look-self/an-orphan-below-is-not-the-job", test_self_nothing);
  add_case ("add/an-orphan-is-told-twice", test_added_twice);
  add_case ("add/what-a-holder-had-is-forgotten", test_forget_holder);
  add_case ("add/the-largest-number", test_large_number);
  add_case ("below/paths-begin-at-the-job", test_below);
  add_case ("path/one-that-ends-early-is-refused", test_path_ends_early);
  add_case ("path/a-number-too-large-is-refused", test_path_too_large);
  add_case ("path/an-endless-number-is-refused", test_path_endless);
  add_case ("path/the-deepest-is-taken", test_path_deep);
  add_case ("path/a-deeper-one-is-refused", test_path_too_deep);
  add_case ("path/random-bytes-are-taken-or-refused", test_path_random);
  add_case ("lent/nobody", test_lent_nobody);
  add_case ("lent/what-belongs-below-goes-on", test_lent_below);
  add_case ("lent/what-belongs-elsewhere-stays", test_lent_elsewhere);
  add_case ("lent/it-is-here-again", test_lent_back);
  add_case ("end/with-the-last-hints", test_ends_with_last);
  add_case ("end/is-told-on-the-loop", test_ends_on_loop);
  add_case ("end/of-each-tree", test_each_ends);
  add_case ("end/not-of-one-begun-again", test_begun_again);
  add_case ("end/is-told-once", test_ended_twice);
  add_case ("end/nothing-is-left-when-given-back", test_given_back);
  add_case ("end/after-the-book", test_outlives_book);
  add_case ("end/of-the-book-before-it-is-told", test_book_closed_before_told);
  return g_test_run ();
}
