/* test-registry-etcd-seal.c - tests that nodes ignore values that a stranger writes into the store
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "etcd-world.h"

static const SatinSecret some_secret = { .n_keys = 1, .keys = { { 1 } } };
static const SatinSecret other_secret = { .n_keys = 1, .keys = { { 2 } } };
static const SatinSecret both_secrets = { .n_keys = 2, .keys = { { 2 }, { 1 } } };

static void
expect_warning (const char *pattern)
{
  g_test_expect_message ("satin-registry-etcd", G_LOG_LEVEL_WARNING, pattern);
}

static void
test_same_secret_meets (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);

  first->ops->elect (first->registry);
  first->ops->signal (first->registry, 2, "a", NULL);
  assert_told (world, second, "elected 4 id 1 term 1; signal a ");
  first->ops->end (first->registry, 3, "enough");
  assert_told (world, second, "end 3 enough");
}

/* While the secret of a cluster is changed, both keys are right. */
static void
test_second_key_is_right (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  RegistryNotes *second;

  world->secret = &both_secrets;
  second = open_node (world, "fib");
  expect_warning ("*view*secret*"); /* from the first node, which does not know the new key */
  assert_told (world, second, "registered 3 self 2 others 1 master 0; complete");
  g_test_assert_expected_messages ();
  g_assert_nonnull (first->registry);
}

static void
assert_refused_by_secret (const SatinSecret *theirs, const SatinSecret *ours)
{
  g_autoptr (World) world = world_new ();
  RegistryNotes *first, *second;

  world->secret = theirs;
  first = join (world);
  world->secret = ours;
  second = open_node (world, "fib");
  assert_told (world, second, "over with error 6");
  g_assert_nonnull (strstr (second->why, "same secret file"));
  assert_told (world, first, "");
}

static void
test_other_secret_is_refused (void)
{
  assert_refused_by_secret (&some_secret, &other_secret);
  assert_refused_by_secret (&some_secret, NULL);
  assert_refused_by_secret (NULL, &some_secret);
}

/* The next commit of a node makes the view right again. */
static void
test_strange_values_are_ignored (void)
{
  static const char *const keys[] = { "view", "end", "word/0", "word/1", "member/1", "member/9" };
  g_autoptr (GBytes) junk = g_bytes_new_static ("junk", 4);
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (World) world = world_new ();
      g_autofree char *key = g_strconcat ("/satin/run/", keys[i], NULL);
      world->secret = &some_secret;
      RegistryNotes *first = join (world);
      expect_warning ("*was not written by a node*");
      fake_store_put (world->store, key, junk);
      assert_told (world, first, "");
      g_test_assert_expected_messages ();
      fake_store_put (world->store, key, empty); /* no second warning */
      advance (world, 3 * LEASE_S * SECOND_US);
      assert_told (world, first, "");
      first->ops->elect (first->registry);
      assert_told (world, first, "elected 3 id 1 term 1");
      g_assert_nonnull (first->registry);
    }
}

/* A newcomer has no copy of the right values yet, so it cannot join. */
static void
test_strange_values_keep_newcomers_out (void)
{
  static const char *const keys[] = { "view", "end", "member/1", "member/9" };
  g_autoptr (GBytes) junk = g_bytes_new_static ("junk", 4);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (World) world = world_new ();
      g_autofree char *key = g_strconcat ("/satin/run/", keys[i], NULL);
      world->secret = &some_secret;
      join (world);
      expect_warning ("*was not written by a node*");
      fake_store_put (world->store, key, junk);
      RegistryNotes *second = open_node (world, "fib");
      assert_told (world, second, "over with error 6");
      g_test_assert_expected_messages ();
    }
}

static void
test_value_of_another_key_is_ignored (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);
  g_autoptr (GBytes) value = NULL;

  first->ops->signal (first->registry, 2, "a", NULL);
  assert_told (world, second, "signal a ");
  value = fake_store_get (world->store, "/satin/run/word/2");
  expect_warning ("*word/1*");
  fake_store_put (world->store, "/satin/run/word/1", value);
  assert_told (world, first, "");
  g_test_assert_expected_messages ();
}

