/* mutator.c - gives libFuzzer a new valid example now and then
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "fuzz.h"

/* One of so many inputs is a new example instead of a mutant. */
#define EXAMPLE_EVERY 32

size_t LLVMFuzzerMutate (uint8_t *bytes, size_t n_bytes, size_t n_max);
int LLVMFuzzerInitialize (int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n_bytes, size_t n_max, unsigned int seed);

/* GTest's random numbers need g_test_init(). libFuzzer keeps its own arguments. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  int test_argc = 1;
  char *test_args[] = { (*argv)[0], NULL };
  char **test_argv = test_args;
  g_test_init (&test_argc, &test_argv, NULL);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n_bytes, size_t n_max, unsigned int seed)
{
  if (seed % EXAMPLE_EVERY != 0)
    return LLVMFuzzerMutate (bytes, n_bytes, n_max);
  g_autoptr (GByteArray) example = g_byte_array_new ();
  fuzz_example (example);
  size_t n = MIN (example->len, n_max);
  memcpy (bytes, example->data, n);
  return n;
}
