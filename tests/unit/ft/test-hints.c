/* test-hints.c - tests hints: what is known of the descendants of a job that runs again
 *
 * The trees of hints belong to one book. The test moves the clock of its loop. All orphans are jobs
 * of one task, with a number as their argument.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "recovery/hints.h"

#include <string.h>

SATIN_TASK (piece, (void), (int, n)) {}

#define N_ENDED 8

static SatinLoop *loop;
static Hintbook *book;
static Tree *ended[N_ENDED];
static guint n_ended;
static Tree *tree;   /* the tree of the current case */
static Hints *hints; /* (owned) (nullable): hints at the root of @tree; %NULL when the case has
                        given them up */

static void
tree_ended (Tree *self, gpointer user_data)
{
  ended[n_ended++] = self;
}

static Tree *
make_tree (void)
{
  SatinJobRef ref = { 1, 2, 3 };
  return tree_new (book, &ref);
}

static void
set_up (void)
{
  loop = satin_loop_new_manual (1);
  book = hintbook_new (loop, tree_ended, NULL);
  n_ended = 0;
  tree = make_tree ();
  hints = hints_new (tree);
}

static void
end_hints (void)
{
  hints_end (g_steal_pointer (&hints));
}

static void
tear_down (void)
{
  if (hints != NULL)
    end_hints ();
  satin_loop_advance (loop, 0);
  for (guint i = 0; i < n_ended; i++)
    tree_free (ended[i]);
  hintbook_free (book);
  satin_loop_free (loop);
}

/* The orphan with argument @n, which node @holder has. */
static Entry
make_entry (gint32 n, SatinNodeId holder)
{
  Entry entry = { .holder = holder, .ref = { 9, n, 100 + n } };
  piece_args args = { .n = n };
  satin_record_digest (piece_task.args, piece_task.name, &args, entry.key);
  return entry;
}

/* Adds an orphan to the tree at @path. As @path is a string, it cannot contain the number 0. */
static void
add (const char *path, gint32 n, SatinNodeId holder)
{
  Entry entry = make_entry (n, holder);
  g_assert_true (tree_add (tree, (const guint8 *)path, strlen (path), &entry));
}

/* Finds a child. The caller ends the hints that it gets. */
static SatinLook
look_and_keep (Hints *of, guint32 number, gint32 n)
{
  SatinLook found = { 0 };
  piece_args args = { .n = n };
  hints_look (of, &(SatinChild){ number, &piece_task, &args }, &found);
  return found;
}

static SatinLook
look (Hints *of, guint32 number, gint32 n)
{
  SatinLook found = look_and_keep (of, number, n);
  if (found.hints != NULL)
    hints_end (found.hints);
  return found;
}

/* How many entries are left, and the path of the last one. */
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
count_left (void)
{
  Left left = { 0, g_byte_array_new () };
  tree_foreach_left (tree, note_left, &left);
  g_byte_array_unref (left.path);
  return left.n;
}

/* ---- looking a child up ---- */

static void
test_nothing (void)
{
  g_assert_cmpint (look (hints, 0, 7).kind, ==, SATIN_LOOK_NOTHING);
}

static void
test_held (void)
{
  add ("\2", 7, 5);
  SatinLook found = look (hints, 2, 7);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (found.holder, ==, 5);
  g_assert_cmpuint (found.ref.owner, ==, 9);
  g_assert_cmpint (found.ref.index, ==, 7);
  g_assert_cmpint (found.ref.generation, ==, 107);
}

static void
test_held_once (void)
{
  add ("\2", 7, 5);
  look (hints, 2, 7);
  g_assert_cmpint (look (hints, 2, 7).kind, ==, SATIN_LOOK_NOTHING);
}

