/* test-policy.c - tests the policies rs and crs, through the operations of their plugins
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

#define N_DRAWS 100000

/* Nodes 1, 3, 5 and 7 are near; nodes 2, 4 and 6 are far. The policy is shown them in this order.
 */
#define N_NEAR    4
#define N_FAR     3
#define N_VICTIMS (N_NEAR + N_FAR)

#define WAIT_US     100
#define MAX_WAIT_US 1000

typedef struct
{
  SatinPolicyOps ops;
  gpointer handle;
  SatinVictim victims[N_VICTIMS];
  guint offers[N_VICTIMS];
  SatinStealSituation situation;
  GRand *random;
} Policy;

static void
set_up (Policy *self, gconstpointer name)
{
  static const char *const assignments[] = { "wait=100us", "max-wait=1ms", NULL };
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_POLICY, name, &error);
  g_assert_no_error (error);
  satin_plugin_copy_ops (plugin, satin_policy_required, &self->ops, sizeof self->ops, NULL);
  g_autoptr (SatinParams) params =
      satin_params_parse (satin_plugin_get_desc (plugin)->params, assignments, &error);
  g_assert_no_error (error);
  self->handle = self->ops.open (params, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < N_VICTIMS; i++)
    self->victims[i] = i < N_NEAR ? (SatinVictim){ .id = 2 * i + 1, .is_near = TRUE }
                                  : (SatinVictim){ .id = 2 * (i - N_NEAR) + 2 };
  self->situation = (SatinStealSituation){
    .n_idle = 1,
    .n_victims = N_VICTIMS,
    .victims = self->victims,
    .n_near = N_NEAR,
    .offers = self->offers,
  };
  self->random = g_rand_new_with_seed ((guint32)g_test_rand_int ());
}

static void
tear_down (Policy *self, gconstpointer name)
{
  g_rand_free (self->random);
  self->ops.close (self->handle);
}

static SatinStealChoice
choose (Policy *self)
{
  SatinStealChoice choice = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (self->situation.random); i++)
    self->situation.random[i] =
        (guint64)g_rand_int (self->random) << 32 | g_rand_int (self->random);
  self->ops.choose (self->handle, &self->situation, &choice);
  return choice;
}

/* The victim at @place has offered jobs. */
static void
add_offer (Policy *self, guint place)
{
  self->victims[place].has_offered = TRUE;
  self->offers[self->situation.n_offers++] = place;
}

static gboolean
is_near (SatinNodeId id)
{
  return id % 2 == 1;
}

/* Checks that @n victims were drawn, each within a tenth of its share. */
static void
assert_uniform (const guint *counts, guint n)
{
  guint n_drawn = 0;
  for (guint id = 1; id <= N_VICTIMS; id++)
    n_drawn += counts[id] > 0;
  g_assert_cmpuint (n_drawn, ==, n);
  for (guint id = 1; id <= N_VICTIMS; id++)
    if (counts[id] > 0)
      {
        g_assert_cmpuint (counts[id] * n, >, N_DRAWS * 9 / 10);
        g_assert_cmpuint (counts[id] * n, <, N_DRAWS * 11 / 10);
      }
}

/* ---- both ---- */

/* Node 1 (near) and node 2 (far) are extra victims. There are other near and far victims, too. */
static void
test_draws_no_extra (Policy *self, gconstpointer name)
{
  self->victims[0].is_extra = self->victims[N_NEAR].is_extra = TRUE;
  for (guint i = 0; i < 1000; i++)
    {
      SatinStealChoice choice = choose (self);
      g_assert_cmpuint (choice.near, !=, 1);
      g_assert_cmpuint (choice.far, !=, 2);
    }
}

static void
test_draws_extra_that_is_all (Policy *self, gconstpointer name)
{
  self->victims[0].is_extra = TRUE;
  self->situation.n_victims = self->situation.n_near = 1;
  g_assert_cmpuint (choose (self).near, ==, 1);
}

