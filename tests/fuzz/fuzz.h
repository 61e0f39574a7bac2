/* fuzz.h - what a fuzz target provides
 *
 * A target fuzz-NAME.c has the two functions below and is linked twice:
 *
 *   with smoke.c    a TAP test, any compiler: random bytes, mutated examples and the files in
 *                   corpus/NAME, in the same order in each run (the suite fuzz-smoke)
 *   with mutator.c  a libFuzzer program, clang, -Dfuzz=true:
 *                   tests/fuzz/fuzz-record -runs=10000000 -max_len=1024 -timeout=10
 *
 * A broken property aborts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <glib.h>

/* libFuzzer's name. @bytes: (array length=n_bytes): hostile. Returns: 0 */
int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes);

/* Adds a random valid input, made with g_test_rand_int(), to @out. */
void fuzz_example (GByteArray *out);
