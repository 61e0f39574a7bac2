/* test-registry-etcd-messages.c - tests etcd's JSON messages, the names of keys, and addresses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "curl-common.h"
#include "keys.h"
#include "store/place.h"
#include "store/store-json.h"

#define HEADER "\"header\":{\"revision\":\"7\"}"

static void
parse (StoreCallKind kind, const char *text, StoreAnswer *ret_answer, GArray **ret_items)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (store_json_parse (kind, text, ret_answer, ret_items, &error));
  g_assert_no_error (error);
}

static void
test_commit_is_compare_and_success (void)
{
  g_autoptr (GBytes) value = g_bytes_new ("b", 1);
  const StoreCompare compares[] = { { "a", 5 } };
  const StoreWrite writes[] = { { "a", value, 9, FALSE }, { "a/", NULL, 0, TRUE } };
  const StoreCall call = {
    .kind = STORE_COMMIT, .compares = compares, .n_compares = 1, .writes = writes, .n_writes = 2
  };
  g_autofree char *body = store_json_body (&call);

  g_assert_cmpstr (
      body, ==,
      "{\"compare\":[{\"target\":\"MOD\",\"result\":\"EQUAL\",\"key\":\"YQ==\",\"mod_revision\":"
      "\"5\"}],\"success\":[{\"request_put\":{\"key\":\"YQ==\",\"value\":\"Yg==\",\"lease\":\"9\"}"
      "},{\"request_delete_range\":{\"key\":\"YS8=\",\"range_end\":\"YTA=\"}}]}");
}

static void
test_lease_that_is_kept_is_not_named (void)
{
  g_autoptr (GBytes) value = g_bytes_new ("b", 1);
  const StoreWrite write = { "a", value, STORE_SAME_LEASE, FALSE };
  const StoreCall call = { .kind = STORE_COMMIT, .writes = &write, .n_writes = 1 };
  g_autofree char *body = store_json_body (&call);

  g_assert_nonnull (strstr (body, "\"ignore_lease\":true"));
  g_assert_null (strstr (body, "\"lease\""));
}

static void
test_password_is_quoted (void)
{
  g_autofree char *body = store_json_auth_body ("me", "a\"b\\");

  g_assert_cmpstr (body, ==, "{\"name\":\"me\",\"password\":\"a\\\"b\\\\\"}");
}

static void
test_long_numbers_come_in_strings (void)
{
  g_autoptr (GArray) items = NULL;
  StoreAnswer answer;

  parse (STORE_GRANT, "{" HEADER ",\"ID\":\"6770214265122519045\",\"TTL\":\"5\"}", &answer, &items);
  g_assert_cmpint (answer.lease, ==, G_GINT64_CONSTANT (6770214265122519045));
  g_assert_cmpint (answer.revision, ==, 7);
}

static void
test_what_is_false_is_left_out (void)
{
  g_autoptr (GArray) items = NULL;
  StoreAnswer answer;

  parse (STORE_COMMIT, "{" HEADER "}", &answer, &items);
  g_assert_false (answer.is_committed);
}

static void
test_lease_that_is_gone_has_no_time (void)
{
  g_autoptr (GArray) renewed = NULL;
  g_autoptr (GArray) looked = NULL;
  StoreAnswer answer;

  parse (STORE_RENEW, "{\"result\":{" HEADER ",\"ID\":\"77\"}}\n", &answer, &renewed);
  g_assert_cmpint (answer.ttl_s, ==, 0);
  parse (STORE_TIME_LEFT, "{" HEADER ",\"ID\":\"77\",\"TTL\":\"-1\"}", &answer, &looked);
  g_assert_cmpint (answer.ttl_s, ==, 0);
}

static void
test_read_has_keys_and_values (void)
{
  g_autoptr (GArray) items = NULL;
  StoreAnswer answer;

  parse (STORE_READ,
         "{" HEADER ",\"kvs\":[{\"key\":\"YQ==\",\"mod_revision\":\"3\",\"value\":\"Yg==\"},"
         "{\"key\":\"Yg==\",\"mod_revision\":\"4\"}]}",
         &answer, &items);
  g_assert_cmpuint (answer.n_items, ==, 2);
  g_assert_cmpstr (answer.items[0].key, ==, "a");
  g_assert_cmpint (answer.items[0].revision, ==, 3);
  g_assert_cmpuint (g_bytes_get_size (answer.items[0].value), ==, 1);
  g_assert_cmpuint (g_bytes_get_size (answer.items[1].value), ==, 0);
}

static void
test_nonsense_is_refused (void)
{
  static const char *const texts[] = { "", "x", "[]", "{}", "{\"header\":7}", "\"a\"", "null" };
  GArray *items = NULL;
  StoreAnswer answer;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (store_json_parse (STORE_READ, texts[i], &answer, &items, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
    }
}

/* Returns: (transfer full): @part, @n times */
static char *
repeat (const char *part, gsize n)
{
  GString *text = g_string_sized_new (n * strlen (part));

  for (gsize i = 0; i < n; i++)
    g_string_append (text, part);
  return g_string_free (text, FALSE);
}

