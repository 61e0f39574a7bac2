/* test-steal-victims.c - tests which of the other nodes a policy is shown, and how
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "victims-world.h"

/* ---- those that are leaving ---- */

static void
test_leaving_one_is_not_shown (World *self, gconstpointer user_data)
{
  join (self, 3, "here");
  join (self, 5, "here");
  join (self, 7, "there");
  self->peers[1].is_leaving = TRUE;
  update (self);
  assert_shown (self, (const SatinNodeId[]){ 3, 0, 7, 0 });
  g_assert_cmpuint (self->victims.n_all_near, ==, 1);
}

static void
test_who_says_so_later_goes (World *self, gconstpointer user_data)
{
  join (self, 3, "here");
  join (self, 5, "here");
  update (self);
  self->peers[0].is_leaving = TRUE;
  self->view.number++;
  join (self, SELF + 1, "here");
  steal_victims_forget_view (&self->victims);
  update (self);
  assert_shown (self, (const SatinNodeId[]){ 5, SELF + 1, 0, 0 });
}

static void
test_leaving_master_is_not_shown (World *self, gconstpointer user_data)
{
  join (self, 3, "here");
  join (self, 5, "here");
  self->peers[0].is_leaving = TRUE;
  self->view.master = 3;
  update (self);
  assert_shown (self, (const SatinNodeId[]){ 5, 0, 0 });
}

/* ---- order and numbers ---- */

static void
test_near_first (World *self, gconstpointer user_data)
{
  join (self, 3, "there");
  join (self, 5, "here");
  join (self, 7, "there");
  join (self, 9, "here");
  update (self);
  assert_shown (self, (const SatinNodeId[]){ 5, 9, 0, 3, 7, 0 });
}

static void
test_newcomers_find_their_place (World *self, gconstpointer user_data)
{
  join (self, 3, "there");
  join (self, 5, "here");
  update (self);
  join (self, SELF + 1, "there");
  update (self);
  join (self, SELF + 2, "here");
  update (self);
  assert_shown (self, (const SatinNodeId[]){ 5, SELF + 2, 0, 3, SELF + 1, 0 });
}

static void
test_gone_are_not_shown (World *self, gconstpointer user_data)
{
  join_many (self, 2, 2);
  update (self);
  leave (self, SELF + 1);
  leave (self, SELF + 4);
  update (self);
  assert_shown (self, (const SatinNodeId[]){ SELF + 2, 0, SELF + 3, 0 });
  g_assert_null (find (self, SELF + 1));
}

static void
test_one_goes_one_comes (World *self, gconstpointer user_data)
{
  join_many (self, 1, 1);
  update (self);
  leave (self, SELF + 2);
  join (self, SELF + 3, "here");
  update (self);
  assert_shown (self, (const SatinNodeId[]){ SELF + 1, SELF + 3, 0, 0 });
}

/* In a large run, a node may hear of a node that joined before all nodes that it knows. */
static void
test_one_goes_two_come (World *self, gconstpointer user_data)
{
  join (self, 2, "here");
  join (self, 5, "here");
  update (self);
  self->peers[0].id = 3;
  join (self, SELF + 1, "here");
  update (self);
  assert_shown (self, (const SatinNodeId[]){ 3, 5, SELF + 1, 0, 0 });
}

/* Clusters are numbered in the order of their lowest nodes. This node counts, too. */
static void
assert_cluster (World *self, SatinNodeId id, guint number)
{
  g_assert_cmpuint (find (self, id)->cluster, ==, number);
}

static void
test_clusters_are_numbered (World *self, gconstpointer user_data)
{
  join (self, 3, "a");
  join (self, 5, "b");
  join (self, 7, "a");
  join (self, SELF + 1, "c");
  join (self, SELF + 2, "here");
  update (self);
  assert_cluster (self, 3, 0);
  assert_cluster (self, 5, 1);
  assert_cluster (self, 7, 0);
  assert_cluster (self, SELF + 1, 3);
  assert_cluster (self, SELF + 2, 2);
  g_assert_cmpuint (self->victims.self_cluster, ==, 2);
  g_assert_cmpuint (self->victims.clusters->len, ==, 4);
}