/* A thief had job 7 from holder 5, and left. Now node 6 has the job's result, under a new name. */
static void
test_newest_first (void)
{
  Entry newer = make_entry (7, 6);
  newer.ref.generation = 900;
  add ("\2", 7, 5);
  g_assert_true (tree_add (tree, (const guint8 *)"\2", 1, &newer));
  g_assert_cmpuint (look (hints, 2, 7).holder, ==, 6);
  g_assert_cmpuint (look (hints, 2, 7).holder, ==, 5);
}

/* A holder that leaves hands its orphans over. */
static void
test_handed_over (void)
{
  Entry old = make_entry (7, 5);
  old.is_leaving = TRUE;
  add ("\2", 7, 5);
  add ("\2", 7, 5);
  add ("\2", 7, 6);
  g_assert_true (tree_add (tree, (const guint8 *)"\2", 1, &old));
  g_assert_cmpuint (count_left (), ==, 1);
  tree_forget_holder (tree, 5);
  g_assert_cmpuint (look (hints, 2, 7).holder, ==, 6);
}

/* Orphans may be announced below a job that another node holds. */
static void
test_below_held (void)
{
  add ("\2", 7, 5);
  SatinLook found = look_and_keep (hints, 2, 7);
  add ("\2\3", 8, 6);
  g_assert_cmpuint (look (found.hints, 3, 8).holder, ==, 6);
  hints_end (found.hints);
}

static void
test_other_number (void)
{
  add ("\2", 7, 5);
  g_assert_cmpint (look (hints, 1, 7).kind, ==, SATIN_LOOK_NOTHING);
}

/* A frame that syncs twice uses the same numbers for other children. */
static void
test_other_key (void)
{
  add ("\2", 7, 5);
  g_assert_cmpint (look (hints, 2, 8).kind, ==, SATIN_LOOK_NOTHING);
  g_assert_cmpuint (count_left (), ==, 1);
}

static void
test_two_at_one_place (void)
{
  add ("\2", 7, 5);
  add ("\2", 8, 6);
  g_assert_cmpuint (look (hints, 2, 8).holder, ==, 6);
  g_assert_cmpuint (look (hints, 2, 7).holder, ==, 5);
}

static void
test_inside (void)
{
  add ("\2\3", 7, 5);
  SatinLook found = look_and_keep (hints, 2, 0);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_INSIDE);
  g_assert_cmpint (look (found.hints, 3, 7).kind, ==, SATIN_LOOK_HELD);
  hints_end (found.hints);
}

static void
test_held_before_inside (void)
{
  add ("\2\3", 7, 5);
  add ("\2", 8, 6);
  SatinLook found = look_and_keep (hints, 2, 8);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpint (look (found.hints, 3, 7).kind, ==, SATIN_LOOK_HELD);
  hints_end (found.hints);
}

static void
test_self (void)
{
  SatinLook found = { 0 };
  add ("", 7, 5);
  hints_look_self (hints, &found);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (found.holder, ==, 5);
}

static void
test_self_nothing (void)
{
  SatinLook found = { 0 };
  add ("\1", 7, 5);
  hints_look_self (hints, &found);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_NOTHING);
}

/* A frame has synced, and uses number 2 again: child 2 is job 8 now, and was job 7 before. */
static void
test_self_of_another_round (void)
{
  SatinLook found = { 0 };
  add ("\2", 7, 5);
  add ("\2\3", 9, 6);
  SatinLook inside = look_and_keep (hints, 2, 8);
  g_assert_cmpint (inside.kind, ==, SATIN_LOOK_INSIDE);
  hints_look_self (inside.hints, &found);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_NOTHING);
  add ("\2", 8, 4);
  hints_look_self (inside.hints, &found);
  g_assert_cmpint (found.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (found.holder, ==, 4);
  hints_end (inside.hints);
}

/* ---- adding orphans ---- */

