/* elect.c - rules: electing the master
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

/* Whether all living members know that the member @data is the master. */
static gboolean
is_master (Roll *roll, gconstpointer data)
{
  for (guint i = 0; i < roll->members->len; i++)
    {
      Member *member = roll_get (roll, i);
      if (member->registry != NULL && member->master != ((const Member *)data)->id)
        return FALSE;
    }
  return TRUE;
}

static gboolean
elect (Roll *roll, Member *member)
{
  member_elect (member);
  return roll_wait (roll, is_master, member, "the election of who alone offers itself");
}

void
registry_rule_elect_all (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL || !elect (roll, roll_get (roll, 1)))
    return;
  for (guint i = 0; i < 3; i++)
    CASE_EXPECT (c, roll_get (roll, i)->term == roll_get (roll, 0)->term,
                 "members 1 and %u are told of two terms", i + 1);
}

void
registry_rule_elect_first (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL || !elect (roll, roll_get (roll, 0)))
    return;
  member_elect (roll_get (roll, 1));
  if (roll_settle (roll))
    for (guint i = 0; i < 2; i++)
      CASE_EXPECT (c, roll_get (roll, i)->master == roll_get (roll, 0)->id,
                   "a later offer takes the place of a master that lives");
}

static gboolean
has_no_master (Roll *roll, gconstpointer data)
{
  return roll_get (roll, 0)->master == 0;
}

void
registry_rule_elect_next (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL || !elect (roll, roll_get (roll, 1)))
    return;
  guint64 term = roll_get (roll, 0)->term;
  member_leave (roll_get (roll, 1));
  if (roll_wait (roll, has_no_master, NULL, "that the master left")
      && elect (roll, roll_get (roll, 0)))
    CASE_EXPECT (c, roll_get (roll, 0)->term > term,
                 "the term of the next master is %" G_GUINT64_FORMAT ", it was %" G_GUINT64_FORMAT,
                 roll_get (roll, 0)->term, term);
}

void
registry_rule_elect_late (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 1);
  if (roll == NULL || !elect (roll, roll_get (roll, 0)))
    return;
  Member *late = roll_join (roll);
  if (late != NULL)
    CASE_EXPECT (c,
                 late->first_master == roll_get (roll, 0)->id
                     && late->first_term == roll_get (roll, 0)->term,
                 "registered tells of master %u and term %" G_GUINT64_FORMAT
                 ", they are %u and %" G_GUINT64_FORMAT,
                 late->first_master, late->first_term, roll_get (roll, 0)->id,
                 roll_get (roll, 0)->term);
}