/* Cluster b comes later, but its node is lower than this one. */
static void
test_lower_newcomer_renumbers (World *self, gconstpointer user_data)
{
  join (self, 3, "a");
  update (self);
  g_assert_cmpuint (self->victims.self_cluster, ==, 1);
  join (self, 5, "b");
  update (self);
  assert_cluster (self, 5, 1);
  g_assert_cmpuint (self->victims.self_cluster, ==, 2);
}

static void
test_gone_cluster_renumbers (World *self, gconstpointer user_data)
{
  join (self, 3, "a");
  join (self, 5, "b");
  update (self);
  leave (self, 3);
  update (self);
  assert_cluster (self, 5, 0);
  g_assert_cmpuint (self->victims.clusters->len, ==, 2);
}

/* ---- what is known of victims ---- */

static void
test_known_stays (World *self, gconstpointer user_data)
{
  join_many (self, 2, 2);
  update (self);
  SatinVictim *victim = find (self, SELF + 3);
  steal_victims_count_refusal (&self->victims, victim);
  victim->n_queued = 7;
  victim->told_us = 11;
  victim->answer_us = 13;
  victim->success = 0.5;
  leave (self, SELF + 1);
  update (self);
  victim = find (self, SELF + 3);
  g_assert_cmpuint (victim->n_refused, ==, 1);
  g_assert_cmpint (victim->n_queued, ==, 7);
  g_assert_cmpint (victim->told_us, ==, 11);
  g_assert_cmpint (victim->answer_us, ==, 13);
  g_assert_cmpfloat (victim->success, ==, 0.5);
  steal_victims_forgive_all (&self->victims);
  g_assert_cmpuint (victim->n_refused, ==, 0);
}

static void
test_forgives_all (World *self, gconstpointer user_data)
{
  join_many (self, 3, 3);
  update (self);
  for (SatinNodeId id = SELF + 2; id < SELF + 6; id++)
    for (guint i = 0; i < id - SELF; i++)
      steal_victims_count_refusal (&self->victims, find (self, id));
  g_assert_cmpuint (find (self, SELF + 5)->n_refused, ==, 5);
  steal_victims_forgive_all (&self->victims);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpuint (shown (self, i)->n_refused, ==, 0);
}

static void
assert_offers (World *self, const SatinNodeId *expected)
{
  guint n = 0;
  for (; expected[n] != 0; n++)
    {
      const SatinVictim *victim = shown (self, self->victims.offers[n]);
      g_assert_cmpuint (victim->id, ==, expected[n]);
      g_assert_true (victim->has_offered);
    }
  g_assert_cmpuint (self->victims.n_offers, ==, n);
}

static void
test_offer_is_used_up (World *self, gconstpointer user_data)
{
  join_many (self, 2, 2);
  update (self);
  steal_victims_count_refusal (&self->victims, find (self, SELF + 4));
  steal_victims_add_offer (&self->victims, find (self, SELF + 4));
  steal_victims_add_offer (&self->victims, find (self, SELF + 1));
  steal_victims_add_offer (&self->victims, find (self, SELF + 4));
  assert_offers (self, (const SatinNodeId[]){ SELF + 4, SELF + 1, 0 });
  g_assert_cmpuint (find (self, SELF + 4)->n_refused, ==, 0);
  steal_victims_remove_offer (&self->victims, find (self, SELF + 4));
  g_assert_false (find (self, SELF + 4)->has_offered);
  assert_offers (self, (const SatinNodeId[]){ SELF + 1, 0 });
}

