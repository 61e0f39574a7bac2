/* crc32c.c - the check sum of checkpoints, eight bytes at a time
 *
 * Row k of the table has the CRC of each byte value followed by k zero bytes. A CRC is linear: the
 * CRC of a byte is the XOR of the CRCs of its bits. So the macros compute the whole table from 64
 * numbers, one for each bit in each row. The first number is 0x82f63b78. Each next number is the
 * one before it, shifted right by one bit and reduced by the polynomial.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "crc32c.h"

#include <string.h>

/* clang-format off */
#define BIT(n, mask, of_bit) (((n) & (mask)) != 0 ? (of_bit) : 0u)
#define BYTE(n, a, b, c, d, e, f, g, h) \
  BIT (n, 0x80, a) ^ BIT (n, 0x40, b) ^ BIT (n, 0x20, c) ^ BIT (n, 0x10, d) \
  ^ BIT (n, 0x08, e) ^ BIT (n, 0x04, f) ^ BIT (n, 0x02, g) ^ BIT (n, 0x01, h)
#define BYTES_4(n, ...) \
  BYTE (n, __VA_ARGS__), BYTE ((n) + 1, __VA_ARGS__), \
  BYTE ((n) + 2, __VA_ARGS__), BYTE ((n) + 3, __VA_ARGS__)
#define BYTES_16(n, ...) \
  BYTES_4 (n, __VA_ARGS__), BYTES_4 ((n) + 4, __VA_ARGS__), \
  BYTES_4 ((n) + 8, __VA_ARGS__), BYTES_4 ((n) + 12, __VA_ARGS__)
#define BYTES_64(n, ...) \
  BYTES_16 (n, __VA_ARGS__), BYTES_16 ((n) + 16, __VA_ARGS__), \
  BYTES_16 ((n) + 32, __VA_ARGS__), BYTES_16 ((n) + 48, __VA_ARGS__)
#define BYTES(...) \
  BYTES_64 (0, __VA_ARGS__), BYTES_64 (64, __VA_ARGS__), \
  BYTES_64 (128, __VA_ARGS__), BYTES_64 (192, __VA_ARGS__)

static const guint32 table[8][256] = {
  { BYTES (0x82f63b78, 0x417b1dbc, 0x20bd8ede, 0x105ec76f,
           0x8ad958cf, 0xc79a971f, 0xe13b70f7, 0xf26b8303) },
  { BYTES (0xfbc3faf9, 0xff17c604, 0x7f8be302, 0x3fc5f181,
           0x9d14c3b8, 0x4e8a61dc, 0x274530ee, 0x13a29877) },
  { BYTES (0x8b277743, 0xc76580d9, 0xe144fb14, 0x70a27d8a,
           0x38513ec5, 0x9edea41a, 0x4f6f520d, 0xa541927e) },
  { BYTES (0x52a0c93f, 0xaba65fe7, 0xd725148b, 0xe964b13d,
           0xf64463e6, 0x7b2231f3, 0xbf672381, 0xdd45aab8) },
  { BYTES (0x6ea2d55c, 0x37516aae, 0x1ba8b557, 0x8f2261d3,
           0xc5670b91, 0xe045beb0, 0x7022df58, 0x38116fac) },
  { BYTES (0x1c08b7d6, 0x0e045beb, 0x85f4168d, 0xc00c303e,
           0x6006181f, 0xb2f53777, 0xdb8ca0c3, 0xef306b19) },
  { BYTES (0xf56e0ef4, 0x7ab7077a, 0x3d5b83bd, 0x9c5bfaa6,
           0x4e2dfd53, 0xa5e0c5d1, 0xd0065990, 0x68032cc8) },
  { BYTES (0x34019664, 0x1a00cb32, 0x0d006599, 0x847609b4,
           0x423b04da, 0x211d826d, 0x9278fa4e, 0x493c7d27) },
};
/* clang-format on */

guint32
crc32c (guint32 sum, const guint8 *bytes, gsize n_bytes)
{
  guint32 rest = ~sum;
  for (; n_bytes >= 8; bytes += 8, n_bytes -= 8)
    {
      guint32 words[2];
      memcpy (words, bytes, sizeof words);
      guint32 low = GUINT32_FROM_LE (words[0]) ^ rest;
      guint32 high = GUINT32_FROM_LE (words[1]);
      rest = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^ table[5][low >> 16 & 0xff]
             ^ table[4][low >> 24] ^ table[3][high & 0xff] ^ table[2][high >> 8 & 0xff]
             ^ table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
    }
  for (; n_bytes > 0; bytes++, n_bytes--)
    rest = rest >> 8 ^ table[0][(rest ^ *bytes) & 0xff];
  return ~rest;
}
