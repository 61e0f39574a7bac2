/* sha1.h - SHA-1 of a message of one block, the random numbers of Unbalanced Tree Search
 *
 * The benchmark defines its trees by SHA-1, so most of its time is spent here.
 * The processor's SHA instructions are used where it has them.
 *
 * Threads: any. Source: FIPS 180-4, sections 5.1.1 and 6.1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define UTS_SHA1_WORDS 5
#define UTS_SHA1_END   0x80000000u

/**
 * uts_sha1:
 * @words: (array fixed-size=5): the first words of the padded block, big-endian values
 * @sixth: its sixth word: of the message, or its end mark 0x80000000
 * @seventh: its seventh word: the end mark, or 0
 * @n_bits: length of the message, 160 or 192
 * @ret_digest: (out caller-allocates) (array fixed-size=5): may be @words
 *
 * The sixth and seventh word come by value, because a word just written into
 * memory cannot be read as part of a vector before the last hash has retired.
 *
 * Cost: 17 to 37 ns with SHA instructions, 75 ns without.
 */
extern void (*uts_sha1) (const guint32 *words, guint32 sixth, guint32 seventh, guint32 n_bits,
                         guint32 *ret_digest);

/* The same without special instructions, for tests and other processors. */
void uts_sha1_portable (const guint32 *words, guint32 sixth, guint32 seventh, guint32 n_bits,
                        guint32 *ret_digest);

G_END_DECLS
