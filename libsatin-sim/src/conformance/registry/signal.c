/* signal.c - rules: signals to one member and to all
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#include <string.h>

#define N_IN_ORDER    50
#define PAYLOAD_BYTES 1000

/* Expects that member @number has heard @text @n times. */
static void
expect_heard (Roll *roll, guint number, const char *text, guint n)
{
  guint n_heard = member_n_heard (roll_get (roll, number), text);
  CASE_EXPECT (roll->c, n_heard == n, "member %u heard a word %u times, not %u", number + 1,
               n_heard, n);
}

/* Whether @member has heard its signal to itself. A case waits for this, because signals of
 * different members have no order: this signal may arrive after the marks of roll_settle(). */
static gboolean
has_heard_itself (Roll *roll, gconstpointer member)
{
  return member_n_heard ((Member *)member, "to-itself ") > 0;
}

void
registry_rule_signal_one (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL)
    return;
  member_signal (roll_get (roll, 0), roll_get (roll, 1)->id, "to-one", NULL);
  member_signal (roll_get (roll, 2), roll_get (roll, 2)->id, "to-itself", NULL);
  if (!roll_wait (roll, has_heard_itself, roll_get (roll, 2), "that a member hears itself")
      || !roll_settle (roll))
    return;
  for (guint i = 0; i < 3; i++)
    {
      expect_heard (roll, i, "to-one ", i == 1 ? 1 : 0);
      expect_heard (roll, i, "to-itself ", i == 2 ? 1 : 0);
    }
}

void
registry_rule_signal_all (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL)
    return;
  member_signal (roll_get (roll, 0), 0, "to-all", NULL);
  if (roll_settle (roll))
    for (guint i = 0; i < 3; i++)
      expect_heard (roll, i, "to-all ", 1);
}

void
registry_rule_signal_order (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  guint n = 0;
  for (guint i = 0; roll != NULL && i < N_IN_ORDER; i++)
    {
      g_autoptr (GBytes) payload = g_bytes_new (&(guint8){ i }, 1);
      member_signal (roll_get (roll, 0), roll_get (roll, 1)->id, "in-order", payload);
    }
  if (roll == NULL || !roll_settle (roll))
    return;
  GPtrArray *words = roll_get (roll, 1)->words;
  for (guint i = 0; i < words->len; i++)
    {
      const char *text = g_ptr_array_index (words, i);
      if (!g_str_has_prefix (text, "in-order "))
        continue;
      guint64 number = g_ascii_strtoull (text + strlen ("in-order "), NULL, 16);
      CASE_EXPECT (c, number == n, "word %" G_GUINT64_FORMAT " came when %u was due", number, n);
      n++;
    }
  CASE_EXPECT (c, n == N_IN_ORDER, "of %u words %u came", N_IN_ORDER, n);
}

void
registry_rule_signal_payload (Case *c)
{
  guint8 bytes[PAYLOAD_BYTES];
  for (guint i = 0; i < PAYLOAD_BYTES; i++)
    bytes[i] = (guint8)(i * 7);
  g_autoptr (GBytes) long_one = g_bytes_new (bytes, sizeof bytes);
  g_autoptr (GBytes) empty_one = g_bytes_new (NULL, 0);
  g_autofree char *long_text = member_text ("long", long_one);
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL)
    return;
  SatinNodeId to = roll_get (roll, 1)->id;
  member_signal (roll_get (roll, 0), to, "long", long_one);
  member_signal (roll_get (roll, 0), to, "empty", empty_one);
  member_signal (roll_get (roll, 0), to, "none", NULL);
  if (!roll_settle (roll))
    return;
  expect_heard (roll, 1, long_text, 1);
  expect_heard (roll, 1, "empty ", 1);
  expect_heard (roll, 1, "none ", 1);
}

void
registry_rule_signal_stranger (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL)
    return;
  Member *leaver = roll_get (roll, 2);
  member_leave (leaver);
  member_signal (roll_get (roll, 0), leaver->id, "to-a-leaver", NULL);
  member_signal (roll_get (roll, 0), 999999, "to-nobody", NULL);
  if (!roll_settle (roll))
    return;
  for (guint i = 0; i < 2; i++)
    {
      expect_heard (roll, i, "to-a-leaver ", 0);
      expect_heard (roll, i, "to-nobody ", 0);
    }
}
