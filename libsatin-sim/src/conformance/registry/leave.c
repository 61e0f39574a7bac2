/* leave.c - rules: what members hear when others leave or die, and when the run ends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#include <signal.h>
#include <string.h>

#define EXIT_STATUS 21
#define END_MESSAGE "ended by the suite"

static gboolean
is_known_gone (Roll *roll, gconstpointer data)
{
  for (guint i = 0; i < roll->members->len; i++)
    {
      Member *member = roll_get (roll, i);
      Known *known = member_find (member, ((const Member *)data)->id);
      if (member->registry != NULL && known != NULL && !known->has_left && !known->has_died)
        return FALSE;
    }
  return TRUE;
}

void
registry_rule_leave_left (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL)
    return;
  Member *leaver = roll_get (roll, 2);
  member_leave (leaver);
  if (!roll_wait (roll, is_known_gone, leaver, "left"))
    return;
  for (guint i = 0; i < 2; i++)
    CASE_EXPECT (c, member_find (roll_get (roll, i), leaver->id)->has_left,
                 "of one that left member %u is told that it died", i + 1);
}

static gboolean
is_over (Roll *roll, gconstpointer data)
{
  return ((const Member *)data)->n_over > 0;
}

void
registry_rule_leave_over (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL)
    return;
  Member *leaver = roll_get (roll, 1);
  member_leave (leaver);
  if (roll_wait (roll, is_over, leaver, "over after leave"))
    CASE_EXPECT (c, leaver->error == NULL, "over after leave has an error: %s",
                 leaver->error->message);
}

void
registry_rule_death_died (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL)
    return;
  Member *victim = roll_get (roll, 2);
  member_abandon (victim);
  if (!roll_wait_long (roll, is_known_gone, victim, "died"))
    return;
  for (guint i = 0; i < 2; i++)
    CASE_EXPECT (c, member_find (roll_get (roll, i), victim->id)->has_died,
                 "of one that went without a word member %u is told that it left", i + 1);
}

/* Ends member 2, and reports to the suite's own hub which signal ended that member's process.
 * Returns: (nullable): the member that is gone; %NULL when the others do not hear that in time */
static Member *
end_process (Roll *roll, int signal_number)
{
  Member *victim = roll_get (roll, 2);
  member_abandon (victim);
  satin_hub_process_killed (roll->hub, ROLL_HOST, ROLL_PID (victim->number), signal_number,
                            "its process ended");
  return roll_wait_long (roll, is_known_gone, victim, "died") ? victim : NULL;
}

/* Checks that two members hear which signal ended the process of the third: @signal_number, or 0
 * for no signal. */
static void
check_signal (Case *c, int signal_number)
{
  if (!roll_has_own_hub (c))
    {
      case_skip (c, "who holds the registry that is given does not say how a process ended");
      return;
    }
  g_autoptr (Roll) roll = roll_new (c, 3);
  Member *victim = roll != NULL ? end_process (roll, signal_number) : NULL;
  for (guint i = 0; i < 2 && victim != NULL; i++)
    {
      const Known *known = member_find (roll_get (roll, i), victim->id);
      CASE_EXPECT (c, known->signal_number == signal_number,
                   "member %u is told of signal %d, and it was %d", i + 1, known->signal_number,
                   signal_number);
    }
}

void
registry_rule_death_signal (Case *c)
{
  check_signal (c, SIGSEGV);
}

void
registry_rule_death_no_signal (Case *c)
{
  check_signal (c, 0);
}

/* Checks that a member that others suspect to be dead, but that answers the registry, remains a
 * member. */
void
registry_rule_suspect_living (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 3);
  if (roll == NULL)
    return;
  Member *suspected = roll_get (roll, 2);
  member_suspect (roll_get (roll, 0), suspected->id);
  member_suspect (roll_get (roll, 1), suspected->id);
  if (roll_settle (roll))
    for (guint i = 0; i < 2; i++)
      {
        Known *known = member_find (roll_get (roll, i), suspected->id);
        CASE_EXPECT (c, !known->has_died && !known->has_left && suspected->registry != NULL,
                     "a living node is declared dead because it is suspected");
      }
}

void
registry_rule_report_unasked (Case *c)
{
  SatinFigure figure = { (char *)"jobs", 7 };
  const SatinReport body = { .figures = &figure, .n_figures = 1 };
  g_autoptr (GBytes) report = satin_record_to_bytes (&SatinReport_record, &body);
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL)
    return;
  member_report (roll_get (roll, 0), report);
  member_report (roll_get (roll, 1), report);
  if (roll_settle (roll))
    CASE_EXPECT (c, roll_get (roll, 0)->registry != NULL && roll_get (roll, 1)->registry != NULL,
                 "a member is gone after it reported");
}

static gboolean
has_master (Roll *roll, gconstpointer data)
{
  return roll_get (roll, 0)->master != 0 && roll_get (roll, 1)->master != 0;
}

static gboolean
have_all_heard (Roll *roll, gconstpointer data)
{
  for (guint i = 0; i < roll->members->len; i++)
    if (!roll_get (roll, i)->has_end)
      return FALSE;
  return TRUE;
}

/* Elects a master, which then ends the run. */
static gboolean
end_run (Roll *roll)
{
  Member *master = roll_get (roll, 0);
  member_elect (master);
  if (!roll_wait (roll, has_master, NULL, "elected"))
    return FALSE;
  member_end (master, EXIT_STATUS, END_MESSAGE);
  return roll_wait (roll, have_all_heard, NULL, "the word over");
}

void
registry_rule_end_all (Case *c)
{
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL || !end_run (roll))
    return;
  for (guint i = 0; i < 2; i++)
    {
      Member *member = roll_get (roll, i);
      CASE_EXPECT (c,
                   member->exit_status == EXIT_STATUS
                       && g_strcmp0 (member->end_message, END_MESSAGE) == 0,
                   "a run that ended with status %d and \"%s\" is told with %d and \"%s\"",
                   EXIT_STATUS, END_MESSAGE, member->exit_status, member->end_message);
    }
}

void
registry_rule_end_late (Case *c)
{
  g_autoptr (GError) error = NULL;
  if (!roll_has_own_hub (c))
    {
      case_skip (c, "a run that is given ends once");
      return;
    }
  g_autoptr (Roll) roll = roll_new (c, 2);
  if (roll == NULL || !end_run (roll))
    return;
  Member *late = roll_open (roll, roll->uri, &error);
  if (late != NULL && roll_wait_long (roll, is_over, late, "the end of one that came too late"))
    CASE_EXPECT (c, late->error != NULL && late->n_registered == 0,
                 "one that came after the end became a member, or was over without an error");
}
