/* test-event.c - tests the events that nodes tell the journal of their run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>

#include <string.h>

static GBytes *told; /* (owned) (nullable) the last payload */

static void
note_signal (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
  g_assert_cmpuint (to, ==, SATIN_RUN_HOLDER);
  g_assert_cmpstr (word, ==, SATIN_SIGNAL_EVENT);
  g_clear_pointer (&told, g_bytes_unref);
  told = g_bytes_ref (payload);
}

static const SatinRunOps ops = { .struct_size = sizeof (SatinRunOps), .signal = note_signal };

/* Tells an event, and returns its text as it is read (transfer full); NULL when it is refused. */
static char *
tell_and_read (const char *kind, const char *text)
{
  SatinRun run = { &ops };
  const SatinEventValue value = { "ran_us", G_MAXINT64 };
  SatinEvent event;
  satin_run_tell (&run, kind, text, &value, 1);
  gboolean is_read = satin_event_read (told, &event);
  g_clear_pointer (&told, g_bytes_unref);
  if (!is_read)
    return NULL;
  g_assert_cmpstr (event.kind, ==, kind);
  g_assert_cmpuint (event.n_values, ==, 1);
  g_assert_cmpstr (event.values[0].name, ==, "ran_us");
  g_assert_cmpint (event.values[0].value, ==, G_MAXINT64);
  char *read = g_strdup (event.text);
  satin_record_clear (&SatinEvent_record, &event);
  return read;
}

static void
test_what_is_told_is_read (void)
{
  g_autofree char *text = tell_and_read (SATIN_EVENT_LONG_JOB, "task fib (n 40)");
  g_assert_cmpstr (text, ==, "task fib (n 40)");
}

static void
test_a_long_text_is_cut_between_characters (void)
{
  g_autofree char *ascii = g_strnfill (SATIN_EVENT_TEXT_MAX_BYTES - 1, 'x');
  g_autofree char *longer = g_strconcat (ascii, "\303\244", NULL);
  g_autofree char *text = tell_and_read (SATIN_EVENT_DECISION, longer);
  g_assert_cmpstr (text, ==, ascii);
}

static void
test_nonsense_is_refused (void)
{
  SatinEvent event;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\xff\xff", 2);
  g_assert_null (tell_and_read ("end", "text"));
  g_assert_null (tell_and_read (SATIN_EVENT_BOUND, "\033[2J"));
  g_assert_false (satin_event_read (NULL, &event));
  g_assert_false (satin_event_read (bytes, &event));
}

static void
test_bounds_of_a_record_are_kept (void)
{
  SatinEventValue values[SATIN_EVENT_MAX_VALUES + 1];
  SatinEvent event = { SATIN_EVENT_BOUND, "text", values, 0 }, read;
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (SatinEventValue){ "name", i };
  for (guint n = G_N_ELEMENTS (values) - 1; n <= G_N_ELEMENTS (values); n++)
    {
      event.n_values = n;
      g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinEvent_record, &event);
      gboolean is_read = satin_event_read (payload, &read);
      g_assert_cmpint (is_read, ==, n <= SATIN_EVENT_MAX_VALUES);
      if (is_read)
        satin_record_clear (&SatinEvent_record, &read);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/event/what-is-told-is-read", test_what_is_told_is_read);
  g_test_add_func ("/base/event/a-long-text-is-cut-between-characters",
                   test_a_long_text_is_cut_between_characters);
  g_test_add_func ("/base/event/nonsense-is-refused", test_nonsense_is_refused);
  g_test_add_func ("/base/event/bounds-of-a-record-are-kept", test_bounds_of_a_record_are_kept);
  return g_test_run ();
}