static void
test_old_view_is_ignored (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  g_autoptr (GBytes) old = fake_store_get (world->store, "/satin/run/view");
  RegistryNotes *second = join (world);
  RegistryNotes *third;

  first->ops->elect (first->registry);
  assert_told (world, second, "elected 4 id 1 term 1");
  assert_told (world, first, "elected 4 id 1 term 1");
  expect_warning ("*old view*");
  expect_warning ("*old view*");
  fake_store_put (world->store, "/satin/run/view", old);
  assert_told (world, second, "");
  g_test_assert_expected_messages ();
  second->ops->leaving (second->registry, SECOND_US);
  assert_told (world, first, "leaving 5 id 2");
  third = open_node (world, "fib");
  assert_told (world, third, "registered 6 self 3 others 1 2 master 1; complete");
}

static void
test_node_that_is_gone_stays_gone (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  RegistryNotes *second = join (world);
  g_autoptr (GBytes) old = fake_store_get (world->store, "/satin/run/member/2");

  second->ops->leave (second->registry);
  assert_told (world, first, "left 4 id 2");
  expect_warning ("*that node is gone*");
  fake_store_put (world->store, "/satin/run/member/2", old);
  advance (world, 3 * LEASE_S * SECOND_US);
  assert_told (world, first, "");
  g_test_assert_expected_messages ();
}

/* The second node did not hear this word when it was sent, and must not hear it when it is
 * repeated. */
static void
test_old_words_are_ignored (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  RegistryNotes *second;
  g_autoptr (GBytes) old = NULL;

  first->ops->signal (first->registry, 0, "stop", NULL);
  assert_told (world, first, "signal stop ");
  old = fake_store_get (world->store, "/satin/run/word/0");
  second = join (world);
  fake_store_put (world->store, "/satin/run/word/0", old);
  assert_told (world, second, "");
}

/* The value comes from an earlier run of the same name. */
static void
test_value_of_another_run_is_ignored (void)
{
  g_autoptr (World) world = world_new ();
  world->secret = &some_secret;
  RegistryNotes *first = join (world);
  g_autoptr (GBytes) old = NULL;

  first->ops->elect (first->registry);
  advance (world, 0);
  first->ops->end (first->registry, 0, "");
  advance (world, 0);
  old = fake_store_get (world->store, "/satin/run/end");
  advance (world, 61 * SECOND_US);
  RegistryNotes *second = join (world);
  expect_warning ("*end*");
  fake_store_put (world->store, "/satin/run/end", old);
  assert_told (world, second, "");
  g_test_assert_expected_messages ();
}

/* This case calls the plugin's open, not client_new(). */
static void
test_plain_store_between_hosts_is_refused (void)
{
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);
  const SatinProgram program = { .name = "fib" };
  const SatinRegistryOps *ops = satin_plugin_desc ()->ops;
  g_autoptr (SatinParams) params = satin_params_parse (satin_plugin_desc ()->params, NULL, NULL);
  SatinRegistryContext context = { .struct_size = sizeof context,
                                   .loop = loop,
                                   .uri = "etcd://127.example.org/run",
                                   .program = &program,
                                   .secret = &some_secret };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) later = NULL;

  g_assert_null (ops->open (&context, params, &registry_notes_events, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  g_assert_nonnull (strstr (error->message, "etcds://"));
  g_assert_nonnull (strstr (error->message, "--insecure"));
  context.is_insecure = TRUE;
  g_assert_null (ops->open (&context, params, &registry_notes_events, NULL, &later));
  g_assert_error (later, SATIN_ERROR, SATIN_ERROR_INVALID); /* the loop has no sockets */
}

#define CASE(path, function) g_test_add_func ("/net/registry-etcd/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("seal/same-secret-meets", test_same_secret_meets);
  CASE ("seal/second-key-is-right", test_second_key_is_right);
  CASE ("seal/other-secret-is-refused", test_other_secret_is_refused);
  CASE ("seal/strange-values-are-ignored", test_strange_values_are_ignored);
  CASE ("seal/strange-values-keep-newcomers-out", test_strange_values_keep_newcomers_out);
  CASE ("seal/value-of-another-key-is-ignored", test_value_of_another_key_is_ignored);
  CASE ("seal/old-view-is-ignored", test_old_view_is_ignored);
  CASE ("seal/node-that-is-gone-stays-gone", test_node_that_is_gone_stays_gone);
  CASE ("seal/old-words-are-ignored", test_old_words_are_ignored);
  CASE ("seal/value-of-another-run-is-ignored", test_value_of_another_run_is_ignored);
  CASE ("seal/plain-store-between-hosts-is-refused", test_plain_store_between_hosts_is_refused);
  return g_test_run ();
}