static void
test_asks_no_two_near (Policy *self, gconstpointer name)
{
  self->situation.near_asked = 3;
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (choose (self).near, ==, 0);
}

static void
test_asks_no_two_far (Policy *self, gconstpointer name)
{
  self->situation.far_asked = 4;
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (choose (self).far, ==, 0);
}

static void
test_asks_no_third (Policy *self, gconstpointer name)
{
  self->situation.near_asked = 3;
  self->situation.far_asked = 4;
  SatinStealChoice choice = choose (self);
  g_assert_cmpuint (choice.near, ==, 0);
  g_assert_cmpuint (choice.far, ==, 0);
}

static void
test_single_victim (Policy *self, gconstpointer name)
{
  self->situation.n_victims = self->situation.n_near = 1;
  for (guint i = 0; i < 1000; i++)
    {
      SatinStealChoice choice = choose (self);
      g_assert_cmpuint (choice.near, ==, 1);
      g_assert_cmpuint (choice.far, ==, 0);
      g_assert_cmpint (choice.wait_us, ==, 0);
    }
}

static void
test_single_far_victim (Policy *self, gconstpointer name)
{
  self->situation.n_victims = 1;
  self->situation.n_near = 0;
  self->situation.victims = &self->victims[N_NEAR];
  SatinStealChoice choice = choose (self);
  g_assert_cmpuint (choice.near, ==, 0);
  g_assert_cmpuint (choice.far, ==, 2);
}

/* ---- rs ---- */

static void
test_rs_is_uniform (Policy *self, gconstpointer name)
{
  guint counts[N_VICTIMS + 1] = { 0 };
  for (guint i = 0; i < N_DRAWS; i++)
    {
      SatinStealChoice choice = choose (self);
      g_assert_true ((choice.near == 0) != (choice.far == 0));
      g_assert_true (choice.near == 0 || is_near (choice.near));
      g_assert_true (choice.far == 0 || !is_near (choice.far));
      counts[choice.near + choice.far]++;
    }
  assert_uniform (counts, N_VICTIMS);
}

static void
test_rs_asks_one_at_a_time (Policy *self, gconstpointer name)
{
  self->situation.near_asked = 3;
  g_assert_cmpuint (choose (self).far, ==, 0);
  self->situation.near_asked = 0;
  self->situation.far_asked = 4;
  g_assert_cmpuint (choose (self).near, ==, 0);
}

/* The pause begins after as many refusals as there are nodes, near and far together. */
static void
test_rs_pauses_after_all (Policy *self, gconstpointer name)
{
  for (guint n_near = 0; n_near <= N_VICTIMS; n_near++)
    {
      self->situation.near_history.n_refused = n_near;
      self->situation.far_history.n_refused = N_VICTIMS - 1 - MIN (n_near, N_VICTIMS - 1);
      gboolean is_all = n_near == N_VICTIMS;
      SatinStealChoice choice = choose (self);
      g_assert_cmpint (choice.wait_us, ==, is_all ? WAIT_US : 0);
      self->situation.far_history.n_refused = N_VICTIMS - n_near;
      choice = choose (self);
      g_assert_cmpint (choice.wait_us, ==, WAIT_US);
      g_assert_cmpuint (choice.near + choice.far, ==, 0);
    }
}

static void
test_rs_pause_doubles (Policy *self, gconstpointer name)
{
  static const gint64 waits_us[] = { 0, 100, 200, 400, 800, 1000, 1000 };
  for (guint round = 0; round < G_N_ELEMENTS (waits_us); round++)
    {
      self->situation.near_history.n_refused = round * N_VICTIMS;
      g_assert_cmpint (choose (self).wait_us, ==, waits_us[round]);
    }
  self->situation.near_history.n_refused = G_MAXUINT;
  g_assert_cmpint (choose (self).wait_us, ==, MAX_WAIT_US);
}

