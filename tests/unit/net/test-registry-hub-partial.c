/* test-registry-hub-partial.c - tests a node that its hub tells of some members only
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "impostor.h"

#define SECOND WORLD_SECOND_US

/* A host of the plugin, which plays the node (registry-host.h), and the impostor in the place of
 * its hub. */
typedef struct
{
  World *world;
  Impostor impostor;
  Host *host;
} Stage;

static void
stage_open (Stage *self, gconstpointer unused)
{
  self->world = world_new (NULL);
  self->host = host_join_impostor (self->world, &self->impostor);
}

static void
stage_close (Stage *self, gconstpointer unused)
{
  host_free (self->host);
  satin_listener_stop (self->impostor.listener);
  world_free (self->world);
}

static void
say (Stage *self, HubMessageType type, gconstpointer body)
{
  impostor_send (&self->impostor, self->world, type, body);
}

static void
say_joined (Stage *self, gint64 view_number, gint64 id)
{
  HubJoined joined = { view_number, { id, "", "pipe:x", "", 1 } };
  say (self, HUB_MESSAGE_JOINED, &joined);
}

static void
say_died (Stage *self, gint64 view_number, gint64 id)
{
  HubGone gone = { view_number, id };
  say (self, HUB_MESSAGE_DIED, &gone);
}

static void
say_unknown (Stage *self, gint64 id)
{
  HubNumber number = { id };
  say (self, HUB_MESSAGE_UNKNOWN, &number);
}

static void
introduce (Stage *self, SatinNodeId id)
{
  self->host->notes.ops->introduce (self->host->notes.registry, id);
  world_settle (self->world);
}

/* Breaks the link. The host makes a new one, on which the hub has not sent anything yet. */
static void
break_link (Stage *self)
{
  guint n_links = self->impostor.n_links;

  satin_link_drop (self->impostor.link);
  world_settle (self->world);
  world_advance (self->world, SECOND);
  g_assert_cmpuint (self->impostor.n_links, ==, n_links + 1);
}

/* Checks that the host refused the last message: it dropped the link, and reported nothing. */
static void
assert_refused (Stage *self)
{
  g_test_assert_expected_messages ();
  g_assert_null (self->impostor.link);
  assert_told (self->host, "");
}

static void
expect_refusal (void)
{
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "the hub at pipe:hub: *");
}

/* ---- numbers of views ---- */

static void
test_partial_is_told_once (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  assert_told (stage->host, "partial");
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  break_link (stage);
  impostor_welcome (&stage->impostor, stage->world, 9, NULL, 0, TRUE);
  assert_told (stage->host, "");
}

static void
test_view_that_is_partial_when_it_comes_is_told_as_such (Stage *stage, gconstpointer unused)
{
  break_link (stage);
  impostor_welcome (&stage->impostor, stage->world, 9, NULL, 0, TRUE);
  assert_told (stage->host, "partial");
}

static void
test_numbers_may_skip_in_a_partial_view (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 7, 5);
  say_died (stage, 10, 5);
  assert_told (stage->host, "partial; joined 7 id 5 at pipe:x; died 10 id 5");
}

static void
test_number_may_stay_in_a_partial_view (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 7, 5);
  say_joined (stage, 7, 6);
  assert_told (stage->host, "partial; joined 7 id 5 at pipe:x; joined 7 id 6 at pipe:x");
}

static void
test_numbers_do_not_fall_in_a_partial_view (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 7, 5);
  host_heard (stage->host);
  expect_refusal ();
  say_joined (stage, 6, 6);
  assert_refused (stage);
}

static void
test_numbers_do_not_skip_in_a_whole_view (Stage *stage, gconstpointer unused)
{
  expect_refusal ();
  say_joined (stage, 3, 2);
  assert_refused (stage);
}

/* ---- members that it was not told of ---- */

static void
test_lower_number_is_told_in_a_partial_view (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 9, 8);
  say_joined (stage, 9, 3);
  assert_told (stage->host, "partial; joined 9 id 8 at pipe:x; joined 9 id 3 at pipe:x");
}

static void
test_lower_number_is_refused_in_a_whole_view (Stage *stage, gconstpointer unused)
{
  say_joined (stage, 2, 8);
  host_heard (stage->host);
  expect_refusal ();
  say_joined (stage, 3, 3);
  assert_refused (stage);
}

static void
test_who_is_gone_is_not_told_again_in_a_partial_view (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 9, 8);
  say_died (stage, 10, 8);
  host_heard (stage->host);
  expect_refusal ();
  say_joined (stage, 11, 8);
  assert_refused (stage);
}

static void
test_views_of_two_hubs_are_compared (Stage *stage, gconstpointer unused)
{
  const HubNode others[] = { { 3, "", "pipe:x", "", 1 }, { 8, "", "pipe:x", "", 1 } };

  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 5, 8);
  say_joined (stage, 5, 2);
  say_joined (stage, 5, 9);
  host_heard (stage->host);
  break_link (stage);
  impostor_welcome (&stage->impostor, stage->world, 20, others, 2, TRUE);
  assert_told (stage->host, "died 20 id 9; died 20 id 2; joined 20 id 3 at pipe:x");
}

