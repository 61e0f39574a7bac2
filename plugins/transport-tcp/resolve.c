/* resolve.c - looks a name up without holding the loop up
 *
 * The system's resolver only knows how to block, and for as long as it likes, so
 * it does that in a thread of its own that lives for one name. The answer comes
 * as a source in the context, not through the loop: the loop may be gone by the
 * time a slow resolver answers, the context is kept by a reference. Whoever
 * cancels only takes back whom to tell.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "resolve.h"

struct _TcpResolve
{
  GMainContext *context; /* (owned) */
  char *host;            /* (owned) */
  guint16 port;
  int status;
  struct addrinfo *addresses; /* (owned) (nullable) */
  TcpResolveFunc done;        /* (nullable): read and written by the context's thread only */
  gpointer user_data;
};

static void
resolve_free (gpointer user_data)
{
  TcpResolve *self = user_data;
  if (self->addresses != NULL)
    freeaddrinfo (self->addresses);
  g_free (self->host);
  g_free (self);
}

static gboolean
tell (gpointer user_data)
{
  TcpResolve *self = user_data;
  if (self->done != NULL)
    self->done (g_steal_pointer (&self->addresses), self->status, self->user_data);
  return G_SOURCE_REMOVE;
}

static gpointer
resolve_thread (gpointer user_data)
{
  TcpResolve *self = user_data;
  GMainContext *context = self->context;
  self->status = tcp_address_look_up (self->host, self->port, &self->addresses);
  GSource *source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell, self, resolve_free);
  g_source_attach (source, context); /* self belongs to the context from here */
  g_source_unref (source);
  g_main_context_unref (context);
  return NULL;
}

TcpResolve *
tcp_resolve_start (GMainContext *context, const char *host, guint16 port, TcpResolveFunc done,
                   gpointer user_data)
{
  TcpResolve *self = g_new0 (TcpResolve, 1);
  self->context = g_main_context_ref (context);
  self->host = g_strdup (host);
  self->port = port;
  self->done = done;
  self->user_data = user_data;
  g_thread_unref (g_thread_new ("satin resolve", resolve_thread, self));
  return self;
}

void
tcp_resolve_cancel (TcpResolve *self)
{
  self->done = NULL;
}
