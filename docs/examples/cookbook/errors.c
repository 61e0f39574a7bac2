/* errors.c - jobs that fail: the program reports their errors, and all other jobs continue
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <satin/core.h>

/* @error: empty if the job went well */
SATIN_RECORD (Outcome, (double, value), (string, error))

/* A job that may fail. The error's message begins with the name and the arguments of the task. */
SATIN_TASK (root_of, (double), (string, word))
{
  char *end;
  double number = g_ascii_strtod (word, &end);
  if (*word == '\0' || *end != '\0' || !(number >= 0))
    satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "%s is no number of 0 or more", word));
  return sqrt (number);
}

/* A job that does not fail. It takes the error of its child, so the error goes no further up. */
SATIN_TASK (try_root, (record, Outcome), (string, word))
{
  double value;
  g_autoptr (GError) error = NULL;
  SATIN_SPAWN (&value, root_of, word);
  if (!SATIN_SYNC_ERROR (&error))
    return (Outcome){ 0, g_strdup (error != NULL ? error->message : "aborted") };
  return (Outcome){ value, NULL };
}

SATIN_TASK (start, (int), (array_string, argv))
{
  guint n_failed = 0;
  if (n_argv < 2)
    return g_printerr ("usage: errors NUMBER...\n"), 2;
  g_autofree Outcome *outcomes = g_new0 (Outcome, n_argv);
  for (gsize i = 1; i < n_argv; i++)
    SATIN_SPAWN (&outcomes[i], try_root, argv[i]);
  SATIN_SYNC_OR_RETURN (1);
  for (gsize i = 1; i < n_argv; i++)
    {
      gboolean is_good = outcomes[i].error == NULL || *outcomes[i].error == '\0';
      if (is_good)
        g_print ("%s: %g\n", argv[i], outcomes[i].value);
      else
        g_print ("%s: failed: %s\n", argv[i], outcomes[i].error);
      n_failed += !is_good;
      satin_record_clear (&Outcome_record, &outcomes[i]);
    }
  return n_failed > 0 ? 1 : 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