/* The parser recurses at each bracket, so ten million of them would overflow any stack. */
static void
test_deep_text_is_refused (void)
{
  static const char *const parts[] = { "[", "{\"a\":", "/*\"*/[" };
  GArray *items = NULL;
  StoreAnswer answer;
  StoreJsonEvents events;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *text = repeat (parts[i], 10000000);
      g_autofree char *reason = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) events_error = NULL;
      g_assert_false (store_json_parse (STORE_READ, text, &answer, &items, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
      g_assert_false (store_json_parse_events (text, &events, &events_error));
      g_assert_error (events_error, SATIN_ERROR, SATIN_ERROR_FORMAT);
      g_assert_null (store_json_parse_token (text, NULL));
      g_assert_cmpint (store_json_parse_refusal (text, &reason), ==, -1);
    }
}

static void
test_many_values_are_refused (void)
{
  g_autofree char *values = repeat ("1,", 2000000);
  g_autofree char *text = g_strconcat ("{" HEADER ",\"kvs\":[", values, "1]}", NULL);
  g_autoptr (GError) error = NULL;
  GArray *items = NULL;
  StoreAnswer answer;

  g_assert_false (store_json_parse (STORE_READ, text, &answer, &items, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
}

/* A member of the wrong type counts as absent. */
static void
test_odd_members_are_nothing (void)
{
  g_autoptr (GArray) items = NULL;
  StoreAnswer answer;

  parse (STORE_READ,
         "{\"header\":{\"revision\":{}},\"kvs\":[7,{},{\"key\":\"AA==\"},{\"key\":[]}],\"ID\":[]}",
         &answer, &items);
  g_assert_cmpuint (answer.n_items, ==, 0);
  g_assert_cmpint (answer.revision, ==, 0);
}

static void
test_watch_tells_puts_and_deletions (void)
{
  g_autoptr (GError) error = NULL;
  StoreJsonEvents events;

  g_assert_true (store_json_parse_events (
      "{\"result\":{" HEADER ",\"events\":[{\"kv\":{\"key\":\"YQ==\",\"mod_revision\":\"6\","
      "\"value\":\"Yg==\"}},{\"type\":\"DELETE\",\"kv\":{\"key\":\"Yg==\",\"mod_revision\":\"7\"}}]"
      "}}",
      &events, &error));
  g_assert_false (events.is_over);
  g_assert_cmpuint (events.items->len, ==, 2);
  g_assert_nonnull (g_array_index (events.items, StoreItem, 0).value);
  g_assert_null (g_array_index (events.items, StoreItem, 1).value);
  store_json_events_clear (&events);
}

static void
test_compaction_ends_a_watch (void)
{
  g_autoptr (GError) error = NULL;
  StoreJsonEvents events;

  g_assert_true (store_json_parse_events (
      "{\"result\":{" HEADER ",\"canceled\":true,\"compact_revision\":\"4\"}}", &events, &error));
  g_assert_true (events.is_over && events.is_compacted);
  store_json_events_clear (&events);
}

static void
test_error_ends_a_watch (void)
{
  g_autoptr (GError) error = NULL;
  StoreJsonEvents events;

  g_assert_true (
      store_json_parse_events ("{\"error\":{\"message\":\"no leader\"}}", &events, &error));
  g_assert_true (events.is_over && !events.is_compacted);
  store_json_events_clear (&events);
}

static void
test_refusal_has_code_and_reason (void)
{
  g_autofree char *reason = NULL;
  g_autofree char *nothing = NULL;

  g_assert_cmpint (
      store_json_parse_refusal ("{\"error\":\"etcdserver: no leader\",\"code\":14}", &reason), ==,
      14);
  g_assert_cmpstr (reason, ==, "etcdserver: no leader");
  g_assert_cmpint (store_json_parse_refusal ("404 page not found", &nothing), ==, -1);
}

/* ---- keys ---- */

static void
test_names_of_keys_come_back (void)
{
  for (KeyKind kind = 0; kind < KEY_N_KINDS; kind++)
    {
      g_autofree char *name = key_name ("/satin/r/", kind, 12);
      gint64 id;
      g_assert_cmpint (key_parse ("/satin/r/", name, &id), ==, kind);
      g_assert_cmpint (id, ==, kind == KEY_VIEW || kind == KEY_END ? 0 : 12);
    }
}

static void
test_other_keys_are_none (void)
{
  static const char *const names[] = {
    "/satin/r/member/", "/satin/r/member/x", "/satin/r/member/-1",         "/satin/r/views",
    "/satin/q/view",    "/satin/r/",         "/satin/r/member/99999999999"
  };
  gint64 id;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (key_parse ("/satin/r/", names[i], &id), ==, KEY_N_KINDS);
}

/* ---- addresses ---- */

static void
test_place_has_servers_and_a_run (void)
{
  g_autoptr (GError) error = NULL;
  Place place;

  g_assert_true (place_parse ("etcd://127.0.0.1:1,localhost,[::1]:3/my-run_1.x", &place, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (place.urls[0], ==, "http://127.0.0.1:1");
  g_assert_cmpstr (place.urls[1], ==, "http://localhost:2379");
  g_assert_cmpstr (place.urls[2], ==, "http://[::1]:3");
  g_assert_null (place.urls[3]);
  g_assert_cmpstr (place.run, ==, "my-run_1.x");
  g_assert_true (place.is_loopback && !place.has_tls);
  place_clear (&place);
}

static void
test_place_with_tls_is_https (void)
{
  g_autoptr (GError) error = NULL;
  Place place;

  g_assert_true (place_parse ("etcds://store.example:7/r", &place, &error));
  g_assert_cmpstr (place.urls[0], ==, "https://store.example:7");
  g_assert_true (place.has_tls && !place.is_loopback);
  place_clear (&place);
}

/* A name may lead to any machine, even if it begins like a loopback address. */
static void
test_loopback_is_told_by_the_number (void)
{
  static const struct
  {
    const char *uri;
    gboolean is_loopback;
  } cases[] = { { "etcd://127.255.0.9/r", TRUE },         { "etcd://[::1]/r", TRUE },
                { "etcd://localhost/r", TRUE },           { "etcd://127.example.org/r", FALSE },
                { "etcd://127.0.0.1.example/r", FALSE },  { "etcd://localhost.example/r", FALSE },
                { "etcd://128.0.0.1/r", FALSE },          { "etcd://[::2]/r", FALSE },
                { "etcd://127.0.0.1,192.0.2.1/r", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      Place place;
      g_test_message ("%s", cases[i].uri);
      g_assert_true (place_parse (cases[i].uri, &place, &error));
      g_assert_cmpint (place.is_loopback, ==, cases[i].is_loopback);
      place_clear (&place);
    }
}

static void
test_wrong_places_are_refused (void)
{
  static const char *const uris[] = {
    "nonsense",
    "etcd:",
    "etcd://",
    "etcd://h",
    "etcd://h/",
    "etcd:///r",
    "etcd://h,/r",
    "etcd://h:x/r",
    "etcd://h:1/r/s",
    "etcd://h:1/r?x",
    "etcd://me:word@h:1/r",
    "http://h:1/r",
  };
  Place place;

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;
      g_test_message ("%s", uris[i]);
      g_assert_false (place_parse (uris[i], &place, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

/* The texts are libcurl's, for TLS 1.3 and TLS 1.2. */
static void
test_alerts_about_certificates (void)
{
  static const char *const refused[] = {
    "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000412:SSL routines::sslv3 alert bad certificate, "
    "errno 0",
    "OpenSSL/3.0.19: error:0A000412:SSL routines::sslv3 alert bad certificate",
    "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
    "error:0A000415:SSL routines::sslv3 alert certificate expired",
    "error:0A000418:SSL routines::tlsv1 alert unknown ca",
  };
  static const char *const others[] = {
    "SSL certificate problem: unable to get local issuer certificate",
    "error:0A000410:SSL routines::sslv3 alert handshake failure",
    "Failed to connect to certificate.alert port 2379 after 0 ms: Couldn't connect to server",
    "",
  };
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    g_assert_true (curl_common_is_certificate_refused (refused[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (curl_common_is_certificate_refused (others[i]));
}

#define CASE(path, function) g_test_add_func ("/net/registry-etcd-messages/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("call/commit-is-compare-and-success", test_commit_is_compare_and_success);
  CASE ("call/lease-that-is-kept-is-not-named", test_lease_that_is_kept_is_not_named);
  CASE ("call/password-is-quoted", test_password_is_quoted);
  CASE ("answer/long-numbers-come-in-strings", test_long_numbers_come_in_strings);
  CASE ("answer/what-is-false-is-left-out", test_what_is_false_is_left_out);
  CASE ("answer/lease-that-is-gone-has-no-time", test_lease_that_is_gone_has_no_time);
  CASE ("answer/read-has-keys-and-values", test_read_has_keys_and_values);
  CASE ("answer/nonsense-is-refused", test_nonsense_is_refused);
  CASE ("answer/deep-text-is-refused", test_deep_text_is_refused);
  CASE ("answer/many-values-are-refused", test_many_values_are_refused);
  CASE ("answer/odd-members-are-nothing", test_odd_members_are_nothing);
  CASE ("watch/tells-puts-and-deletions", test_watch_tells_puts_and_deletions);
  CASE ("watch/compaction-ends-it", test_compaction_ends_a_watch);
  CASE ("watch/error-ends-it", test_error_ends_a_watch);
  CASE ("refusal/has-code-and-reason", test_refusal_has_code_and_reason);
  CASE ("refusal/alerts-about-certificates", test_alerts_about_certificates);
  CASE ("key/names-come-back", test_names_of_keys_come_back);
  CASE ("key/others-are-none", test_other_keys_are_none);
  CASE ("place/loopback-is-told-by-the-number", test_loopback_is_told_by_the_number);
  CASE ("place/servers-and-a-run", test_place_has_servers_and_a_run);
  CASE ("place/tls-is-https", test_place_with_tls_is_https);
  CASE ("place/wrong-ones-are-refused", test_wrong_places_are_refused);
  return g_test_run ();
}
