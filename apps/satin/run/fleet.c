/* fleet.c - the machines of a run that `satin run` holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet.h"
#include "node-command.h"

#include <satin/base/run.h>

/* If closing takes longer than this, the command prints what it waits for. */
#define CLOSE_TOLD_US ((gint64)3000000)
/* If machines are not there after this time, the command says so; again after twice that time, four
 * times that time, and so on. */
#define AWAITED_TOLD_US ((gint64)10000000)
/* How many of a machine's last lines are printed if its node has ended badly. The very last line is
 * part of the reason that is printed. */
#define LAST_LINES 10

struct _RunFleet
{
  const RunOptions *options; /* (borrowed) */
  SatinLoop *loop;           /* (borrowed) */
  SatinHub *hub;             /* (borrowed) */
  RunTerminal *terminal;     /* (borrowed) */
  HubJournal *journal;       /* (borrowed) (nullable) */
  SatinFleet *fleet;         /* (owned) (nullable): %NULL after it was closed */
  GHashTable *members;       /* (owned) node number to the (owned) name of its host */
  gboolean is_closing;
  gboolean is_abandoned;
  SatinTimerId told_timer;
  SatinTimerId overdue_timer;
  gint64 began_us;   /* when the first machines were asked for */
  gint64 awaited_us; /* the next pause between two messages about awaited machines */
  SatinTimerId awaited_timer;
  void (*closed) (gpointer user_data);
  gpointer user_data;
};

/* ---- requests of the fleet to the hub ---- */

static void
on_tell (SatinNodeId to, const char *word, GBytes *payload, gpointer user_data)
{
  satin_hub_signal (((RunFleet *)user_data)->hub, to, word, payload);
}

static void
on_leave (const char *machine, gint64 deadline_us, gpointer user_data)
{
  RunFleet *self = user_data;
  const SatinLeave leave = { CLAMP (deadline_us, 0, SATIN_LEAVE_MAX_US) };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  SatinNodeId id = satin_hub_find_on (self->hub, machine);
  if (id != 0)
    satin_hub_signal (self->hub, id, SATIN_SIGNAL_LEAVE, payload);
}

static void
on_say (const char *text, gpointer user_data)
{
  run_terminal_warn (((RunFleet *)user_data)->terminal, "%s", text);
}

/* Tells the hub that all nodes on a machine are lost. Does nothing if the machine has the name of
 * this host, because the hub would declare all nodes of this host dead. */
static void
on_killed (const char *machine, int signal_number, const char *how, gpointer user_data)
{
  RunFleet *self = user_data;
  if (!self->is_abandoned && !g_str_equal (machine, g_get_host_name ()))
    satin_hub_host_killed (self->hub, machine, signal_number, how);
}

static void
on_gone (const char *machine, const char *how, gpointer user_data)
{
  on_killed (machine, 0, how, user_data);
}

/* Prints the last lines of a machine whose node has ended badly, except the very last line: the
 * reason, which is printed next, contains it. */
static void
say_last_lines (RunFleet *self, const char *machine, char **lines)
{
  guint n_lines = g_strv_length (lines);
  guint first = n_lines > LAST_LINES ? n_lines - LAST_LINES : 0;
  for (guint i = first; i + 1 < n_lines; i++)
    run_terminal_say (self->terminal, "%s: %s", machine, lines[i]);
}

