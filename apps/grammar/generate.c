/* generate.c - makes samples of random automata
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample.h"

#include <satin/base/error.h>
#include <satin/base/random.h>

#define MAX_STATES 64
#define N_LETTERS  2
#define N_NUMBERS  3

/* The longest string that is drawn has this many symbols more than 2 log2 of the states. */
#define LONGER 3

/* Returns: a random number from 0 to @n - 1 */
static guint
draw (guint64 *state, guint n)
{
  return (guint)((satin_random_next (state) >> 32) * n >> 32);
}

static gboolean
read_numbers (const char *text, int *ret_numbers)
{
  static const int most[] = { G_MAXINT, MAX_STATES, SAMPLE_MAX_STRINGS };
  g_auto (GStrv) words = g_strsplit (text, ",", 0);
  if (g_strv_length (words) != N_NUMBERS)
    return FALSE;
  for (int i = 0; i < N_NUMBERS; i++)
    {
      gint64 number;
      if (!g_ascii_string_to_signed (words[i], 10, i == 0 ? 0 : 1, most[i], &number, NULL))
        return FALSE;
      ret_numbers[i] = (int)number;
    }
  return TRUE;
}

/* Returns: number of symbols of the longest strings */
static guint
longest (int n_states)
{
  guint length = LONGER;
  for (int n = 1; n < n_states; n *= 2)
    length += 2;
  return length;
}

gboolean
sample_generate (const char *text, Sample *ret_sample, GError **error)
{
  int numbers[N_NUMBERS], next[MAX_STATES][N_LETTERS];
  guint8 is_accepting[MAX_STATES];
  if (!read_numbers (text, numbers))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--generate is '%s', but must be SEED,STATES,STRINGS, with up to %d states and "
                   "%d strings",
                   text, MAX_STATES, SAMPLE_MAX_STRINGS);
      return FALSE;
    }
  guint64 state = (guint64)numbers[0];
  guint n_states = (guint)numbers[1], length_bits = longest (numbers[1]);
  gsize n_strings = (gsize)numbers[2];
  for (guint i = 0; i < n_states; i++)
    {
      is_accepting[i] = (guint8)draw (&state, 2);
      for (int letter = 0; letter < N_LETTERS; letter++)
        next[i][letter] = (int)draw (&state, n_states);
    }

  guint8 *is_accepted = g_new (guint8, n_strings);
  gint32 *lengths = g_new (gint32, n_strings);
  g_autoptr (GByteArray) symbols = g_byte_array_new ();
  for (gsize i = 0; i < n_strings; i++)
    {
      /* The numbers from 1 on are all strings, if the highest bit that is set says where the string
       * begins. */
      guint number = 1 + draw (&state, (2u << length_bits) - 1);
      int at = 0;
      lengths[i] = 31 - __builtin_clz (number);
      for (int bit = lengths[i] - 1; bit >= 0; bit--)
        {
          guint8 symbol = number >> bit & 1;
          g_byte_array_append (symbols, &symbol, 1);
          at = next[at][symbol];
        }
      is_accepted[i] = is_accepting[at];
    }
  *ret_sample = (Sample){ .n_letters = N_LETTERS,
                          .is_accepted = is_accepted,
                          .n_is_accepted = n_strings,
                          .lengths = lengths,
                          .n_lengths = n_strings };
  ret_sample->symbols = g_byte_array_steal (symbols, &ret_sample->n_symbols);
  return TRUE;
}
