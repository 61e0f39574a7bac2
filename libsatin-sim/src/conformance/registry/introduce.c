/* introduce.c - rules: asking the registry for a member that the asking member does not see
 *
 * Only a registry with partial views has the operation "introduce".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#define NEVER_GIVEN 999999

/* Makes a roll of two members. Returns: %NULL when the registry has no operation "introduce", or
 * when the case cannot begin */
static Roll *
roll_that_introduces (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL || roll->ops.introduce != NULL)
    return g_steal_pointer (&roll);
  case_skip (c, "has no operation introduce: its views are never partial");
  return NULL;
}

static gboolean
is_answered (Roll *roll, gconstpointer data)
{
  return roll_get (roll, 0)->n_unknown > 0;
}

static void
expect_unknown (Roll *roll, SatinNodeId id)
{
  Member *asker = roll_get (roll, 0);
  guint n_known = asker->known->len;
  member_introduce (asker, id);
  if (!roll_wait (roll, is_answered, NULL, "unknown after introduce") || !roll_settle (roll))
    return;
  CASE_EXPECT (roll->c, asker->n_unknown == 1 && asker->unknown == id,
               "one question for %u is answered %u times, at last with %u", id, asker->n_unknown,
               asker->unknown);
  CASE_EXPECT (roll->c, asker->known->len == n_known, "%u is unknown and joined", id);
}

void
registry_rule_introduce_never (Case *c)
{
  g_autoptr (Roll) roll = roll_that_introduces (c);
  if (roll != NULL)
    expect_unknown (roll, NEVER_GIVEN);
}

void
registry_rule_introduce_left (Case *c)
{
  g_autoptr (Roll) roll = roll_that_introduces (c);
  if (roll == NULL)
    return;
  Member *leaver = roll_get (roll, 1);
  member_leave (leaver);
  if (roll_wait (roll, roll_is_gone, leaver, "left"))
    expect_unknown (roll, leaver->id);
}

void
registry_rule_introduce_died (Case *c)
{
  g_autoptr (Roll) roll = roll_that_introduces (c);
  if (roll == NULL)
    return;
  Member *victim = roll_get (roll, 1);
  member_abandon (victim);
  if (roll_wait_long (roll, roll_is_gone, victim, "died"))
    expect_unknown (roll, victim->id);
}
