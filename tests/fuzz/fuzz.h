/* fuzz.h - the functions that a fuzz target provides
 *
 * A target fuzz-NAME.c has the two functions below. It is linked twice:
 *
 *   with smoke.c    a TAP test for any compiler: the files in corpus/NAME, random bytes and mutated
 *                   examples, the same in each run (the suite fuzz-smoke)
 *   with mutator.c  a libFuzzer program, with clang and -Dfuzz=true:
 *                   tests/fuzz/fuzz-record -runs=10000000 -max_len=1024 -timeout=10
 *
 * A target aborts when the code breaks one of the properties that it checks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <glib.h>

/* Tries one input. The name is libFuzzer's. @bytes: (array length=n_bytes): hostile. Returns: 0 */
int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes);

/* Appends a random valid input to @out, made with g_test_rand_int(). */
void fuzz_example (GByteArray *out);