/* A frame that syncs often has many children with the same number. */
static void
test_many_at_one_place (void)
{
  for (gint32 i = 0; i < 200; i++)
    add ("\2", i % 100, 5 + (SatinNodeId)(i % 2));
  g_assert_cmpuint (count_left (), ==, 100);
  g_assert_cmpuint (look (hints, 2, 60).holder, ==, 5);
  tree_forget_holder (tree, 6);
  g_assert_cmpuint (count_left (), ==, 49);
  g_assert_cmpint (look (hints, 2, 61).kind, ==, SATIN_LOOK_NOTHING);
  add ("\2", 60, 7);
  add ("\2", 61, 7);
  add ("\2", 62, 7);
  g_assert_cmpuint (count_left (), ==, 51);
  g_assert_cmpuint (look (hints, 2, 60).holder, ==, 7);
  g_assert_cmpuint (look (hints, 2, 62).holder, ==, 7);
}

static void
test_forget_holder (void)
{
  add ("", 1, 5);
  add ("\2", 2, 5);
  add ("\2", 3, 6);
  add ("\2\4", 4, 5);
  tree_forget_holder (tree, 5);
  g_assert_cmpuint (count_left (), ==, 1);
  SatinLook found = look_and_keep (hints, 2, 3);
  g_assert_cmpuint (found.holder, ==, 6);
  hints_end (found.hints);
}

static void
test_large_number (void)
{
  static const char path[] = "\xff\xff\xff\xff\x0f";
  add (path, 7, 5);
  Left left = { 0, g_byte_array_new () };
  tree_foreach_left (tree, note_left, &left);
  g_assert_cmpmem (left.path->data, left.path->len, path, strlen (path));
  g_byte_array_unref (left.path);
  g_assert_cmpint (look (hints, G_MAXUINT32, 7).kind, ==, SATIN_LOOK_HELD);
}

static void
test_below (void)
{
  add ("\2", 6, 5);
  add ("\2\3\4", 7, 5);
  SatinLook found = look_and_keep (hints, 2, 0);
  Left left = { 0, g_byte_array_new () };
  hints_foreach_below (found.hints, note_left, &left);
  g_assert_cmpuint (left.n, ==, 1);
  g_assert_cmpmem (left.path->data, left.path->len, "\3\4", 2);
  g_byte_array_unref (left.path);
  hints_end (found.hints);
}

/* ---- hostile paths ---- */

static void
refuse_path (const guint8 *path, gsize n_path)
{
  Entry entry = make_entry (7, 5);
  g_assert_false (tree_add (tree, path, n_path, &entry));
  g_assert_cmpuint (count_left (), ==, 0);
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

/* This is the deepest path that is accepted. Walking and freeing it must not exhaust the stack. */
static void
test_path_deep (void)
{
  g_autofree guint8 *path = g_malloc0 (16384);
  Entry entry = make_entry (7, 5);
  g_assert_true (tree_add (tree, path, 16384, &entry));
  g_assert_cmpuint (count_left (), ==, 1);
  tree_forget_holder (tree, 5);
  g_assert_cmpuint (count_left (), ==, 0);
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
  for (guint i = 0; i < 2000; i++)
    {
      guint8 path[12];
      gsize n_path = (gsize)g_test_rand_int_range (0, sizeof path + 1);
      Entry entry = make_entry ((gint32)i, 5);
      for (gsize j = 0; j < n_path; j++)
        path[j] = (guint8)g_test_rand_int ();
      guint n_before = count_left ();
      gboolean is_added = tree_add (tree, path, n_path, &entry);
      g_assert_cmpuint (count_left (), ==, n_before + is_added);
    }
}

/* ---- jobs that were exported again ---- */

static SatinJobRef exported; /* the exported job that find_exported() has found last */
static gsize skip;

static SatinNodeId
find_exported (const char *path)
{
  return tree_find_exported (tree, (const guint8 *)path, strlen (path), &exported, &skip);
}

static void
test_exported_nobody (void)
{
  add ("\2\3", 7, 5);
  g_assert_cmpuint (find_exported ("\2\3"), ==, 0);
}

static void
test_exported_below (void)
{
  add ("\2\3", 7, 5);
  SatinLook found = look_and_keep (hints, 2, 0);
  hints_set_exported (found.hints, 4, 11, 12);
  g_assert_cmpuint (find_exported ("\2\5"), ==, 4);
  g_assert_cmpint (exported.index, ==, 11);
  g_assert_cmpint (exported.generation, ==, 12);
  g_assert_cmpuint (skip, ==, 1);
  hints_end (found.hints);
}

static void
test_exported_elsewhere (void)
{
  add ("\2\3", 7, 5);
  SatinLook found = look_and_keep (hints, 2, 0);
  hints_set_exported (found.hints, 4, 11, 12);
  g_assert_cmpuint (find_exported ("\1\3"), ==, 0);
  hints_end (found.hints);
}

static void
test_exported_back (void)
{
  hints_set_exported (hints, 4, 11, 12);
  hints_set_exported (hints, 0, 0, 0);
  g_assert_cmpuint (find_exported ("\2"), ==, 0);
}

/* ---- the end of a tree ---- */

static void
test_ends_with_last (void)
{
  add ("\2\3", 7, 5);
  SatinLook found = look_and_keep (hints, 2, 0);
  end_hints ();
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
  end_hints ();
  g_assert_cmpuint (n_ended, ==, 0);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
}

static void
test_each_ends (void)
{
  end_hints ();
  hints_end (hints_new (make_tree ()));
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 2);
}