static void
test_rs_pause_ends (Policy *self, gconstpointer name)
{
  self->situation.near_history = (SatinStealHistory){ .n_refused = N_VICTIMS, .since_us = 60 };
  self->situation.far_history = (SatinStealHistory){ .n_refused = 0, .since_us = 1000 };
  g_assert_cmpint (choose (self).wait_us, ==, WAIT_US - 60);
  self->situation.near_history.since_us = WAIT_US;
  SatinStealChoice choice = choose (self);
  g_assert_cmpint (choice.wait_us, ==, 0);
  g_assert_cmpuint (choice.near + choice.far, >, 0);
}

/* ---- crs ---- */

static void
test_crs_near_is_uniform (Policy *self, gconstpointer name)
{
  guint counts[N_VICTIMS + 1] = { 0 };
  self->situation.far_asked = 2;
  for (guint i = 0; i < N_DRAWS; i++)
    {
      SatinStealChoice choice = choose (self);
      g_assert_true (is_near (choice.near));
      counts[choice.near]++;
    }
  assert_uniform (counts, N_NEAR);
}

static void
test_crs_far_is_uniform (Policy *self, gconstpointer name)
{
  guint counts[N_VICTIMS + 1] = { 0 };
  self->situation.near_asked = 1;
  for (guint i = 0; i < N_DRAWS; i++)
    {
      SatinStealChoice choice = choose (self);
      g_assert_true (choice.far != 0 && !is_near (choice.far));
      counts[choice.far]++;
    }
  assert_uniform (counts, N_FAR);
}

static void
test_crs_asks_both (Policy *self, gconstpointer name)
{
  SatinStealChoice choice = choose (self);
  g_assert_true (is_near (choice.near));
  g_assert_true (choice.far != 0 && !is_near (choice.far));
}

static void
test_crs_asks_far_while_near_is_asked (Policy *self, gconstpointer name)
{
  self->situation.near_asked = 3;
  g_assert_cmpuint (choose (self).far, !=, 0);
}

static void
test_crs_asks_near_while_far_is_asked (Policy *self, gconstpointer name)
{
  self->situation.far_asked = 4;
  g_assert_cmpuint (choose (self).near, !=, 0);
}

static void
test_crs_pause_doubles (Policy *self, gconstpointer name)
{
  static const gint64 waits_us[] = { 0, 100, 200, 400, 800, 1000, 1000 };
  self->situation.far_asked = 4;
  for (guint i = 0; i < G_N_ELEMENTS (waits_us); i++)
    {
      self->situation.near_history.n_refused = N_NEAR - 1 + i;
      SatinStealChoice choice = choose (self);
      g_assert_cmpint (choice.wait_us, ==, waits_us[i]);
      g_assert_cmpint (choice.near != 0, ==, waits_us[i] == 0);
    }
  self->situation.near_history.n_refused = G_MAXUINT;
  g_assert_cmpint (choose (self).wait_us, ==, MAX_WAIT_US);
}

static void
test_crs_pause_ends (Policy *self, gconstpointer name)
{
  self->situation.far_asked = 4;
  self->situation.near_history = (SatinStealHistory){ .n_refused = N_NEAR, .since_us = 99 };
  g_assert_cmpint (choose (self).wait_us, ==, 1);
  self->situation.near_history.since_us = 100;
  g_assert_cmpuint (choose (self).near, !=, 0);
}

/* A pause for the near nodes does not hold up the far ones, and the other way round. */
static void
test_crs_pauses_apart (Policy *self, gconstpointer name)
{
  self->situation.near_history.n_refused = N_NEAR + 2;
  SatinStealChoice choice = choose (self);
  g_assert_cmpuint (choice.near, ==, 0);
  g_assert_cmpuint (choice.far, !=, 0);
  g_assert_cmpint (choice.wait_us, ==, 400);
  self->situation.near_history.n_refused = 0;
  self->situation.far_history.n_refused = N_FAR + 1;
  choice = choose (self);
  g_assert_cmpuint (choice.near, !=, 0);
  g_assert_cmpuint (choice.far, ==, 0);
  g_assert_cmpint (choice.wait_us, ==, 200);
}