static void
test_those_that_went_are_told_to_a_hub (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 9, 8);
  say_joined (stage, 9, 3);
  say_joined (stage, 9, 5);
  say_died (stage, 10, 8);
  break_link (stage);
  assert_sent (&stage->impostor, "join 1 members 3 5 partial gone 8;");
}

static void
test_those_that_went_from_a_whole_view_are_not_told (Stage *stage, gconstpointer unused)
{
  say_joined (stage, 2, 3);
  say_joined (stage, 3, 8);
  say_died (stage, 4, 3);
  break_link (stage);
  assert_sent (&stage->impostor, "join 1 members 8;");
}

/* ---- introductions ---- */

static void
test_question_is_asked_until_it_is_answered (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  introduce (stage, 7);
  assert_sent (&stage->impostor, "introduce 7;");
  world_advance (stage->world, 2 * SECOND + SECOND / 2);
  assert_sent (&stage->impostor, "introduce 7;introduce 7;");
  say_joined (stage, 9, 7);
  world_advance (stage->world, 2 * SECOND);
  assert_sent (&stage->impostor, "");
}

static void
test_question_is_asked_on_the_next_link (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  introduce (stage, 7);
  break_link (stage);
  stage->impostor.heard[0] = '\0';
  impostor_welcome (&stage->impostor, stage->world, 9, NULL, 0, TRUE);
  assert_sent (&stage->impostor, "introduce 7;");
}

static void
test_view_answers_a_question (Stage *stage, gconstpointer unused)
{
  const HubNode others[] = { { 7, "", "pipe:x", "", 1 } };

  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  introduce (stage, 7);
  break_link (stage);
  stage->impostor.heard[0] = '\0';
  impostor_welcome (&stage->impostor, stage->world, 9, others, 1, TRUE);
  assert_sent (&stage->impostor, "");
}

static void
test_two_who_ask_are_one_question (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  introduce (stage, 7);
  introduce (stage, 7);
  assert_sent (&stage->impostor, "introduce 7;");
}

static void
test_who_is_known_is_not_asked_for (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  say_joined (stage, 9, 7);
  introduce (stage, 7);
  assert_sent (&stage->impostor, "");
}

static void
test_unknown_is_passed_on (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  introduce (stage, 7);
  host_heard (stage->host);
  say_unknown (stage, 7);
  assert_told (stage->host, "unknown 7");
  stage->impostor.heard[0] = '\0';
  world_advance (stage->world, 2 * SECOND);
  assert_sent (&stage->impostor, "");
}

/* The hub was asked twice before its first answer arrived. */
static void
test_unknown_is_passed_on_once (Stage *stage, gconstpointer unused)
{
  say (stage, HUB_MESSAGE_PARTIAL, NULL);
  introduce (stage, 7);
  host_heard (stage->host);
  say_unknown (stage, 7);
  say_unknown (stage, 7);
  assert_told (stage->host, "unknown 7");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (Stage *, gconstpointer);
  } cases[] = {
    { "partial-is-told-once", test_partial_is_told_once },
    { "view-that-is-partial-when-it-comes-is-told-as-such",
      test_view_that_is_partial_when_it_comes_is_told_as_such },
    { "numbers-may-skip-in-a-partial-view", test_numbers_may_skip_in_a_partial_view },
    { "number-may-stay-in-a-partial-view", test_number_may_stay_in_a_partial_view },
    { "numbers-do-not-fall-in-a-partial-view", test_numbers_do_not_fall_in_a_partial_view },
    { "numbers-do-not-skip-in-a-whole-view", test_numbers_do_not_skip_in_a_whole_view },
    { "lower-number-is-told-in-a-partial-view", test_lower_number_is_told_in_a_partial_view },
    { "lower-number-is-refused-in-a-whole-view", test_lower_number_is_refused_in_a_whole_view },
    { "who-is-gone-is-not-told-again-in-a-partial-view",
      test_who_is_gone_is_not_told_again_in_a_partial_view },
    { "views-of-two-hubs-are-compared", test_views_of_two_hubs_are_compared },
    { "those-that-went-are-told-to-a-hub", test_those_that_went_are_told_to_a_hub },
    { "those-that-went-from-a-whole-view-are-not-told",
      test_those_that_went_from_a_whole_view_are_not_told },
    { "question-is-asked-until-it-is-answered", test_question_is_asked_until_it_is_answered },
    { "question-is-asked-on-the-next-link", test_question_is_asked_on_the_next_link },
    { "view-answers-a-question", test_view_answers_a_question },
    { "two-who-ask-are-one-question", test_two_who_ask_are_one_question },
    { "who-is-known-is-not-asked-for", test_who_is_known_is_not_asked_for },
    { "unknown-is-passed-on", test_unknown_is_passed_on },
    { "unknown-is-passed-on-once", test_unknown_is_passed_on_once },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/registry-hub-partial/", cases[i].name, NULL);

      g_test_add (path, Stage, NULL, stage_open, cases[i].func, stage_close);
    }
  return g_test_run ();
}