/* The same job comes a second time, before the loop hears that its hints have ended. */
static void
test_begun_again (void)
{
  end_hints ();
  hints = hints_new (tree);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 0);
  end_hints ();
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
}

static void
test_ended_twice (void)
{
  end_hints ();
  hints_end (hints_new (tree));
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
}

/* The job goes back to its owner, which knows all entries and still wants the orphans. So no entry
 * is left over. */
static void
test_given_back (void)
{
  add ("\2", 7, 5);
  hints_note_given_back (hints);
  hints_end (g_steal_pointer (&hints));
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 1);
  g_assert_cmpuint (count_left (), ==, 0);
}

/* Jobs may end after the book is freed. The sanitizers check that nothing leaks. */
static void
test_outlives_book (void)
{
  hintbook_free (book);
  end_hints ();
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (n_ended, ==, 0);
  book = hintbook_new (loop, tree_ended, NULL);
}

static void
test_book_closed_before_told (void)
{
  end_hints ();
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
  add_case ("look/the-newest-orphan-goes-first", test_newest_first);
  add_case ("look/an-orphan-below-a-held-job", test_below_held);
  add_case ("look/an-ancestor-of-an-orphan-is-inside", test_inside);
  add_case ("look/held-goes-before-inside", test_held_before_inside);
  add_case ("look-self/the-lost-job-is-held", test_self);
  add_case ("look-self/an-orphan-below-is-not-the-job", test_self_nothing);
  add_case ("look-self/passes-over-another-round", test_self_of_another_round);
  add_case ("add/an-orphan-was-handed-over", test_handed_over);
  add_case ("add/many-at-one-place", test_many_at_one_place);
  add_case ("add/what-a-holder-had-is-forgotten", test_forget_holder);
  add_case ("add/the-largest-number", test_large_number);
  add_case ("below/paths-begin-at-the-job", test_below);
  add_case ("path/one-that-ends-early-is-refused", test_path_ends_early);
  add_case ("path/a-number-too-large-is-refused", test_path_too_large);
  add_case ("path/an-endless-number-is-refused", test_path_endless);
  add_case ("path/the-deepest-is-taken", test_path_deep);
  add_case ("path/a-deeper-one-is-refused", test_path_too_deep);
  add_case ("path/random-bytes-are-taken-or-refused", test_path_random);
  add_case ("exported/nobody", test_exported_nobody);
  add_case ("exported/what-belongs-below-goes-on", test_exported_below);
  add_case ("exported/what-belongs-elsewhere-stays", test_exported_elsewhere);
  add_case ("exported/it-is-here-again", test_exported_back);
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
