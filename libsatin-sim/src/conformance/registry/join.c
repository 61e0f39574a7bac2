/* join.c - rules: becoming a member and seeing the others
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#include <string.h>

static gboolean
is_over (Roll *roll, gconstpointer data)
{
  return ((const Member *)data)->n_over > 0;
}

/* Checks a wrong address: open may refuse it, or the member tries to join and ends with an
 * error. */
void
registry_rule_open_wrong (Case *c)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Roll) roll = roll_new (c, 0);
  if (roll == NULL)
    return;
  Member *member = roll_open (roll, "nonsense", &error);
  if (member == NULL)
    {
      if (CASE_EXPECT (c, error != NULL, "open of \"nonsense\" failed without an error"))
        CASE_EXPECT (c, error->domain == SATIN_ERROR, "open of \"nonsense\" failed with %s",
                     g_quark_to_string (error->domain));
      return;
    }
  if (roll_wait_long (roll, is_over, member, "the end of one with the address \"nonsense\""))
    CASE_EXPECT (c, member->error != NULL && member->n_registered == 0,
                 "one with the address \"nonsense\" became a member, or was over without an error");
}

void
registry_rule_join_others (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  for (guint i = 0; roll != NULL && i < 3; i++)
    {
      Member *member = roll_get (roll, i);
      CASE_EXPECT (c, member->id != 0, "a member has the number 0");
      CASE_EXPECT (c, member_find (member, member->id) == NULL,
                   "registered tells a member of itself");
      CASE_EXPECT (c, member->n_first >= i, "the first view of member %u has %u others", i + 1,
                   member->n_first);
    }
}

void
registry_rule_join_all (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 6);
  for (guint i = 0; roll != NULL && i < 6; i++)
    for (guint j = 0; j < 6; j++)
      CASE_EXPECT (c, i == j || member_find (roll_get (roll, i), roll_get (roll, j)->id) != NULL,
                   "member %u does not see member %u", i + 1, j + 1);
}

/* Checks what members learn of each other: member 0 from the event "joined", member 1 from the
 * event "registered". */
void
registry_rule_join_strings (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  for (guint i = 0; roll != NULL && i < 2; i++)
    {
      Member *about = roll_get (roll, i);
      Known *known = member_find (roll_get (roll, 1 - i), about->id);
      CASE_EXPECT (c,
                   known != NULL && g_strcmp0 (known->address, about->address) == 0
                       && g_strcmp0 (known->cluster, i == 0 ? "" : "east") == 0
                       && g_strcmp0 (known->host, ROLL_HOST) == 0 && known->pid == ROLL_PID (i),
                   "of %s it is told address \"%s\", cluster \"%s\", host \"%s\" and process "
                   "%" G_GINT64_FORMAT,
                   about->address, known != NULL ? known->address : "",
                   known != NULL ? known->cluster : "", known != NULL ? known->host : "",
                   known != NULL ? known->pid : 0);
    }
}

void
registry_rule_join_run (Case *c)
{
  static const guint8 nothing[16] = { 0 };
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL)
    return;
  CASE_EXPECT (c, memcmp (roll_get (roll, 0)->run, nothing, 16) != 0, "the run has no name");
  CASE_EXPECT (c, memcmp (roll_get (roll, 0)->run, roll_get (roll, 1)->run, 16) == 0,
               "two members are told of two runs");
}

static gboolean
is_complete (Roll *roll, gconstpointer data)
{
  return roll_get (roll, 0)->n_complete > 0 && roll_get (roll, 1)->n_complete > 0;
}

void
registry_rule_join_complete (Case *c)
{
  if (!roll_has_own_hub (c))
    {
      case_skip (c, "whether the world of a registry that is given is open is not known");
      return;
    }
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll != NULL)
    roll_wait (roll, is_complete, NULL, "complete in an open world");
}

void
registry_rule_join_numbers (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL)
    return;
  Member *leaver = roll_get (roll, 1);
  member_leave (leaver);
  if (!roll_wait (roll, roll_is_gone, leaver, "left"))
    return;
  Member *member = roll_join (roll);
  if (member != NULL && member->id == leaver->id)
    case_note (c, RULE_NUMBERS, "number %u, of one that left, was given again", member->id);
  CASE_EXPECT (c, member == NULL || member->id > leaver->id, "number %u was given after number %u",
               member->id, leaver->id);
}
