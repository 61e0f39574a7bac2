/* fuzz-etcd.c - fuzzes the answers of an etcd store
 *
 * The first byte of an input says to what the store answers: a call, a watch, a password, or a
 * refused call. A node finds the keys and values of the answer in the store: after a call when it
 * is about to join, after a watch when it is a member. It has a secret or has none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/net/etcd-world.h"
#include "messages.h"
#include "store/store-json.h"

#include <string.h>

#define N_ANSWERS (STORE_N_CALLS + 3)

static const SatinSecret secret = { .n_keys = 1 };

/* A node finds @items in the store, as if a stranger had put them there. */
static void
take_items (const GArray *items, gboolean is_member, gboolean has_secret)
{
  World *world = world_new ();
  world->secret = has_secret ? &secret : NULL;
  if (is_member)
    join (world);
  for (guint i = 0; i < items->len; i++)
    {
      const StoreItem *item = &g_array_index (items, StoreItem, i);
      fake_store_put (world->store, item->key, item->value);
    }
  open_node (world, "fib");
  advance (world, SECOND_US);
  world_free (world);
}

static void
take_answer (guint what, const char *text, gboolean has_secret)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) items = NULL;
  g_autofree char *told = NULL;
  StoreAnswer answer;
  StoreJsonEvents events;

  if (what < STORE_N_CALLS)
    {
      if (store_json_parse ((StoreCallKind)what, text, &answer, &items, &error))
        take_items (items, FALSE, has_secret);
    }
  else if (what == STORE_N_CALLS)
    {
      if (store_json_parse_events (text, &events, &error))
        {
          take_items (events.items, TRUE, has_secret);
          store_json_events_clear (&events);
        }
    }
  else if (what == STORE_N_CALLS + 1)
    told = store_json_parse_token (text, &error);
  else
    store_json_parse_refusal (text, &told);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes == 0)
    return 0;
  fuzz_take_warnings ();
  g_autofree char *text = g_strndup ((const char *)bytes + 1, n_bytes - 1);
  take_answer (bytes[0] % 128 % N_ANSWERS, text, bytes[0] >= 128);
  return 0;
}

/* ---- examples ---- */

static void
add_item (GString *text)
{
  static const struct
  {
    const char *key;
    const SatinRecord *record;
  } keys[] = {
    { "view", &KeyView_record },       { "member/1", &KeyMember_record },
    { "member/2", &KeyMember_record }, { "life/1", NULL },
    { "word/0", &KeyWords_record },    { "end", &SatinRunEnd_record },
  };
  guint which = (guint)g_test_rand_int_range (0, G_N_ELEMENTS (keys));
  g_autofree char *key = g_strconcat ("/satin/run/", keys[which].key, NULL);
  g_autofree char *key64 = g_base64_encode ((const guchar *)key, strlen (key));
  g_autoptr (GByteArray) value = g_byte_array_new ();
  if (keys[which].record != NULL)
    fuzz_record_add (value, keys[which].record);
  g_autofree char *value64 = g_base64_encode (value->data, value->len);
  g_string_append_printf (text, "\"key\":\"%s\",\"mod_revision\":\"%d\",\"value\":\"%s\"", key64,
                          g_test_rand_int_range (1, 9), value64);
}

void
fuzz_example (GByteArray *out)
{
  guint8 what = (guint8)g_test_rand_int_range (0, N_ANSWERS);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = (guint)g_test_rand_int_range (0, 4);

  g_string_append (text, what == STORE_N_CALLS || what == STORE_RENEW ? "{\"result\":{" : "{");
  g_string_append (text, "\"header\":{\"revision\":\"7\"},\"ID\":\"5\",\"TTL\":\"3\",");
  g_string_append (text, "\"token\":\"t\",\"error\":\"e\",\"code\":5,\"succeeded\":true,");
  g_string_append (text, what == STORE_N_CALLS ? "\"events\":[" : "\"kvs\":[");
  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ",{" : "{");
      g_string_append (text, what == STORE_N_CALLS ? "\"kv\":{" : "");
      add_item (text);
      g_string_append (text, what == STORE_N_CALLS ? "}}" : "}");
    }
  g_string_append (text, what == STORE_N_CALLS || what == STORE_RENEW ? "]}}" : "]}");
  if (g_test_rand_int_range (0, 2) == 0)
    what |= 128;
  g_byte_array_append (out, &what, 1);
  g_byte_array_append (out, (const guint8 *)text->str, (guint)text->len);
}
