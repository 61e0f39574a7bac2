/* net-end.c - the ends of links: their callbacks, their operations, their bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"

#include <string.h>

/* ---- callbacks ---- */

static void
check_event (End *self, gpointer link, const char *event)
{
  Case *c = self->side->net->c;
  if (self->side->net->is_inside)
    case_note (c, RULE_INSIDE, "%s came inside an operation", event);
  if (self->side->net->thread != g_thread_self ())
    case_note (c, RULE_THREAD, "%s came on another thread", event);
  if (self->link != NULL && link != self->link)
    case_note (c, RULE_LINK, "%s came with another link than that of its end", event);
  if (self->n_down > 0)
    case_note (c, RULE_DOWN, "%s came after down", event);
}

/* Does what check_event() does, for an event that may come only after up. */
static void
check_up_event (End *self, gpointer link, const char *event)
{
  check_event (self, link, event);
  if (self->n_up == 0)
    case_note (self->side->net->c, RULE_UP, "%s came before up", event);
}

static void
on_up (gpointer link, gpointer user_data)
{
  End *self = user_data;
  check_event (self, link, "up");
  if (self->n_up++ > 0)
    case_note (self->side->net->c, RULE_UP, "up came twice");
}

static void
on_received (gpointer link, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  End *self = user_data;
  check_up_event (self, link, "received");
  if (n_bytes == 0)
    case_note (self->side->net->c, RULE_BYTES, "received came without bytes");
  g_byte_array_append (self->received, bytes, (guint)n_bytes);
  if (self->is_pausing)
    end_pause (self, TRUE);
  if (self->is_dropping)
    end_drop (self);
}

static void
on_drained (gpointer link, gpointer user_data)
{
  End *self = user_data;
  check_up_event (self, link, "drained");
  self->n_drained++;
}

/* Whether a link may end with this error. */
static gboolean
is_reason (const GError *error)
{
  static const SatinErrorCode reasons[] = {
    SATIN_ERROR_CANCELLED, SATIN_ERROR_UNREACHABLE, SATIN_ERROR_TIMEOUT, SATIN_ERROR_SECRET,
    SATIN_ERROR_CLOSED,    SATIN_ERROR_FORMAT,      SATIN_ERROR_IO,
  };
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_error_matches (error, SATIN_ERROR, (gint)reasons[i]))
      return TRUE;
  return FALSE;
}

static void
on_down (gpointer link, const GError *error, gpointer user_data)
{
  End *self = user_data;
  check_event (self, link, "down");
  self->link = NULL;
  if (self->n_down++ > 0)
    return;
  self->error = error != NULL ? g_error_copy (error) : NULL;
  if (error != NULL && !is_reason (error))
    case_note (self->side->net->c, RULE_ERROR, "down came with an error of %s, code %d: %s",
               g_quark_to_string (error->domain), error->code, error->message);
}

const SatinLinkEvents net_link_events = {
  .struct_size = sizeof (SatinLinkEvents),
  .up = on_up,
  .received = on_received,
  .drained = on_drained,
  .down = on_down,
};

End *
end_new (Side *side, GPtrArray *ends)
{
  End *self = g_new0 (End, 1);
  self->side = side;
  self->received = g_byte_array_new ();
  g_ptr_array_add (ends, self);
  return self;
}

void
end_free (gpointer data)
{
  End *self = data;
  g_byte_array_unref (self->received);
  g_clear_error (&self->error);
  g_free (self);
}

static void
on_accepted (gpointer listener, gpointer link, const SatinLinkEvents **ret_events,
             gpointer *ret_user_data, gpointer user_data)
{
  Net *self = user_data;
  End *end = end_new (&self->sides[SERVER], self->accepted);
  if (self->is_inside)
    case_note (self->c, RULE_INSIDE, "accepted came inside an operation");
  end->link = link;
  end->n_up = 1;
  *ret_events = &net_link_events;
  *ret_user_data = end;
}

const SatinListenEvents net_listen_events = { .struct_size = sizeof (SatinListenEvents),
                                              .accepted = on_accepted };

/* ---- waiting ---- */

typedef struct
{
  End *end;
  gsize n_bytes;
} Amount;

static gboolean
has_received (gpointer data)
{
  const Amount *amount = data;
  return amount->end->received->len >= amount->n_bytes || amount->end->n_down > 0;
}

gboolean
net_wait_received (End *end, gsize n_bytes)
{
  Amount amount = { end, n_bytes };
  g_autofree char *what = g_strdup_printf ("the arrival of %" G_GSIZE_FORMAT " bytes", n_bytes);
  Net *net = end->side->net;
  return net_wait (net, has_received, &amount, what)
         && CASE_EXPECT (net->c, end->received->len >= n_bytes,
                         "the link came down after %u of %" G_GSIZE_FORMAT " bytes",
                         end->received->len, n_bytes);
}

static gboolean
is_down (gpointer data)
{
  return ((End *)data)->n_down > 0;
}

gboolean
net_wait_down (End *end, int code)
{
  Net *net = end->side->net;
  if (!net_wait (net, is_down, end, "down"))
    return FALSE;
  const char *found = end->error != NULL ? end->error->message : "the stream ended";
  if (code == -1)
    return CASE_EXPECT (net->c, end->error == NULL, "down came with an error: %s", found);
  return CASE_EXPECT (net->c, code == -2 || g_error_matches (end->error, SATIN_ERROR, code),
                      "down came for another reason: %s", found);
}

/* ---- operations ---- */

void
end_send (End *self, GBytes *bytes)
{
  Net *net = self->side->net;
  if (self->link == NULL)
    return;
  net->is_inside = TRUE;
  net->ops.send (self->link, bytes);
  net->is_inside = FALSE;
}

void
end_send_text (End *self, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  end_send (self, bytes);
}

void
end_pause (End *self, gboolean is_paused)
{
  Net *net = self->side->net;
  if (self->link == NULL)
    return;
  net->is_inside = TRUE;
  net->ops.pause (self->link, is_paused);
  net->is_inside = FALSE;
}

void
end_shut (End *self)
{
  Net *net = self->side->net;
  if (self->link == NULL)
    return;
  net->is_inside = TRUE;
  net->ops.shut (self->link);
  net->is_inside = FALSE;
}

void
end_drop (End *self)
{
  Net *net = self->side->net;
  if (self->link == NULL)
    return;
  net->is_inside = TRUE;
  net->ops.drop (self->link);
  net->is_inside = FALSE;
}

gsize
end_queued_bytes (End *self)
{
  return self->link != NULL ? self->side->net->ops.queued_bytes (self->link) : 0;
}

/* ---- bytes ---- */

GBytes *
net_pattern (gsize n_bytes, guint32 seed)
{
  guint8 *bytes = g_malloc (n_bytes);
  guint32 state = seed * 2654435761u + 1;
  for (gsize i = 0; i < n_bytes; i++)
    {
      state = state * 1664525u + 1013904223u;
      bytes[i] = (guint8)(state >> 24);
    }
  return g_bytes_new_take (bytes, n_bytes);
}

gboolean
net_expect_received (End *end, GBytes *expected)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (expected, &n_bytes);
  const GByteArray *received = end->received;
  Case *c = end->side->net->c;
  for (gsize i = 0; i < MIN (n_bytes, received->len); i++)
    if (received->data[i] != bytes[i])
      {
        case_break (c, "byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " is wrong", i, n_bytes);
        return FALSE;
      }
  return CASE_EXPECT (c, received->len == n_bytes,
                      "%u bytes arrived of %" G_GSIZE_FORMAT " that were sent", received->len,
                      n_bytes);
}
