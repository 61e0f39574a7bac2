/* fuzz-frames.c - fuzzes a link's hello and frames
 *
 * The first byte of an input says whether the link gets a valid hello first (HELLO), and whether
 * all bytes arrive one at a time (CUT). The rest are the bytes that arrive. The link may come up
 * once at most, and go down once at most.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/net/link-world.h"
#include "link/frame.h"
#include "link/hello.h"
#include "messages.h"

/* Bits of the first byte. */
#define HELLO 1u
#define CUT   2u

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static const SatinProgram program = { .name = "fib", .digest = { 1, 2, 3 } };
  const SatinIdentity identity = { .role = SATIN_ROLE_NODE, .program = &program, .node = 1 };
  LinkWorld world = { 0 };
  RawSide raw;

  if (n_bytes == 0)
    return 0;
  fuzz_take_warnings ();
  link_world_open (&world, NULL);
  if (bytes[0] & CUT)
    pipe_network_set_chunk (world.network, 1);
  raw_side_open (&raw, &world);
  raw_side_dial (&raw, "pipe:far");
  link_world_run (&world, 0);
  if (bytes[0] & HELLO)
    raw_side_send_hello (&raw, &identity, 0);
  link_world_run (&world, 0);
  if (raw.link != NULL && n_bytes > 1)
    raw_side_send (&raw, bytes + 1, n_bytes - 1);
  link_world_run (&world, G_USEC_PER_SEC);
  g_assert_cmpuint (world.far.n_open, <=, 1);
  if (raw.link != NULL)
    raw_side_shut (&raw);
  link_world_run (&world, G_USEC_PER_SEC);
  raw_side_close (&raw, &world);
  g_assert_cmpuint (world.far.n_down, <=, 1);
  link_world_close (&world, NULL);
  return 0;
}

static void
add_frame (GByteArray *out, guint8 kind, guint8 channel, const guint8 *bytes, gsize n_bytes)
{
  guint8 head[SATIN_FRAME_HEAD_BYTES];

  satin_frame_write_head (head, kind, channel, n_bytes);
  g_byte_array_append (out, head, sizeof head);
  g_byte_array_append (out, bytes, (guint)n_bytes);
}

void
fuzz_example (GByteArray *out)
{
  static const SatinProgram program = { .name = "fib", .digest = { 1, 2, 3 } };
  static const guint8 zeros[64] = { 0 };
  const SatinIdentity identity = { .role = (SatinRole)g_test_rand_int_range (0, 4),
                                   .program = &program,
                                   .node = 1 };
  guint8 how = (guint8)g_test_rand_int_range (0, 4);

  g_byte_array_append (out, &how, 1);
  if ((how & HELLO) == 0)
    {
      g_autoptr (GBytes) hello = satin_hello_to_bytes (&identity);
      add_frame (out, SATIN_FRAME_HELLO, 0, g_bytes_get_data (hello, NULL),
                 g_bytes_get_size (hello));
    }
  for (gint i = g_test_rand_int_range (0, 5); i > 0; i--)
    add_frame (out, (guint8)g_test_rand_int_range (0, 12), (guint8)g_test_rand_int_range (0, 10),
               zeros, (gsize)g_test_rand_int_range (0, sizeof zeros));
}
