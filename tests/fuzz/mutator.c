/* mutator.c - feeds libFuzzer with valid examples now and then
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "fuzz.h"

/* One input in so many is a fresh example instead of a mutant. */
#define EXAMPLE_EVERY 32

size_t LLVMFuzzerMutate (uint8_t *bytes, size_t n_bytes, size_t n_max);
int LLVMFuzzerInitialize (int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n_bytes, size_t n_max, unsigned int seed);

/* Random numbers of GTest need its initialization; the arguments stay libFuzzer's. */
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