static void
test_offers_follow_their_nodes (World *self, gconstpointer user_data)
{
  join_many (self, 2, 2);
  update (self);
  steal_victims_add_offer (&self->victims, find (self, SELF + 4));
  steal_victims_add_offer (&self->victims, find (self, SELF + 2));
  steal_victims_add_offer (&self->victims, find (self, SELF + 3));
  join (self, SELF + 5, "here");
  update (self);
  assert_offers (self, (const SatinNodeId[]){ SELF + 4, SELF + 2, SELF + 3, 0 });
  leave (self, SELF + 2);
  update (self);
  assert_offers (self, (const SatinNodeId[]){ SELF + 4, SELF + 3, 0 });
}

static void
test_old_offers_are_forgotten (World *self, gconstpointer user_data)
{
  join_many (self, SATIN_OFFERS_MAX + 1, 0);
  update (self);
  for (guint i = 0; i <= SATIN_OFFERS_MAX; i++)
    steal_victims_add_offer (&self->victims, find (self, SELF + 1 + i));
  g_assert_cmpuint (self->victims.n_offers, ==, SATIN_OFFERS_MAX);
  g_assert_false (find (self, SELF + 1)->has_offered);
  g_assert_cmpuint (shown (self, self->victims.offers[0])->id, ==, SELF + 2);
}

/* ---- more nodes than places ---- */

static void
assert_counts (World *self, guint n_near, guint n_far)
{
  g_assert_cmpuint (self->victims.n_near, ==, n_near);
  g_assert_cmpuint (self->victims.shown->len, ==, n_near + n_far);
  for (guint i = 0; i < self->victims.shown->len; i++)
    {
      g_assert_cmpint (shown (self, i)->is_near, ==, i < n_near);
      if (i > 0 && i != n_near)
        g_assert_cmpuint (shown (self, i - 1)->id, <, shown (self, i)->id);
    }
}

