/* leaving.c - rules: a member announces that it will leave
 *
 * The cases are skipped for a registry without the operation "leaving".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

/* How long a leaving member may take: so long that no member misses its deadline in these cases. */
#define DEADLINE_US ((gint64)60000000)

/* Makes a roll of members. Returns: %NULL when the registry has no operation "leaving", or when the
 * case cannot begin */
static Roll *
roll_that_tells (Case *c, guint n_members)
{
  g_autoptr (Roll) roll = roll_new (c, n_members);
  if (roll == NULL || roll->ops.leaving != NULL)
    return g_steal_pointer (&roll);
  case_skip (c, "has no operation leaving");
  return NULL;
}

/* Whether all living members, also the member @data itself, have heard that @data is leaving. */
static gboolean
is_known (Roll *roll, gconstpointer data)
{
  const Member *leaver = data;
  for (guint i = 0; i < roll->members->len; i++)
    {
      Member *member = roll_get (roll, i);
      Known *known = member_find (member, leaver->id);
      if (member->registry != NULL && member != leaver && (known == NULL || known->n_leaving == 0))
        return FALSE;
    }
  return leaver->n_leaving > 0;
}

static gboolean
begin_to_leave (Roll *roll, Member *leaver)
{
  member_leaving (leaver, DEADLINE_US);
  return roll_wait (roll, is_known, leaver, "that all hear who is leaving");
}

void
registry_rule_leaving_all (Case *c)
{
  g_autoptr (Roll) roll = roll_that_tells (c, 3);
  if (roll == NULL || !begin_to_leave (roll, roll_get (roll, 2)))
    return;
  Member *leaver = roll_get (roll, 2);
  member_leaving (leaver, DEADLINE_US);
  if (!roll_settle (roll))
    return;
  CASE_EXPECT (c, leaver->n_leaving == 1 && leaver->registry != NULL,
               "one that is leaving hears so %u times, or is out already", leaver->n_leaving);
  for (guint i = 0; i < 2; i++)
    {
      const Known *known = member_find (roll_get (roll, i), leaver->id);
      CASE_EXPECT (c, known->n_leaving == 1, "member %u hears %u times that one is leaving", i + 1,
                   known->n_leaving);
      CASE_EXPECT (c, !known->has_left && !known->has_died,
                   "one that is leaving is gone already for member %u", i + 1);
    }
}

void
registry_rule_leaving_late (Case *c)
{
  g_autoptr (Roll) roll = roll_that_tells (c, 2);
  if (roll == NULL || !begin_to_leave (roll, roll_get (roll, 1)))
    return;
  Member *late = roll_join (roll);
  if (late == NULL || !roll_settle (roll))
    return;
  CASE_EXPECT (c, member_find (late, roll_get (roll, 1)->id)->n_leaving == 1,
               "a late comer is not told that one is leaving");
  CASE_EXPECT (c, member_find (late, roll_get (roll, 0)->id)->n_leaving == 0,
               "a late comer is told that one is leaving who stays");
}

static gboolean
has_master (Roll *roll, gconstpointer data)
{
  return roll_get (roll, 0)->master == ((const Member *)data)->id;
}

void
registry_rule_leaving_elect (Case *c)
{
  g_autoptr (Roll) roll = roll_that_tells (c, 2);
  if (roll == NULL || !begin_to_leave (roll, roll_get (roll, 1)))
    return;
  member_elect (roll_get (roll, 1));
  if (!roll_settle (roll))
    return;
  CASE_EXPECT (c, roll_get (roll, 0)->master == 0, "one that is leaving is made master");
  member_elect (roll_get (roll, 0));
  roll_wait (roll, has_master, roll_get (roll, 0), "the election of one that stays");
}

/* Checks that a master that is leaving stays the master until it has left, because it runs the root
 * job. */
void
registry_rule_leaving_master (Case *c)
{
  g_autoptr (Roll) roll = roll_that_tells (c, 2);
  if (roll == NULL)
    return;
  Member *master = roll_get (roll, 0);
  member_elect (master);
  if (!roll_wait (roll, has_master, master, "elected"))
    return;
  Member *other = roll_get (roll, 1);
  member_leaving (master, DEADLINE_US);
  if (!roll_settle (roll))
    return;
  CASE_EXPECT (c, master->n_leaving == 1 && member_find (other, master->id)->n_leaving == 1,
               "the master is not told to be leaving");
  member_elect (other);
  if (roll_settle (roll))
    CASE_EXPECT (c, other->master == master->id,
                 "another is elected while the master has not left yet");
}

void
registry_rule_leaving_left (Case *c)
{
  g_autoptr (Roll) roll = roll_that_tells (c, 2);
  if (roll == NULL || !begin_to_leave (roll, roll_get (roll, 1)))
    return;
  Member *leaver = roll_get (roll, 1);
  member_leave (leaver);
  if (roll_wait (roll, roll_is_gone, leaver, "left"))
    CASE_EXPECT (c, member_find (roll_get (roll, 0), leaver->id)->has_left,
                 "of one that said so and left others hear that it died");
}
