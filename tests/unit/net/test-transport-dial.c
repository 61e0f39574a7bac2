/* test-transport-dial.c - tests how TCP dials a name with many addresses
 *
 * The functions below replace the look-up of names; they answer what the test wants.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"
#include "dial.h"
#include "raw-tcp.h"
#include "slow-loop.h"

#include <string.h>
#include <unistd.h>

#define MAX_ADDRESSES 3

/* The addresses that the look-up returns, up to %NULL. */
static const char *answer[MAX_ADDRESSES + 1];

struct addrinfo *
tcp_address_from_number (const char *host, guint16 port)
{
  return NULL;
}

int
tcp_address_look_up (const char *host, guint16 port, struct addrinfo **ret_addresses)
{
  struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };
  struct addrinfo **end = ret_addresses;
  for (guint i = 0; answer[i] != NULL; i++)
    {
      int status = getaddrinfo ("127.0.0.1", strrchr (answer[i], ':') + 1, &hints, end);
      g_assert_cmpint (status, ==, 0);
      end = &(*end)->ai_next;
    }
  return answer[0] != NULL ? 0 : EAI_NONAME;
}

char *
tcp_address_format (const struct sockaddr *address)
{
  return g_strdup ("the address");
}

typedef struct
{
  SatinLoop *loop;
  Stream *stream;
  StreamLink *link;
  guint n_up;
  guint n_down;
  GError *error;
  gboolean is_closed;
} Caller;

static void
on_up (gpointer link, gpointer user_data)
{
  ((Caller *)user_data)->n_up++;
}

static void
on_down (gpointer link, const GError *error, gpointer user_data)
{
  Caller *self = user_data;
  self->n_down++;
  self->error = g_error_copy (error);
}

static const SatinLinkEvents events = { .struct_size = sizeof (SatinLinkEvents),
                                        .up = on_up,
                                        .down = on_down };

static void
on_closed (const GError *error, gpointer user_data)
{
  ((Caller *)user_data)->is_closed = TRUE;
}

static void
caller_dial (Caller *self)
{
  g_autoptr (GError) error = NULL;
  StreamOptions options = { .connect_timeout_us = G_MAXINT32 * (gint64)1000000,
                            .shut_timeout_us = 5000000,
                            .queue_limit_bytes = 1 << 20 };
  *self = (Caller){ .loop = slow_loop_new () };
  SatinTransportContext context = { .struct_size = sizeof context, .loop = self->loop };
  self->stream = stream_new (&context, &options, &error);
  g_assert_no_error (error);
  self->link = stream_link_new (self->stream, "a name", &events, self);
  tcp_dial (self->stream, self->link, "name", 1, 0);
}

/* Turns the loop until a link is up or down. The look-up runs in a thread and takes real time, so
 * the loop's own clock moves slowly. After 5 s of real time this gives up. */
static void
caller_run (Caller *self)
{
  GMainContext *context = satin_loop_get_context (self->loop);
  gint64 end_us = g_get_monotonic_time () + 5000000;
  while (self->n_up + self->n_down == 0 && g_get_monotonic_time () < end_us)
    {
      g_main_context_iteration (context, FALSE);
      slow_loop_advance (self->loop, 1000);
    }
}

static void
caller_close (Caller *self)
{
  stream_close (self->stream, on_closed, self);
  while (!self->is_closed)
    g_main_context_iteration (satin_loop_get_context (self->loop), TRUE);
  g_clear_error (&self->error);
  satin_loop_free (self->loop);
}

/* Returns: (transfer full): an address at which nobody listens */
static char *
get_dead_uri (void)
{
  char *uri = NULL;
  close (raw_tcp_listen (1, &uri));
  return uri;
}

static void
test_address_after_a_dead_one_is_tried (void)
{
  g_autofree char *dead = get_dead_uri ();
  g_autofree char *live = NULL;
  int listener = raw_tcp_listen (1, &live);
  Caller caller;
  memcpy (answer, ((const char *[]){ dead, live, NULL }), 3 * sizeof *answer);
  caller_dial (&caller);
  caller_run (&caller);
  g_assert_cmpuint (caller.n_up, ==, 1);
  close (listener);
  caller_close (&caller);
}

static void
test_all_dead_is_unreachable (void)
{
  g_autofree char *one = get_dead_uri ();
  g_autofree char *two = get_dead_uri ();
  Caller caller;
  memcpy (answer, ((const char *[]){ one, two, NULL }), 3 * sizeof *answer);
  caller_dial (&caller);
  caller_run (&caller);
  g_assert_cmpuint (caller.n_down, ==, 1);
  g_assert_error (caller.error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
  caller_close (&caller);
}

static void
test_name_without_address_is_unreachable (void)
{
  Caller caller;
  answer[0] = NULL;
  caller_dial (&caller);
  caller_run (&caller);
  g_assert_error (caller.error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
  caller_close (&caller);
}

/* A listener does not answer when its queue is full. */
static void
test_silent_address_does_not_hold_up_the_next (void)
{
  g_autofree char *silent = NULL;
  g_autofree char *live = NULL;
  int silent_listener = raw_tcp_listen (0, &silent);
  int import = raw_tcp_connect (silent);
  int listener = raw_tcp_listen (1, &live);
  Caller caller;
  memcpy (answer, ((const char *[]){ silent, live, NULL }), 3 * sizeof *answer);
  caller_dial (&caller);
  caller_run (&caller);
  g_assert_cmpuint (caller.n_up, ==, 1);
  close (import);
  close (silent_listener);
  close (listener);
  caller_close (&caller);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/transport-dial/address-after-a-dead-one-is-tried",
                   test_address_after_a_dead_one_is_tried);
  g_test_add_func ("/net/transport-dial/all-dead-is-unreachable", test_all_dead_is_unreachable);
  g_test_add_func ("/net/transport-dial/name-without-address-is-unreachable",
                   test_name_without_address_is_unreachable);
  g_test_add_func ("/net/transport-dial/silent-address-does-not-hold-up-the-next",
                   test_silent_address_does_not_hold_up_the_next);
  return g_test_run ();
}
