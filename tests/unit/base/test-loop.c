/* test-loop.c - tests what all kinds of loops have in common
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/loop.h>

/* A loop that returns the random number of the test, and notes which timer was cancelled. */
typedef struct
{
  SatinLoop base;
  guint64 next_random;
  SatinTimerId cancelled;
  guint n_cancelled;
} FakeLoop;

static guint64
fake_random (SatinLoop *loop)
{
  return ((FakeLoop *)loop)->next_random;
}

static void
fake_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  FakeLoop *self = (FakeLoop *)loop;

  self->cancelled = id;
  self->n_cancelled++;
}

static const SatinLoopOps fake_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .timer_cancel = fake_timer_cancel,
  .random = fake_random,
};

static const char *told;

static void
fake_probe (SatinLoop *loop, const char *what)
{
  told = what;
}

static void
test_probe_is_told (void)
{
  static const SatinLoopOps ops = { .struct_size = sizeof (SatinLoopOps), .probe = fake_probe };
  SatinLoop loop = { &ops };

  told = NULL;
  satin_loop_probe (&loop, "area.path");
  g_assert_cmpstr (told, ==, "area.path");
}

static void
test_probe_may_be_missing (void)
{
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);

  satin_loop_probe (loop, "area.path");
}

/* Fields behind the end of a shorter structure do not belong to it. */
static void
test_older_loop_is_not_told (void)
{
  static const SatinLoopOps ops = { .struct_size = G_STRUCT_OFFSET (SatinLoopOps, probe),
                                    .probe = fake_probe };
  SatinLoop loop = { &ops };

  told = NULL;
  satin_loop_probe (&loop, "area.path");
  g_assert_null (told);
}

static char *noted;

static void
fake_note (SatinLoop *loop, const char *text)
{
  g_free (noted);
  noted = g_strdup (text);
}

static void
test_note_is_told_and_logged (void)
{
  static const SatinLoopOps ops = { .struct_size = sizeof (SatinLoopOps), .note = fake_note };
  SatinLoop loop = { &ops };

  g_test_expect_message ("mine", G_LOG_LEVEL_INFO, "7 lost");
  satin_loop_note (&loop, "mine", "%d lost", 7);
  g_test_assert_expected_messages ();
  g_assert_cmpstr (noted, ==, "7 lost");
  g_clear_pointer (&noted, g_free);
}

static void
test_older_loop_is_not_told_notes (void)
{
  static const SatinLoopOps ops = { .struct_size = G_STRUCT_OFFSET (SatinLoopOps, note),
                                    .note = fake_note };
  SatinLoop loop = { &ops };

  satin_loop_note (&loop, "mine", "lost");
  g_assert_null (noted);
}

static void
test_random_below_covers_the_range (void)
{
  FakeLoop fake = { .base = { &fake_ops } };

  for (guint32 n = 1; n < 100; n++)
    {
      fake.next_random = 0;
      g_assert_cmpuint (satin_loop_random_below (&fake.base, n), ==, 0);
      fake.next_random = G_MAXUINT64;
      g_assert_cmpuint (satin_loop_random_below (&fake.base, n), ==, n - 1);
    }
  fake.next_random = G_MAXUINT64;
  g_assert_cmpuint (satin_loop_random_below (&fake.base, G_MAXUINT32), ==, G_MAXUINT32 - 1);
}

static void
test_random_below_is_even (void)
{
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (g_test_rand_int () + (guint64)1);
  guint counts[7] = { 0 };

  for (guint i = 0; i < 7 * 1000; i++)
    counts[satin_loop_random_below (loop, 7)]++;
  /* 1,000 each are expected, with a standard deviation of 29. */
  for (guint i = 0; i < 7; i++)
    {
      g_assert_cmpuint (counts[i], >, 800);
      g_assert_cmpuint (counts[i], <, 1200);
    }
}

static void
test_cancel_clears_the_id (void)
{
  FakeLoop fake = { .base = { &fake_ops } };
  SatinTimerId id = 5;

  satin_loop_timer_cancel (&fake.base, &id);
  g_assert_cmpuint (id, ==, 0);
  g_assert_cmpuint (fake.cancelled, ==, 5);
}

static void
test_cancel_of_0_does_nothing (void)
{
  FakeLoop fake = { .base = { &fake_ops } };
  SatinTimerId id = 0;

  satin_loop_timer_cancel (&fake.base, &id);
  g_assert_cmpuint (fake.n_cancelled, ==, 0);
}

static void
test_loop_without_context_has_none (void)
{
  FakeLoop fake = { .base = { &fake_ops } };

  g_assert_null (satin_loop_get_context (&fake.base));
}

static void
test_free_of_null_is_allowed (void)
{
  satin_loop_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/loop/probe-is-told", test_probe_is_told);
  g_test_add_func ("/base/loop/probe-may-be-missing", test_probe_may_be_missing);
  g_test_add_func ("/base/loop/older-loop-is-not-told", test_older_loop_is_not_told);
  g_test_add_func ("/base/loop/note-is-told-and-logged", test_note_is_told_and_logged);
  g_test_add_func ("/base/loop/older-loop-is-not-told-notes", test_older_loop_is_not_told_notes);
#define ADD(name, func) g_test_add_func ("/base/loop/" name, func)
  ADD ("random-below-covers-the-range", test_random_below_covers_the_range);
  ADD ("random-below-is-even", test_random_below_is_even);
  ADD ("cancel-clears-the-id", test_cancel_clears_the_id);
  ADD ("cancel-of-0-does-nothing", test_cancel_of_0_does_nothing);
  ADD ("loop-without-context-has-none", test_loop_without_context_has_none);
  ADD ("free-of-null-is-allowed", test_free_of_null_is_allowed);
  return g_test_run ();
}
