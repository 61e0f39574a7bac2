/* fuzz-slurm.c - fuzzes the parsers of what Slurm's commands print
 *
 * The first byte of an input chooses the parser. Reported jobs and nodes must be complete.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"
#include "fuzz.h"

#include <satin/adapt/command.h>

#include <string.h>

static void
check_job (const SlurmJob *job, gpointer user_data)
{
  g_assert_nonnull (job->id);
  g_assert_nonnull (job->node);
  g_assert_cmpint (job->start_s, >=, 0);
  answers_is_hopeless (job->reason);
  g_assert_true (!answers_is_out_of_memory (job) || job->phase == PHASE_OVER);
}

static void
check_node (const SlurmNode *node, gpointer user_data)
{
  g_assert_nonnull (node->partition);
  g_assert_nonnull (node->name);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes == 0)
    return 0;
  g_autofree char *text = g_strndup ((const char *)bytes + 1, n_bytes - 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *read = NULL;
  switch (bytes[0] % 5)
    {
    case 0:
      read = answers_read_submitted (text, &error);
      g_assert_true ((read == NULL) == (error != NULL));
      break;
    case 1:
      g_assert_true (answers_read_jobs (text, check_job, NULL, &error) == (error == NULL));
      break;
    case 2:
      g_assert_true (answers_read_nodes (text, check_node, NULL, &error) == (error == NULL));
      break;
    case 3:
      read = satin_command_last_line (text);
      g_assert_true (g_utf8_validate (read, -1, NULL) && strchr (read, '\n') == NULL);
      break;
    default:
      read = answers_read_complaint (text);
      g_assert_true (g_utf8_validate (read, -1, NULL) && strchr (read, '\n') == NULL);
      break;
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "\5"
    "1234;cluster\n",
    "\1"
    "12|RUNNING|n1|p|1700000000|1700003600|N/A|0|None|\n12_3|PENDING||p|N/A|N/A|N/A|0|Resources|\n",
    "\1"
    "9|OUT_OF_MEMORY|n1|p|1700000000|1700000004|N/A|125|OutOfMemory|\n",
    "\2"
    "p*|n1|idle|0/8/0/8\nq|n2|drain*|1/2/3/6\n",
    "\3"
    "one\ntwo\r\n\n",
    "\4"
    "sbatch: error: Batch job submission failed: Invalid partition\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
