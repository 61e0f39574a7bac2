/* victims-world.c - a view of many nodes, and the nodes in it that a policy is shown
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "victims-world.h"

#define SEED 1

void
set_up (World *self, gconstpointer user_data)
{
  self->loop = counting_loop_new (SEED);
  self->view = (SatinView){ .self = SELF, .cluster = "here", .peers = self->peers };
  steal_victims_init (&self->victims, self->loop);
}

void
tear_down (World *self, gconstpointer user_data)
{
  steal_victims_done (&self->victims);
  satin_loop_free (self->loop);
}

void
join (World *self, SatinNodeId id, const char *cluster)
{
  self->peers[self->view.n_peers++] = (SatinPeer){ .id = id, .cluster = cluster };
  self->view.number++;
}

void
leave (World *self, SatinNodeId id)
{
  guint n = 0;
  for (guint i = 0; i < self->view.n_peers; i++)
    if (self->peers[i].id != id)
      self->peers[n++] = self->peers[i];
  self->view.n_peers = n;
  self->view.number++;
}

void
update (World *self)
{
  steal_victims_update (&self->victims, &self->view);
}

const SatinVictim *
shown (World *self, guint place)
{
  return &g_array_index (self->victims.shown, SatinVictim, place);
}

SatinVictim *
find (World *self, SatinNodeId id)
{
  return steal_victims_find (&self->victims, id);
}

void
assert_shown (World *self, const SatinNodeId *expected)
{
  guint place = 0;
  for (; *expected != 0; expected++, place++)
    {
      g_assert_cmpuint (shown (self, place)->id, ==, *expected);
      g_assert_true (shown (self, place)->is_near);
    }
  g_assert_cmpuint (self->victims.n_near, ==, place);
  for (expected++; *expected != 0; expected++, place++)
    {
      g_assert_cmpuint (shown (self, place)->id, ==, *expected);
      g_assert_false (shown (self, place)->is_near);
    }
  g_assert_cmpuint (self->victims.shown->len, ==, place);
}

void
join_many (World *self, guint n_near, guint n_far)
{
  for (guint i = 0; i < n_near; i++)
    join (self, SELF + 1 + i, "here");
  for (guint i = 0; i < n_far; i++)
    join (self, SELF + 1 + n_near + i, "there");
}
