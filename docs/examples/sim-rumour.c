/* sim-rumour.c - measures how long a rumour takes to reach every host of a simulated world
 *
 *   sim-rumour [SEED]
 *
 * There are 40 hosts in 4 clusters. Every millisecond, each host that knows the rumour calls one
 * random host and tells it. The code of a host is the same as on real machines: it uses a loop and
 * a transport, which here come from the simulated world. The same seed always gives the same
 * result.
 *
 * Needs libsatin-sim, and the libraries that it uses.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim.h>

#include <stdlib.h>

#define N_HOSTS   40
#define N_CLUSTER 10
#define PERIOD_US 1000
#define END_US    ((gint64)60 * 1000000)

static const SatinTransportOps *const ops = &satin_sim_transport_ops;

typedef struct _Town Town;

typedef struct
{
  Town *town;
  SatinLoop *loop;    /* (borrowed) */
  gpointer transport; /* (owned) */
  char *uri;          /* (owned) the address at which others call this person */
  gboolean has_heard;
} Person;

struct _Town
{
  Person people[N_HOSTS];
  guint n_heard;
};

/* ---- links: the caller says the rumour and hangs up ---- */

static void
on_up (gpointer link, gpointer user_data)
{
  g_autoptr (GBytes) rumour = g_bytes_new_static ("psst", 4);
  ops->send (link, rumour);
  ops->shut (link);
}

static void hear (Person *self);

static void
on_received (gpointer link, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  hear (user_data);
}

static void
on_down (gpointer link, const GError *error, gpointer user_data)
{
}

static const SatinLinkEvents link_events = {
  .struct_size = sizeof (SatinLinkEvents),
  .up = on_up,
  .received = on_received,
  .down = on_down,
};

static void
on_accepted (gpointer listener, gpointer link, const SatinLinkEvents **ret_events,
             gpointer *ret_user_data, gpointer user_data)
{
  *ret_events = &link_events;
  *ret_user_data = user_data;
}

static const SatinListenEvents listen_events = { .struct_size = sizeof (SatinListenEvents),
                                                 .accepted = on_accepted };

/* ---- people ---- */

/* Calls a random person now, and again after each period. */
static void
tell (gpointer user_data)
{
  Person *self = user_data;
  guint32 other = satin_loop_random_below (self->loop, N_HOSTS);
  ops->connect (self->transport, self->town->people[other].uri, &link_events, self, NULL);
  satin_loop_timer_add (self->loop, PERIOD_US, tell, self);
}

static void
hear (Person *self)
{
  if (self->has_heard)
    return;
  self->has_heard = TRUE;
  self->town->n_heard++;
  satin_loop_post (self->loop, tell, self);
}

static gboolean
settle (Person *self, Town *town, SatinSimHost *host, GError **error)
{
  self->town = town;
  self->loop = satin_sim_host_get_loop (host);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = self->loop };
  self->transport = ops->open (&context, NULL, error);
  return self->transport != NULL
         && ops->listen (self->transport, "sim:0", &listen_events, self, &self->uri, error) != NULL;
}

static gboolean
have_all_heard (gpointer town)
{
  return ((const Town *)town)->n_heard == N_HOSTS;
}

int
main (int argc, char **argv)
{
  SatinSimOptions options = {
    .seed = argc > 1 ? strtoull (argv[1], NULL, 10) : 1, .lan_us = 50, .wan_us = 5000, .jitter = 0.1
  };
  g_autoptr (SatinSim) sim = satin_sim_new (&options);
  g_autoptr (GError) error = NULL;
  Town town = { 0 };
  for (guint i = 0; i < N_HOSTS; i++)
    if (!settle (&town.people[i], &town, satin_sim_add_host (sim, i / N_CLUSTER, 1), &error))
      {
        g_printerr ("sim-rumour: %s\n", error->message);
        return 1;
      }
  hear (&town.people[0]);
  gboolean is_known = satin_sim_run (sim, END_US, have_all_heard, &town);
  SatinSimFigures figures;
  satin_sim_get_figures (sim, &figures);
  g_print ("%u of %d have heard after %.3f ms, in %" G_GUINT64_FORMAT " events\n", town.n_heard,
           N_HOSTS, (double)satin_sim_now_us (sim) / 1e3, figures.n_events);
  for (guint i = 0; i < N_HOSTS; i++)
    g_free (town.people[i].uri);
  return is_known ? 0 : 1;
}