static void
test_places_are_shared (World *self, gconstpointer user_data)
{
  static const guint cases[][4] = {
    /* near, far, near shown, far shown */
    { 128, 128, 128, 128 }, { 100, 500, 100, 156 }, { 500, 100, 156, 100 }, { 500, 500, 128, 128 },
    { 0, 500, 0, 256 },     { 500, 0, 256, 0 },     { 1, 256, 1, 255 },     { 256, 1, 255, 1 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      self->view.n_peers = 0;
      update (self);
      join_many (self, cases[i][0], cases[i][1]);
      update (self);
      assert_counts (self, cases[i][2], cases[i][3]);
    }
}

/* Nodes that come one by one share the places in the same way: first near ones come, then far ones,
 * and near ones again. */
static void
test_newcomers_share_places (World *self, gconstpointer user_data)
{
  guint n_near = 0, n_far = 0;
  for (guint i = 0; i < 900; i++)
    {
      gboolean is_near = i < 300 || i >= 600;
      join (self, SELF + 1 + i, is_near ? "here" : "there");
      n_near += is_near;
      n_far += !is_near;
      update (self);
      guint n_free = n_far < SATIN_VICTIMS_MAX ? SATIN_VICTIMS_MAX - n_far : 0;
      guint n_near_shown = MIN (n_near, MAX (n_free, SATIN_VICTIMS_MAX / 2));
      assert_counts (self, n_near_shown, MIN (n_far, SATIN_VICTIMS_MAX - n_near_shown));
    }
}

/* Each tenth of 1,500 nodes has a tenth of the places. */
static void
test_far_ones_are_drawn_alike (World *self, gconstpointer user_data)
{
  guint counts[1500] = { 0 };
  join_many (self, 0, 1500);
  for (guint round = 0; round < 400; round++)
    {
      self->view.number++; /* as after a change */
      update (self);
      for (guint i = 0; i < SATIN_VICTIMS_MAX; i++)
        counts[shown (self, i)->id - SELF - 1]++;
    }
  for (guint tenth = 0; tenth < 10; tenth++)
    {
      guint n = 0;
      for (guint i = 0; i < 150; i++)
        n += counts[tenth * 150 + i];
      g_assert_cmpfloat_with_epsilon (n / 400.0, SATIN_VICTIMS_MAX / 10.0, 1);
    }
}

static void
test_draw_stays (World *self, gconstpointer user_data)
{
  join_many (self, 0, 500);
  update (self);
  const SatinVictim *first = shown (self, 0);
  g_autofree SatinVictim *before = g_memdup2 (first, SATIN_VICTIMS_MAX * sizeof *before);
  update (self);
  for (guint i = 0; i < SATIN_VICTIMS_MAX; i++)
    g_assert_cmpuint (before[i].id, ==, shown (self, i)->id);
}

static void
test_lowest_near_is_shown (World *self, gconstpointer user_data)
{
  join_many (self, 500, 500);
  for (guint round = 0; round < 20; round++)
    {
      self->view.number++;
      update (self);
      g_assert_cmpuint (shown (self, 0)->id, ==, SELF + 1);
    }
}

static void
assert_master (World *self, SatinNodeId id)
{
  guint n = 0;
  for (guint i = 0; i < self->victims.shown->len; i++)
    n += shown (self, i)->is_master;
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (find (self, id)->is_master);
}

static void
test_master_is_shown (World *self, gconstpointer user_data)
{
  join_many (self, 500, 500);
  for (guint i = 0; i < 1000; i++)
    {
      self->view.master = SELF + 1 + i;
      self->view.number += i % 2; /* the master may change while the view's number stays */
      update (self);
      assert_master (self, self->view.master);
      assert_counts (self, 128, 128);
    }
}

static void
test_master_stays_shown (World *self, gconstpointer user_data)
{
  join_many (self, 300, 0);
  self->view.master = SELF + 200;
  for (guint i = 300; i < 1000; i++)
    {
      join (self, SELF + 1 + i, "there");
      update (self);
      assert_master (self, SELF + 200);
    }
}

static void
test_master_of_small_run_is_no_extra (World *self, gconstpointer user_data)
{
  join_many (self, 100, 100);
  for (guint i = 0; i < 200; i++)
    {
      self->view.master = SELF + 1 + i;
      update (self);
      g_assert_false (find (self, self->view.master)->is_extra);
    }
}

/* Returns: how many of 200 masters are shown only because they are the master */
static guint
count_extras (World *self)
{
  guint n = 0;
  for (guint i = 0; i < 200; i++)
    {
      self->view.master = self->peers[i % self->view.n_peers].id;
      self->view.number++;
      update (self);
      n += find (self, self->view.master)->is_extra;
    }
  return n;
}

/* 256 of 1,024 nodes are shown, so a quarter of the masters are shown in any case. */
static void
test_master_of_large_run_is_mostly_extra (World *self, gconstpointer user_data)
{
  join_many (self, 512, 512);
  guint n = count_extras (self);
  g_assert_cmpuint (n, >, 120);
  g_assert_cmpuint (n, <, 180);
}

/* The view has 20 nodes, but numbers up to 1040 were given. */
static void
test_master_of_partial_view_is_mostly_extra (World *self, gconstpointer user_data)
{
  self->view.is_partial = TRUE;
  for (guint i = 0; i < 20; i++)
    join (self, SELF + 2 * (i + 1), i % 2 == 0 ? "here" : "there");
  g_assert_cmpuint (count_extras (self), >, 180);
}

static void
test_only_the_master_is_extra (World *self, gconstpointer user_data)
{
  guint n = 0;
  self->view.is_partial = TRUE;
  for (guint i = 0; i < 20; i++)
    join (self, SELF + 2 * (i + 1), "here");
  count_extras (self);
  for (guint i = 0; i < 20; i++)
    n += shown (self, i)->is_extra && !shown (self, i)->is_master;
  g_assert_cmpuint (n, ==, 0);
}

/* When a node must make room, what was known of it is forgotten. */
static void
test_places_are_taken_clean (World *self, gconstpointer user_data)
{
  join_many (self, 256, 0);
  update (self);
  for (guint i = 0; i < 256; i++)
    steal_victims_count_refusal (&self->victims, find (self, SELF + 1 + i));
  for (guint i = 0; i < SATIN_OFFERS_MAX; i++)
    steal_victims_add_offer (&self->victims, find (self, SELF + 1 + 4 * i));
  for (guint i = 256; i < 800; i++)
    {
      join (self, SELF + 1 + i, "there");
      update (self);
    }
  guint n_offers = 0, n_refusing = 0;
  for (guint i = 0; i < SATIN_VICTIMS_MAX; i++)
    {
      n_offers += shown (self, i)->has_offered;
      n_refusing += shown (self, i)->n_refused > 0;
    }
  g_assert_cmpuint (n_offers, ==, self->victims.n_offers);
  g_assert_cmpuint (n_refusing, ==, self->victims.refusing->len);
  g_assert_cmpuint (n_offers, >, 0);
  g_assert_cmpuint (n_offers, <, SATIN_OFFERS_MAX);
  for (guint i = 0; i < self->victims.n_offers; i++)
    g_assert_true (shown (self, self->victims.offers[i])->has_offered);
}

/* Ten thousand nodes in one process have room for so many bytes each. */
static void
test_places_are_small (World *self, gconstpointer user_data)
{
  g_assert_cmpuint (SATIN_VICTIMS_MAX * sizeof (SatinVictim), <=, 16384);
}

static void
add (const char *claim, void (*func) (World *, gconstpointer))
{
  g_autofree char *path = g_strdup_printf ("/core/steal-victims/%s", claim);
  g_test_add (path, World, NULL, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("leaving-one-is-not-shown", test_leaving_one_is_not_shown);
  add ("who-says-so-later-goes", test_who_says_so_later_goes);
  add ("leaving-master-is-not-shown", test_leaving_master_is_not_shown);
  add ("near-ones-come-first", test_near_first);
  add ("newcomers-find-their-place", test_newcomers_find_their_place);
  add ("who-is-gone-is-not-shown", test_gone_are_not_shown);
  add ("one-goes-and-one-comes-at-once", test_one_goes_one_comes);
  add ("one-goes-and-two-come-at-once", test_one_goes_two_come);
  add ("clusters-are-numbered-by-their-lowest-node", test_clusters_are_numbered);
  add ("a-lower-newcomer-changes-the-numbers", test_lower_newcomer_renumbers);
  add ("a-cluster-that-is-gone-changes-the-numbers", test_gone_cluster_renumbers);
  add ("what-is-known-stays-when-another-goes", test_known_stays);
  add ("all-refusals-are-forgiven", test_forgives_all);
  add ("an-offer-is-used-up", test_offer_is_used_up);
  add ("offers-follow-their-nodes", test_offers_follow_their_nodes);
  add ("old-offers-are-forgotten", test_old_offers_are_forgotten);
  add ("near-and-far-share-the-places", test_places_are_shared);
  add ("newcomers-share-the-places", test_newcomers_share_places);
  add ("far-ones-are-drawn-alike", test_far_ones_are_drawn_alike);
  add ("the-draw-stays-while-the-members-do", test_draw_stays);
  add ("the-lowest-near-one-is-shown", test_lowest_near_is_shown);
  add ("the-master-is-shown", test_master_is_shown);
  add ("the-master-stays-shown-as-others-join", test_master_stays_shown);
  add ("the-master-of-a-small-run-is-no-extra", test_master_of_small_run_is_no_extra);
  add ("the-master-of-a-large-run-is-mostly-extra", test_master_of_large_run_is_mostly_extra);
  add ("the-master-of-a-partial-view-is-mostly-extra", test_master_of_partial_view_is_mostly_extra);
  add ("only-the-master-is-extra", test_only_the_master_is_extra);
  add ("places-are-taken-clean", test_places_are_taken_clean);
  add ("places-are-small", test_places_are_small);
  return g_test_run ();
}
