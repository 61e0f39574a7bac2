/* arguments.c - which arguments of the program do not matter to its results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arguments.h"

#include <satin/core/main.h>
#include <string.h>

/* (element-type utf8) (nullable): changes before satin_main() only */
static GPtrArray *free_options;

void
satin_argument_is_free (const char *option)
{
  g_return_if_fail (option != NULL && option[0] == '-' && option[1] != '\0');
  if (free_options == NULL)
    free_options = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (free_options, g_strdup (option));
}

/* How many words belong to @option if it is at @word; 0 if it is not. "--output=" takes
 * "--output=FILE" or "--output FILE". */
static guint
count_words (const char *option, const char *word)
{
  gsize n_option = strlen (option);
  if (option[n_option - 1] != '=')
    return g_str_equal (word, option);
  if (strncmp (word, option, n_option) == 0)
    return 1;
  return strlen (word) == n_option - 1 && strncmp (word, option, n_option - 1) == 0 ? 2 : 0;
}

static guint
count_free (const char *word)
{
  guint n = 0;
  for (guint i = 0; free_options != NULL && i < free_options->len && n == 0; i++)
    n = count_words (g_ptr_array_index (free_options, i), word);
  return n;
}

GPtrArray *
arguments_that_matter (char *const *argv, gsize n_argv)
{
  GPtrArray *words = g_ptr_array_new ();
  gboolean is_options = TRUE;
  for (gsize i = 0; i < n_argv;)
    {
      guint n_free = is_options ? count_free (argv[i]) : 0;
      if (n_free == 0)
        g_ptr_array_add (words, argv[i]);
      is_options = is_options && !g_str_equal (argv[i], "--");
      i += MAX (n_free, 1);
    }
  return words;
}
