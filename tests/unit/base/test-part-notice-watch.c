/* test-part-notice-watch.c - tests what the part "notice" asks, and when
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch.h"

#include <string.h>

#define SECOND_US ((gint64)1000000)
#define EVERY_US  (5 * SECOND_US)

typedef struct
{
  SatinLoop *loop; /* (owned) */
  Watch *watch;    /* (owned) */
  GString *asked;  /* (owned): "PUT /latest/api/token [Name: value]" */
  gint64 wait_us;  /* of the last question */
  guint n_asked;
  guint n_noticed;
  CloudNotice notice;
} World;

static void
on_ask (const CloudQuestion *question, gpointer user_data)
{
  World *self = user_data;
  self->n_asked++;
  self->wait_us = question->wait_us;
  g_string_printf (self->asked, "%s %s [%s]", question->method, question->path, question->header);
}

static void
on_noticed (const CloudNotice *notice, gpointer user_data)
{
  World *self = user_data;
  self->n_noticed++;
  self->notice = *notice;
}

static const WatchHost host = { on_ask, on_noticed };

static void
open_world (World *self, gconstpointer cloud)
{
  const WatchOptions options = { .cloud = (CloudKind)GPOINTER_TO_INT (cloud),
                                 .every_us = EVERY_US,
                                 .has_rebalance = TRUE };
  self->loop = satin_loop_new_manual (1);
  self->asked = g_string_new (NULL);
  self->watch = watch_new (self->loop, &options, &host, self);
  satin_loop_advance (self->loop, 0);
}

static void
close_world (World *self, gconstpointer cloud)
{
  watch_free (self->watch);
  satin_loop_free (self->loop);
  g_string_free (self->asked, TRUE);
}

static void
answer (World *self, long status, const char *text)
{
  watch_answer (self->watch, status, text, strlen (text), NULL);
}

static void
fail (World *self)
{
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "it is silent");
  watch_answer (self->watch, 0, "", 0, error);
}

static void
assert_asks (World *self, const char *question)
{
  g_assert_cmpstr (self->asked->str, ==, question);
  g_string_truncate (self->asked, 0);
}

static void
assert_rests (World *self)
{
  guint n_asked = self->n_asked;
  satin_loop_advance (self->loop, 100 * EVERY_US);
  g_assert_cmpuint (self->n_asked, ==, n_asked);
  g_assert_true (watch_is_over (self->watch));
}

/* ---- clouds ---- */

#define EC2_TOKEN  "PUT /latest/api/token [X-aws-ec2-metadata-token-ttl-seconds: 21600]"
#define EC2_ACTION "GET /latest/meta-data/spot/instance-action [X-aws-ec2-metadata-token: %s]"
#define EC2_REBALANCE                                                                              \
  "GET /latest/meta-data/events/recommendations/rebalance [X-aws-ec2-metadata-token: %s]"

static void
assert_asks_with (World *self, const char *format, const char *token)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *question = g_strconcat (parts[0], token, parts[1], NULL);
  assert_asks (self, question);
}

static void
test_ec2 (World *self, gconstpointer cloud)
{
  assert_asks (self, EC2_TOKEN);
  answer (self, 200, "abc==");
  assert_asks_with (self, EC2_ACTION, "abc==");
  answer (self, 404, "");
  assert_asks_with (self, EC2_REBALANCE, "abc==");
  answer (self, 404, "");
  satin_loop_advance (self->loop, EVERY_US - 1);
  assert_asks (self, "");
  satin_loop_advance (self->loop, 1);
  assert_asks_with (self, EC2_ACTION, "abc==");
  answer (self, 200, "{\"action\":\"stop\",\"time\":\"2017-09-18T12:02:00Z\"}");
  g_assert_cmpuint (self->n_noticed, ==, 1);
  g_assert_cmpstr (self->notice.cause, ==, "EC2 takes its machine away (stop)");
  assert_rests (self);
  g_assert_cmpuint (self->n_noticed, ==, 1);
}

static void
test_ec2_token (World *self, gconstpointer cloud)
{
  answer (self, 200, "old");
  answer (self, 401, "");
  assert_asks (self, EC2_TOKEN);
  answer (self, 200, "new");
  assert_asks_with (self, EC2_ACTION, "new");
  answer (self, 401, "");
  assert_asks (self, "");
  g_assert_cmpint (watch_get_figures (self->watch).n_failed, ==, 1);
  satin_loop_advance (self->loop, EVERY_US);
  assert_asks_with (self, EC2_ACTION, "new");
  answer (self, 404, "");
  answer (self, 404, "");
  satin_loop_advance (self->loop, (gint64)4 * 3600 * SECOND_US);
  assert_asks_with (self, EC2_ACTION, "new"); /* it was asked after EVERY_US */
  answer (self, 404, "");
  answer (self, 404, "");
  satin_loop_advance (self->loop, 0);
  assert_asks (self, EC2_TOKEN);
}

#define GCP_PREEMPTED "/computeMetadata/v1/instance/preempted"
#define GCP_HEADER    " [Metadata-Flavor: Google]"