static void
on_said (const char *machine, const char *text, gboolean has_failed, gpointer user_data)
{
  RunFleet *self = user_data;
  if (self->is_abandoned)
    return;
  g_autofree char *whole = g_strchomp (g_strdup (text));
  g_auto (GStrv) lines = g_strsplit (whole, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    hub_journal_machine_output (self->journal, machine, *line);
  if (has_failed)
    say_last_lines (self, machine, lines);
}

static void
on_machines (const char *what, guint n, const char *text, gpointer user_data)
{
  hub_journal_machines (((RunFleet *)user_data)->journal, what, n, text);
}

static gboolean
on_is_member (const char *machine, gpointer user_data)
{
  return satin_hub_find_on (((RunFleet *)user_data)->hub, machine) != 0;
}

static const SatinFleetHost host = {
  .struct_size = sizeof (SatinFleetHost),
  .tell = on_tell,
  .leave = on_leave,
  .say = on_say,
  .gone = on_gone,
  .is_member = on_is_member,
  .killed = on_killed,
  .said = on_said,
  .machines = on_machines,
};

/* ---- from the start to the end ---- */

RunFleet *
run_fleet_open (const RunOptions *options, Session *session, RunHub *hub, RunTerminal *terminal,
                void (*closed) (gpointer user_data), gpointer user_data, GError **error)
{
  guint n_own = options->labels->len;
  const SatinFleetOptions limits = { .n_least = (guint)options->fleet.n_least + n_own,
                                     .n_most = (guint)options->fleet.n_most + n_own,
                                     .n_own = n_own };
  g_autoptr (RunStart) start =
      run_start_new (options, run_hub_get_uri (hub), session->secret, error);
  if (start == NULL)
    return NULL;
  RunFleet *self = g_new0 (RunFleet, 1);
  *self = (RunFleet){ .options = options,
                      .loop = session->loop,
                      .hub = run_hub_get (hub),
                      .terminal = terminal,
                      .members = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                      .closed = closed,
                      .user_data = user_data };
  self->fleet = satin_fleet_new (self->loop, &limits, &host, self);
  SatinProvision *provision =
      satin_provision_open (self->loop, options->fleet.provision, run_start_get (start),
                            &satin_fleet_provision_host, self->fleet, error);
  if (provision != NULL)
    {
      satin_fleet_set_provision (self->fleet, provision);
      return self;
    }
  run_fleet_free (self);
  return NULL;
}

/* Says how many machines are not there, as long as some are not. Why a machine did not come was
 * said before, if the provisioner knows. */
static void
on_awaited (gpointer user_data)
{
  RunFleet *self = user_data;
  guint n_awaited = run_fleet_count_awaited (self);
  self->awaited_timer = 0;
  if (n_awaited == 0 || self->is_closing)
    return;
  run_terminal_warn (self->terminal, "%u of %d machines of --provision %s are not there after %d s",
                     n_awaited, self->options->fleet.n_least, self->options->fleet.provision,
                     (int)((satin_loop_now_us (self->loop) - self->began_us) / G_USEC_PER_SEC));
  self->awaited_timer = satin_loop_timer_add (self->loop, self->awaited_us, on_awaited, self);
  self->awaited_us *= 2;
}

void
run_fleet_set_journal (RunFleet *self, HubJournal *journal)
{
  self->journal = journal;
}

void
run_fleet_begin (RunFleet *self)
{
  if (!run_fleet_is_open (self) || self->is_closing)
    return;
  self->began_us = satin_loop_now_us (self->loop);
  self->awaited_us = AWAITED_TOLD_US;
  self->awaited_timer = satin_loop_timer_add (self->loop, AWAITED_TOLD_US, on_awaited, self);
  satin_fleet_keep (self->fleet, (guint)self->options->fleet.n_least);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  RunFleet *self = user_data;
  self->fleet = NULL;
  satin_loop_timer_cancel (self->loop, &self->told_timer);
  satin_loop_timer_cancel (self->loop, &self->overdue_timer);
  if (error != NULL)
    run_terminal_warn (self->terminal, "%s", error->message);
  self->closed (self->user_data);
}

static void
on_slow (gpointer user_data)
{
  RunFleet *self = user_data;
  guint n = satin_fleet_count (self->fleet);
  g_autofree char *what =
      n == 0 ? g_strdup ("what may be left on machines to be removed")
             : g_strdup_printf ("%u machine%s to be given back", n, n == 1 ? "" : "s");
  self->told_timer = 0;
  run_terminal_say (self->terminal, "waiting for %s; Ctrl-C twice ends at once", what);
}

static void
on_overdue (gpointer user_data)
{
  RunFleet *self = user_data;
  self->overdue_timer = 0;
  run_fleet_abandon (self);
}

void
run_fleet_close (RunFleet *self)
{
  if (!run_fleet_is_open (self) || self->is_closing)
    return;
  self->is_closing = TRUE;
  satin_loop_timer_cancel (self->loop, &self->awaited_timer);
  self->told_timer = satin_loop_timer_add (self->loop, CLOSE_TOLD_US, on_slow, self);
  self->overdue_timer = satin_loop_timer_add (self->loop, RUN_FLEET_CLOSE_US, on_overdue, self);
  satin_fleet_close (self->fleet, on_closed, self);
}

static void
add_name (const SatinMachine *machine, gpointer user_data)
{
  GString *names = user_data;
  g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", machine->name);
}

void
run_fleet_abandon (RunFleet *self)
{
  if (!run_fleet_is_open (self))
    return;
  g_autoptr (GString) names = g_string_new (NULL);
  satin_fleet_list (self->fleet, add_name, names);
  self->is_abandoned = TRUE;
  satin_loop_timer_cancel (self->loop, &self->awaited_timer);
  satin_loop_timer_cancel (self->loop, &self->told_timer);
  satin_loop_timer_cancel (self->loop, &self->overdue_timer);
  run_terminal_warn (self->terminal, "--provision %s was not waited for; what may be left: %s",
                     self->options->fleet.provision,
                     names->len > 0 ? names->str : "machines that were asked for");
  self->closed (self->user_data);
}

gboolean
run_fleet_is_open (const RunFleet *self)
{
  return self != NULL && self->fleet != NULL && !self->is_abandoned;
}

gboolean
run_fleet_is_abandoned (const RunFleet *self)
{
  return self != NULL && self->is_abandoned;
}

static void
forget (const GError *error, gpointer user_data)
{
}

/* An abandoned fleet is not freed, because its provisioner still reports to it. */
void
run_fleet_free (RunFleet *self)
{
  if (self == NULL || self->is_abandoned)
    return;
  satin_loop_timer_cancel (self->loop, &self->awaited_timer);
  if (self->fleet != NULL)
    satin_fleet_close (self->fleet, forget, NULL);
  g_hash_table_unref (self->members);
  g_free (self);
}

/* ---- while it runs ---- */

void
run_fleet_joined (RunFleet *self, SatinNodeId id)
{
  const char *name = run_fleet_is_open (self) ? satin_hub_get_host (self->hub, id) : NULL;
  if (name == NULL)
    return;
  g_hash_table_insert (self->members, GUINT_TO_POINTER (id), g_strdup (name));
  satin_fleet_joined (self->fleet, name);
}

void
run_fleet_left (RunFleet *self, SatinNodeId id)
{
  g_autofree char *name = NULL;
  if (run_fleet_is_open (self)
      && g_hash_table_steal_extended (self->members, GUINT_TO_POINTER (id), NULL,
                                      (gpointer *)&name))
    satin_fleet_left (self->fleet, name);
}

void
run_fleet_noticed (RunFleet *self, SatinNodeId id)
{
  const char *name = run_fleet_is_open (self) ? satin_hub_get_host (self->hub, id) : NULL;
  if (name != NULL && !self->is_closing)
    satin_fleet_noticed (self->fleet, name);
}

void
run_fleet_told (RunFleet *self, SatinNodeId from, const char *word, GBytes *payload)
{
  if (run_fleet_is_open (self) && !self->is_closing)
    satin_fleet_told (self->fleet, from, word, payload);
}

gboolean
run_fleet_add (RunFleet *self, guint n_machines, const char *cluster, GError **error)
{
  guint n_room = satin_fleet_count_room (self->fleet);
  if (n_machines <= n_room && satin_fleet_request (self->fleet, n_machines, cluster) > 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "the run may have %d machines at most (--max), which leaves room for %u, not %u",
               self->options->fleet.n_most, n_room, n_machines);
  return FALSE;
}

guint
run_fleet_count_awaited (const RunFleet *self)
{
  return run_fleet_is_open (self) ? satin_fleet_count_awaited (self->fleet) : 0;
}

/* The machines listed so far. */
typedef struct
{
  const SatinFleet *fleet;
  GArray *machines; /* (element-type RunMachine) with borrowed names */
  guint n_awaited;
} Listing;

static void
list_machine (const SatinMachine *machine, gpointer user_data)
{
  Listing *self = user_data;
  RunMachine entry = { (char *)machine->name, (char *)machine->cluster,
                       satin_fleet_is_awaited (self->fleet, machine->name) };
  self->n_awaited += entry.is_awaited ? 1 : 0;
  g_array_append_val (self->machines, entry);
}

GBytes *
run_fleet_describe (const RunFleet *self)
{
  if (!run_fleet_is_open (self) || self->is_closing)
    return NULL;
  g_autoptr (GArray) machines = g_array_new (FALSE, FALSE, sizeof (RunMachine));
  Listing listing = { self->fleet, machines, 0 };
  satin_fleet_list (self->fleet, list_machine, &listing);
  guint n_requested = satin_fleet_count_awaited (self->fleet) - listing.n_awaited;
  const RunMachines all = { .provision = self->options->fleet.provision,
                            .n_requested = (gint32)n_requested,
                            .n_least = self->options->fleet.n_least,
                            .n_most = self->options->fleet.n_most,
                            .machines = (const RunMachine *)(gpointer)machines->data,
                            .n_machines = machines->len };
  return satin_record_to_bytes (&RunMachines_record, &all);
}