static void
test_crs_waits_for_the_sooner (Policy *self, gconstpointer name)
{
  self->situation.near_history.n_refused = N_NEAR + 2;
  self->situation.far_history.n_refused = N_FAR + 1;
  g_assert_cmpint (choose (self).wait_us, ==, 200);
  self->situation.near_history.n_refused = N_NEAR;
  g_assert_cmpint (choose (self).wait_us, ==, 100);
}

/* Node 5, which is near, and node 2, which is far, have offered jobs. */
static void
test_crs_takes_offers (Policy *self, gconstpointer name)
{
  add_offer (self, N_NEAR);
  add_offer (self, 2);
  for (guint i = 0; i < 100; i++)
    {
      SatinStealChoice choice = choose (self);
      g_assert_cmpuint (choice.near, ==, 5);
      g_assert_cmpuint (choice.far, ==, 2);
    }
}

static void
test_crs_draws_offers_alike (Policy *self, gconstpointer name)
{
  guint n[N_VICTIMS + 1] = { 0 };
  add_offer (self, 1);
  add_offer (self, 3);
  for (guint i = 0; i < N_DRAWS; i++)
    n[choose (self).near]++;
  g_assert_cmpuint (n[3] + n[7], ==, N_DRAWS);
  g_assert_cmpuint (n[3], >, N_DRAWS / 2 - N_DRAWS / 50);
  g_assert_cmpuint (n[7], >, N_DRAWS / 2 - N_DRAWS / 50);
}

static void
add (const char *policy, const char *claim, void (*func) (Policy *, gconstpointer))
{
  g_autofree char *path = g_strdup_printf ("/core/policy/%s/%s", policy, claim);
  g_test_add (path, Policy, policy, set_up, func, tear_down);
}

static void
add_common (const char *policy)
{
  add (policy, "draws-no-extra-victim", test_draws_no_extra);
  add (policy, "draws-an-extra-victim-that-is-the-only-one", test_draws_extra_that_is_all);
  add (policy, "asks-no-two-near-nodes-at-once", test_asks_no_two_near);
  add (policy, "asks-no-two-far-nodes-at-once", test_asks_no_two_far);
  add (policy, "asks-nobody-when-both-are-asked", test_asks_no_third);
  add (policy, "asks-the-only-node", test_single_victim);
  add (policy, "asks-the-only-node-as-a-far-one", test_single_far_victim);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_common ("rs");
  add_common ("crs");
  add ("rs", "draws-all-nodes-alike", test_rs_is_uniform);
  add ("rs", "asks-one-node-at-a-time", test_rs_asks_one_at_a_time);
  add ("rs", "pauses-after-as-many-refusals-as-nodes", test_rs_pauses_after_all);
  add ("rs", "doubles-its-pause", test_rs_pause_doubles);
  add ("rs", "ends-its-pause", test_rs_pause_ends);
  add ("crs", "draws-near-nodes-alike", test_crs_near_is_uniform);
  add ("crs", "draws-far-nodes-alike", test_crs_far_is_uniform);
  add ("crs", "asks-a-near-and-a-far-node", test_crs_asks_both);
  add ("crs", "asks-who-has-offered", test_crs_takes_offers);
  add ("crs", "draws-who-has-offered-alike", test_crs_draws_offers_alike);
  add ("crs", "asks-a-far-node-while-a-near-one-is-asked", test_crs_asks_far_while_near_is_asked);
  add ("crs", "asks-a-near-node-while-a-far-one-is-asked", test_crs_asks_near_while_far_is_asked);
  add ("crs", "doubles-its-pause", test_crs_pause_doubles);
  add ("crs", "ends-its-pause", test_crs_pause_ends);
  add ("crs", "pauses-near-and-far-apart", test_crs_pauses_apart);
  add ("crs", "waits-for-the-sooner-end-of-a-pause", test_crs_waits_for_the_sooner);
  return g_test_run ();
}
