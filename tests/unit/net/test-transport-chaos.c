/* test-transport-chaos.c - tests that operations in any order keep the rules of a link
 *
 * Links are made, written, paused, shut and dropped at random, and strangers come and go.
 * stream-world.c checks the rules that every link keeps. All sides send the same stream of bytes,
 * and each side must have received a beginning of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "raw-tcp.h"

#include <sys/socket.h>
#include <unistd.h>

#define N_STEPS   3000
#define MAX_SIDES 60

/* The byte at @offset of every stream. */
static guint8
byte_at (gsize offset)
{
  return (guint8)(offset * 31 + (offset >> 8) * 7 + (offset >> 16));
}

static Side *
pick (World *world)
{
  GPtrArray *sides = g_test_rand_bit () ? world->dialed : world->accepted;
  if (sides->len == 0)
    return NULL;
  Side *side = sides->pdata[g_test_rand_int_range (0, (gint)sides->len)];
  return side->link != NULL ? side : NULL;
}

static void
send_some (Side *side)
{
  gsize n_bytes = (gsize)g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 19));
  guint8 *bytes = g_malloc (n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    bytes[i] = byte_at (side->n_sent_bytes + i);
  side->n_sent_bytes += n_bytes;
  g_autoptr (GBytes) sent = g_bytes_new_take (bytes, n_bytes);
  side_send_bytes (side, sent);
}

/* Connects over TCP as a stranger, and then closes or resets the connection. With TLS, the stranger
 * may first send the head of a record, noise, or both. */
static void
knock (World *world)
{
  static const guint8 head[] = { 0x16, 0x03, 0x01, 0x00, 0x20, 0x01, 0x00, 0x00, 0x1c };
  if (world->kind->plugin == world_unix.plugin)
    return;
  int fd = raw_tcp_connect (world->uri);
  g_autoptr (GBytes) noise = world_pattern ((gsize)g_test_rand_int_range (1, 2000));
  struct linger none = { .l_onoff = g_test_rand_bit () };
  setsockopt (fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  if (world->kind->has_secret && g_test_rand_bit ())
    raw_tcp_write (fd, head, sizeof head);
  if (world->kind->has_secret && g_test_rand_bit ())
    raw_tcp_write (fd, g_bytes_get_data (noise, NULL), g_bytes_get_size (noise));
  if (g_test_rand_bit ())
    g_main_context_iteration (world->context, FALSE);
  close (fd);
}

static void
act (World *world)
{
  Side *side = pick (world);
  gint choice = g_test_rand_int_range (0, 100);
  if (choice < 3 && world->dialed->len < MAX_SIDES)
    world_connect (world, world->uri);
  else if (choice < 4)
    knock (world);
  else if (side == NULL)
    g_main_context_iteration (world->context, FALSE);
  else if (choice < 40 && world->ops.queued_bytes (side->link) < (gsize)4 << 20)
    send_some (side);
  else if (choice < 55)
    side_pause (side, g_test_rand_bit ());
  else if (choice == 55)
    side_shut (side);
  else if (choice == 56)
    side_drop (side);
  else if (choice == 57)
    side->is_dropping = TRUE;
  else
    g_main_context_iteration (world->context, FALSE);
}

static void
check_received (GPtrArray *sides)
{
  for (guint i = 0; i < sides->len; i++)
    {
      const Side *side = sides->pdata[i];
      for (guint offset = 0; offset < side->received->len; offset++)
        if (side->received->data[offset] != byte_at (offset))
          g_error ("side %u received a wrong byte at %u", i, offset);
    }
}

static void
test_any_order_keeps_the_rules (gconstpointer kind)
{
  World *world = world_new (kind);
  world_listen (world);
  for (guint step = 0; step < N_STEPS; step++)
    act (world);
  check_received (world->accepted);
  check_received (world->dialed);
  g_test_message ("%u dialed, %u accepted", world->dialed->len, world->accepted->len);
  world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/net/transport-chaos/any-order-keeps-the-rules/unix", &world_unix,
                        test_any_order_keeps_the_rules);
  g_test_add_data_func ("/net/transport-chaos/any-order-keeps-the-rules/tcp", &world_plain,
                        test_any_order_keeps_the_rules);
  g_test_add_data_func ("/net/transport-chaos/any-order-keeps-the-rules/tls", &world_tls,
                        test_any_order_keeps_the_rules);
  return g_test_run ();
}