static void
test_gcp (World *self, gconstpointer cloud)
{
  assert_asks (self, "GET " GCP_PREEMPTED GCP_HEADER);
  g_assert_cmpint (self->wait_us, ==, 0);
  answer (self, 200, "FALSE");
  assert_asks (self, "GET /computeMetadata/v1/instance/maintenance-event" GCP_HEADER);
  answer (self, 404, "");
  satin_loop_advance (self->loop, EVERY_US);
  assert_asks (self, "GET " GCP_PREEMPTED "?wait_for_change=true&timeout_sec=5" GCP_HEADER);
  g_assert_cmpint (self->wait_us, ==, EVERY_US);
  satin_loop_advance (self->loop, EVERY_US);
  answer (self, 200, "TRUE");
  g_assert_cmpint (self->notice.left_us, ==, 30 * SECOND_US);
  assert_rests (self);
}

/* A server that does not wait must not be asked in a tight loop. */
static void
test_gcp_hasty (World *self, gconstpointer cloud)
{
  for (guint i = 0; i < 10; i++)
    {
      answer (self, 200, "FALSE");
      answer (self, 200, "NONE");
      satin_loop_advance (self->loop, EVERY_US - 1);
      g_assert_cmpuint (self->n_asked, ==, 2 * (i + 1));
      satin_loop_advance (self->loop, 1);
    }
}

static void
test_azure (World *self, gconstpointer cloud)
{
  assert_asks (self, "GET /metadata/instance/compute/name?api-version=2021-02-01&format=text "
                     "[Metadata: true]");
  answer (self, 200, "vm_7");
  assert_asks (self, "GET /metadata/scheduledevents?api-version=2020-07-01 [Metadata: true]");
  answer (self, 200, "{\"DocumentIncarnation\":1,\"Events\":[]}");
  satin_loop_advance (self->loop, EVERY_US);
  assert_asks (self, "GET /metadata/scheduledevents?api-version=2020-07-01 [Metadata: true]");
  answer (self, 200, "{\"Events\":[{\"EventType\":\"Preempt\",\"Resources\":[\"vm_7\"]}]}");
  g_assert_cmpuint (self->n_noticed, ==, 1);
}

/* ---- the search ---- */

static void
test_finds_gcp (World *self, gconstpointer cloud)
{
  assert_asks (self, EC2_TOKEN);
  answer (self, 404, "");
  assert_asks (self, "GET " GCP_PREEMPTED GCP_HEADER);
  answer (self, 200, "FALSE");
  answer (self, 200, "NONE");
  satin_loop_advance (self->loop, EVERY_US);
  answer (self, 200, "TRUE");
  g_assert_cmpuint (self->n_noticed, ==, 1);
}

static void
test_finds_azure (World *self, gconstpointer cloud)
{
  answer (self, 405, "");
  answer (self, 404, "");
  answer (self, 200, "vm_7");
  assert_asks (self, "GET /metadata/scheduledevents?api-version=2020-07-01 [Metadata: true]");
}

static void
test_no_cloud (World *self, gconstpointer cloud)
{
  fail (self);
  g_assert_false (watch_is_over (self->watch));
  satin_loop_advance (self->loop, EVERY_US);
  assert_asks (self, EC2_TOKEN);
  fail (self);
  assert_rests (self);
  g_assert_cmpuint (self->n_asked, ==, 2);
}

static void
test_another_server (World *self, gconstpointer cloud)
{
  answer (self, 200, "<html>welcome to the router</html>");
  answer (self, 200, "<html>welcome to the router</html>");
  answer (self, 403, "");
  assert_rests (self);
  g_assert_cmpuint (self->n_asked, ==, 3);
}

static void
test_starting_server (World *self, gconstpointer cloud)
{
  answer (self, 503, "");
  satin_loop_advance (self->loop, EVERY_US);
  answer (self, 200, "abc");
  assert_asks_with (self, EC2_ACTION, "abc");
}

/* ---- failures ---- */

static void
test_failures (World *self, gconstpointer cloud)
{
  answer (self, 200, "abc");
  for (guint i = 0; i < 10; i++)
    {
      if (i == 2)
        g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*it is silent; no notice*");
      fail (self);
      satin_loop_advance (self->loop, EVERY_US);
    }
  g_test_assert_expected_messages ();
  g_assert_cmpint (watch_get_figures (self->watch).n_failed, ==, 10);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, "*answers again");
  answer (self, 404, "");
  answer (self, 404, "");
  g_test_assert_expected_messages ();
}

#define CASE(name, cloud, func)                                                                    \
  g_test_add ("/base/part-notice/watch/" name, World, GINT_TO_POINTER (cloud), open_world, func,   \
              close_world)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("ec2-asks-with-a-token", CLOUD_EC2, test_ec2);
  CASE ("ec2-renews-its-token", CLOUD_EC2, test_ec2_token);
  CASE ("gcp-waits-for-a-change", CLOUD_GCP, test_gcp);
  CASE ("gcp-that-does-not-wait-is-asked-as-seldom", CLOUD_GCP, test_gcp_hasty);
  CASE ("azure-asks-for-the-name-once", CLOUD_AZURE, test_azure);
  CASE ("search-finds-gcp", N_CLOUDS, test_finds_gcp);
  CASE ("search-finds-azure", N_CLOUDS, test_finds_azure);
  CASE ("search-ends-when-nobody-answers-twice", N_CLOUDS, test_no_cloud);
  CASE ("search-ends-when-another-server-answers", N_CLOUDS, test_another_server);
  CASE ("search-waits-for-a-server-that-starts", N_CLOUDS, test_starting_server);
  CASE ("failures-are-said-once", CLOUD_EC2, test_failures);
  return g_test_run ();
}
