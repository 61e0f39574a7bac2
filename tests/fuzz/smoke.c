/* smoke.c - runs a fuzz target with a corpus, random bytes and mutated examples
 *
 * The argument is the folder of the corpus, whose files come first. GTest's --seed repeats a run. A
 * run takes about a second, or SATIN_FUZZ_SECONDS, or as long as SATIN_FUZZ_RUNS inputs take. Each
 * input has memory of its exact size, so that a sanitizer or valgrind notices any read behind its
 * end. If SATIN_FUZZ_WRITE names a folder, the program only writes examples into it, for a corpus.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "fuzz.h"

#define N_MUTANTS         8
#define N_EXAMPLES        3
#define MAX_EXAMPLE_BYTES 1000
#define BUDGET_US         ((gint64)500000) /* for each of the two cases without a corpus */

static guint64 n_runs, n_wanted;
static gint64 begin_us, budget_us;
static const char *corpus; /* a folder of inputs; "": there is none */

static void
begin (void)
{
  const char *wanted = g_getenv ("SATIN_FUZZ_RUNS");

  const char *seconds = g_getenv ("SATIN_FUZZ_SECONDS");

  budget_us =
      seconds != NULL ? g_ascii_strtoll (seconds, NULL, 10) * G_USEC_PER_SEC / 2 : BUDGET_US;
  n_wanted = wanted != NULL ? g_ascii_strtoull (wanted, NULL, 10) / 2 : 0;
  n_runs = 0;
  begin_us = g_get_monotonic_time ();
}

static gboolean
is_over (void)
{
  return n_wanted > 0 ? n_runs >= n_wanted : g_get_monotonic_time () - begin_us > budget_us;
}

static void
tell (void)
{
  gint64 took_us = g_get_monotonic_time () - begin_us;

  g_test_message ("%" G_GUINT64_FORMAT " inputs, %.0f a second", n_runs,
                  (double)n_runs * G_USEC_PER_SEC / (double)MAX (took_us, 1));
}

static guint
random_below (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

static void
run (const GByteArray *input)
{
  g_autofree guint8 *copy = g_memdup2 (input->data, input->len);
  n_runs++;
  LLVMFuzzerTestOneInput (copy, input->len);
}

/* Prefers bytes that often matter in lengths and counts. */
static guint8
random_byte (void)
{
  static const guint8 special[] = { 0, 1, 2, 3, 4, 0x7f, 0x80, 0xff };
  return random_below (2) == 0 ? special[random_below (sizeof special)]
                               : (guint8)random_below (256);
}

/* Changes a byte, flips a bit, removes or repeats a part, or cuts off the end. */
static void
mutate (GByteArray *input)
{
  if (input->len == 0)
    return;
  guint at = random_below (input->len);
  guint n = 1 + random_below (MIN (input->len - at, 10));
  guint8 part[10];
  memcpy (part, input->data + at, n);
  switch (random_below (5))
    {
    case 0:
      input->data[at] = random_byte ();
      break;
    case 1:
      input->data[at] ^= (guint8)(1U << random_below (8));
      break;
    case 2:
      g_byte_array_remove_range (input, at, n);
      break;
    case 3:
      g_byte_array_append (input, part, n);
      memmove (input->data + at + n, input->data + at, input->len - at - n);
      break;
    default:
      g_byte_array_set_size (input, at);
      break;
    }
}

static void
test_random_bytes (void)
{
  begin ();
  while (!is_over ())
    {
      g_autoptr (GByteArray) input = g_byte_array_new ();
      g_byte_array_set_size (input, random_below (200));
      for (guint j = 0; j < input->len; j++)
        input->data[j] = random_byte ();
      run (input);
    }
  tell ();
}

static void
test_mutated_examples (void)
{
  begin ();
  while (!is_over ())
    {
      g_autoptr (GByteArray) input = g_byte_array_new ();
      fuzz_example (input);
      run (input);
      for (guint j = 0; j < N_MUTANTS; j++)
        {
          mutate (input);
          run (input);
        }
    }
  tell ();
}

/* Writes examples to @folder, as files for the corpus. */
static void
write_examples (const char *folder)
{
  for (guint i = 1; i <= N_EXAMPLES; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/example-%u", folder, i);
      g_autoptr (GByteArray) example = g_byte_array_new ();
      while (example->len == 0 || example->len > MAX_EXAMPLE_BYTES)
        {
          g_byte_array_set_size (example, 0);
          fuzz_example (example);
        }
      g_assert_true (
          g_file_set_contents (path, (const char *)example->data, (gssize)example->len, NULL));
    }
}

/* Runs each file as it is, and then mutated. */
static void
test_corpus (void)
{
  g_autoptr (GDir) folder = g_dir_open (corpus, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (corpus, name, NULL);
      g_autoptr (GByteArray) input = g_byte_array_new ();
      char *bytes = NULL;
      gsize n_bytes = 0;
      g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
      g_byte_array_append (input, (const guint8 *)bytes, (guint)n_bytes);
      g_free (bytes);
      run (input);
      for (guint i = 0; i < N_MUTANTS; i++)
        {
          mutate (input);
          run (input);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  corpus = argc > 1 ? argv[1] : "";
  if (g_getenv ("SATIN_FUZZ_WRITE") != NULL)
    {
      write_examples (g_getenv ("SATIN_FUZZ_WRITE"));
      return 0;
    }
  g_test_add_func ("/fuzz/corpus-breaks-nothing", test_corpus);
  g_test_add_func ("/fuzz/random-bytes-break-nothing", test_random_bytes);
  g_test_add_func ("/fuzz/mutated-examples-break-nothing", test_mutated_examples);
  return g_test_run ();
}
