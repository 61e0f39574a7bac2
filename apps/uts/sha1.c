/* sha1.c - SHA-1 of a message of one block
 *
 * The portable rounds are written out, because compilers then keep the 16
 * words of the schedule in registers: a loop takes two to four times as long.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sha1.h"

#if defined(__x86_64__) || defined(__i386__)
#  include <cpuid.h>
#  include <immintrin.h>
#endif

/* The state before the first block. */
static const guint32 initial[UTS_SHA1_WORDS] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                                 0xc3d2e1f0 };

static inline guint32
rotate_left (guint32 x, int n_bits)
{
  return x << n_bits | x >> (32 - n_bits);
}

/* Word @i of the schedule, in a ring of 16. */
static inline guint32
schedule (guint32 *w, int i)
{
  if (i >= 16)
    w[i & 15] = rotate_left (w[(i - 3) & 15] ^ w[(i - 8) & 15] ^ w[(i - 14) & 15] ^ w[i & 15], 1);
  return w[i & 15];
}

/* clang-format off */
#define CHOOSE(b, c, d)   (d ^ (b & (c ^ d)))
#define PARITY(b, c, d)   (b ^ c ^ d)
#define MAJORITY(b, c, d) ((b & c) | (d & (b | c)))

#define ROUND(F, k, a, b, c, d, e, i) \
  e += rotate_left (a, 5) + F (b, c, d) + k + schedule (w, i); b = rotate_left (b, 30);
/* After five rounds each variable is back in its own place. */
#define ROUNDS_5(F, k, i) \
  ROUND (F, k, a, b, c, d, e, (i)) ROUND (F, k, e, a, b, c, d, (i) + 1) \
  ROUND (F, k, d, e, a, b, c, (i) + 2) ROUND (F, k, c, d, e, a, b, (i) + 3) \
  ROUND (F, k, b, c, d, e, a, (i) + 4)
#define ROUNDS_20(F, k, i) \
  ROUNDS_5 (F, k, i) ROUNDS_5 (F, k, i + 5) ROUNDS_5 (F, k, i + 10) ROUNDS_5 (F, k, i + 15)
/* clang-format on */

void
uts_sha1_portable (const guint32 *words, guint32 sixth, guint32 seventh, guint32 n_bits,
                   guint32 *ret_digest)
{
  guint32 w[16] = {
    words[0], words[1], words[2], words[3], words[4], sixth, seventh, [15] = n_bits
  };
  guint32 a = initial[0], b = initial[1], c = initial[2], d = initial[3], e = initial[4];
  ROUNDS_20 (CHOOSE, 0x5a827999, 0)
  ROUNDS_20 (PARITY, 0x6ed9eba1, 20)
  ROUNDS_20 (MAJORITY, 0x8f1bbcdc, 40)
  ROUNDS_20 (PARITY, 0xca62c1d6, 60)
  ret_digest[0] = a + initial[0];
  ret_digest[1] = b + initial[1];
  ret_digest[2] = c + initial[2];
  ret_digest[3] = d + initial[3];
  ret_digest[4] = e + initial[4];
}

#if defined(__x86_64__) || defined(__i386__)

/* clang-format off */
/* Four rounds; vectors have the first word in the highest lane. */
#define STEP(i, function) \
  if ((i) >= 4) \
    w[(i) & 3] = _mm_sha1msg2_epu32 (_mm_xor_si128 (_mm_sha1msg1_epu32 (w[(i) & 3], w[((i) + 1) & 3]), w[((i) + 2) & 3]), w[((i) + 3) & 3]); \
  e = (i) == 0 ? _mm_add_epi32 (e, w[0]) : _mm_sha1nexte_epu32 (before, w[(i) & 3]); \
  before = abcd; \
  abcd = _mm_sha1rnds4_epu32 (abcd, e, function);
#define STEPS_5(i, function) \
  STEP (i, function) STEP ((i) + 1, function) STEP ((i) + 2, function) \
  STEP ((i) + 3, function) STEP ((i) + 4, function)
/* clang-format on */

static __attribute__ ((target ("sha,sse4.1"))) void
sha1_with_instructions (const guint32 *words, guint32 sixth, guint32 seventh, guint32 n_bits,
                        guint32 *ret_digest)
{
  const __m128i abcd_initial =
      _mm_set_epi32 ((int)initial[0], (int)initial[1], (int)initial[2], (int)initial[3]);
  const __m128i e_initial = _mm_set_epi32 ((int)initial[4], 0, 0, 0);
  __m128i w[4] = {
    _mm_set_epi32 ((int)words[0], (int)words[1], (int)words[2], (int)words[3]),
    _mm_set_epi32 ((int)words[4], (int)sixth, (int)seventh, 0),
    _mm_setzero_si128 (),
    _mm_set_epi32 (0, 0, 0, (int)n_bits),
  };
  __m128i abcd = abcd_initial, e = e_initial, before = abcd_initial;
  STEPS_5 (0, 0)
  STEPS_5 (5, 1)
  STEPS_5 (10, 2)
  STEPS_5 (15, 3)
  e = _mm_sha1nexte_epu32 (before, e_initial);
  abcd = _mm_shuffle_epi32 (_mm_add_epi32 (abcd, abcd_initial), 0x1b);
  _mm_storeu_si128 ((__m128i *)ret_digest, abcd);
  ret_digest[4] = (guint32)_mm_extract_epi32 (e, 3);
}

static gboolean
has_instructions (void)
{
  unsigned int a, b, c, d;
  if (!__get_cpuid (1, &a, &b, &c, &d) || (c & bit_SSE4_1) == 0)
    return FALSE;
  return __get_cpuid_count (7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

static __attribute__ ((constructor)) void
choose (void)
{
  if (has_instructions ())
    uts_sha1 = sha1_with_instructions;
}

#endif

void (*uts_sha1) (const guint32 *words, guint32 sixth, guint32 seventh, guint32 n_bits,
                  guint32 *ret_digest) = uts_sha1_portable;
