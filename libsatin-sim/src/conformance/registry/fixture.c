/* fixture.c - the registry and the loop of a case: a given registry, or a hub of the suite's own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#include <glib/gstdio.h>
#include <string.h>

/* The suite's own hub notices sooner than other hubs that a node is dead. */
#define HEARTBEAT_US ((gint64)100000)
#define DEATH_US     ((gint64)1000000)

/* Some events, such as a death, are noticed late by a registry. A case waits this many times as
 * long for these. */
#define LONG_FACTOR 4

#define MARK "satin-conformance-mark"

#define SIMULATED_HUB "sim:1"

/* Whether the case runs in a simulated world: it does if its URI has the scheme "sim". */
static gboolean
is_simulated (const Case *c)
{
  return c->uri != NULL && g_str_has_prefix (c->uri, "sim:");
}

gboolean
roll_has_own_hub (const Case *c)
{
  const SatinPluginDesc *desc = satin_plugin_get_desc (c->plugin);
  if (c->uri != NULL && !is_simulated (c))
    return FALSE;
  for (guint i = 0; desc->schemes != NULL && desc->schemes[i] != NULL; i++)
    if (strcmp (desc->schemes[i], "hub") == 0)
      return TRUE;
  return strcmp (desc->name, "hub") == 0;
}

static void
set_flag_when_done (const GError *error, gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
}

/* The arguments of is_so(): a question and its data. */
typedef struct
{
  Roll *roll;
  RollQuestion question;
  gconstpointer data;
} Wait;

static gboolean
is_so (gpointer data)
{
  const Wait *wait = data;
  return wait->question (wait->roll, wait->data);
}

/* Turns the loop until @question returns %TRUE. Returns: whether that was within @patience_us */
static gboolean
turn (Roll *self, RollQuestion question, gconstpointer data, gint64 patience_us)
{
  Wait wait = { self, question, data };
  return stage_turn_until (self->stage, is_so, &wait, patience_us);
}

gboolean
roll_wait (Roll *self, RollQuestion question, gconstpointer data, const char *what)
{
  return CASE_EXPECT (self->c, turn (self, question, data, self->c->patience_us),
                      "%s did not happen", what);
}

gboolean
roll_wait_long (Roll *self, RollQuestion question, gconstpointer data, const char *what)
{
  return CASE_EXPECT (self->c, turn (self, question, data, LONG_FACTOR * self->c->patience_us),
                      "%s did not happen", what);
}

Member *
roll_get (Roll *self, guint number)
{
  return g_ptr_array_index (self->members, number);
}

/* Starts a hub at a socket in a new folder, or at a port of the simulated host. */
static gboolean
start_hub (Roll *self, GError **error)
{
  static const SatinHubEvents no_events = { NULL, NULL };
  const SatinHubOptions options = { .heartbeat_us = HEARTBEAT_US, .death_us = DEATH_US };
  self->folder = is_simulated (self->c) ? NULL : g_dir_make_tmp ("satin-XXXXXX", error);
  if (self->folder == NULL && !is_simulated (self->c))
    return FALSE;
  self->uri = self->folder != NULL ? g_strdup_printf ("unix:%s/hub", self->folder)
                                   : g_strdup (SIMULATED_HUB);
  const SatinTransportContext context = { .struct_size = sizeof context, .loop = self->loop };
  self->transport = satin_transport_new (self->uri, &context, error);
  if (self->transport == NULL)
    return FALSE;
  self->hub =
      satin_hub_new (self->loop, self->transport, self->uri, &options, &no_events, NULL, error);
  return self->hub != NULL;
}

/* Uses the registry at the given URI. Its plugin gets no transport if no transport of Satin serves
 * that URI. */
static gboolean
use_given (Roll *self, GError **error)
{
  const SatinTransportContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .is_insecure = TRUE,
  };
  g_autoptr (GError) local = NULL;
  self->uri = g_strdup (self->c->uri);
  self->transport = satin_transport_new (self->uri, &context, &local);
  if (self->transport != NULL || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

Member *
roll_open (Roll *self, const char *uri, GError **error)
{
  static const SatinProgram program = { .name = "satin-conformance" };
  Member *member = member_new (self);
  const SatinRegistryContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .transport = self->transport,
    .uri = uri,
    .program = &program,
    .cluster = member->number % 2 == 0 ? "" : "east",
    .address = member->address,
    .host = ROLL_HOST,
    .pid = ROLL_PID (member->number),
    .is_insecure = TRUE,
  };
  self->is_inside = TRUE;
  member->registry = self->ops.open (&context, self->c->params, &member_events, member, error);
  self->is_inside = FALSE;
  g_ptr_array_add (self->members, member);
  return member->registry != NULL ? member : NULL;
}

/* Whether all living members know each other. */
static gboolean
is_mutual (Roll *self, gconstpointer data)
{
  for (guint i = 0; i < self->members->len; i++)
    for (guint j = 0; j < self->members->len; j++)
      {
        Member *one = roll_get (self, i), *other = roll_get (self, j);
        gboolean are_alive = one->registry != NULL && other->registry != NULL;
        if (are_alive && (one->id == 0 || (one != other && member_find (one, other->id) == NULL)))
          return FALSE;
      }
  return TRUE;
}

Member *
roll_join (Roll *self)
{
  g_autoptr (GError) error = NULL;
  Member *member = roll_open (self, self->uri, &error);
  if (!CASE_EXPECT (self->c, member != NULL, "open failed: %s",
                    error != NULL ? error->message : "no error")
      || !roll_wait (self, is_mutual, NULL, "that all members see all"))
    return NULL;
  if (!CASE_EXPECT (self->c, member->registry != NULL, "a node could not join: %s",
                    member->error != NULL ? member->error->message : "no error"))
    return NULL;
  return member;
}

Roll *
roll_new (Case *c, guint n_members)
{
  g_autoptr (Roll) self = g_new0 (Roll, 1);
  g_autoptr (GError) error = NULL;
  self->c = c;
  satin_plugin_copy_ops (c->plugin, satin_registry_required, &self->ops, sizeof self->ops, NULL);
  self->stage = stage_new (is_simulated (c));
  self->loop = stage_get_loop (self->stage, 0);
  self->members = g_ptr_array_new_with_free_func (member_free);
  gboolean is_ready = roll_has_own_hub (c) ? start_hub (self, &error) : use_given (self, &error);
  if (!CASE_EXPECT (c, is_ready, "the case cannot begin: %s", error->message))
    return NULL;
  for (guint i = 0; i < n_members; i++)
    if (roll_join (self) == NULL)
      return NULL;
  c->watch->is_exercised = TRUE;
  return g_steal_pointer (&self);
}

/* Whether all living members have heard the mark @data (a signal of roll_settle()). */
static gboolean
is_marked (Roll *self, gconstpointer data)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = roll_get (self, i);
      if (member->registry != NULL && member->id != 0 && member_n_heard (member, data) == 0)
        return FALSE;
    }
  return TRUE;
}

/* Sends a mark (a signal to all) and waits until all have heard it. Does so twice, because what
 * other members sent before may arrive after the first mark. */
gboolean
roll_settle (Roll *self)
{
  for (guint i = 0; i < 2; i++)
    {
      guint number = 0;
      while (number < self->members->len && roll_get (self, number)->registry == NULL)
        number++;
      if (number == self->members->len)
        return TRUE;
      Member *member = roll_get (self, number);
      g_autofree char *word = g_strdup_printf (MARK "-%u", member->words->len);
      g_autofree char *text = member_text (word, NULL);
      member_signal (member, 0, word, NULL);
      if (!roll_wait (self, is_marked, text, "that a word to all reaches all"))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_empty (Roll *self, gconstpointer data)
{
  for (guint i = 0; i < self->members->len; i++)
    if (roll_get (self, i)->registry != NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_set (Roll *self, gconstpointer data)
{
  return *(const gboolean *)data;
}

static void
close_transport (Roll *self)
{
  gboolean is_closed = FALSE;
  satin_transport_close (self->transport, set_flag_when_done, &is_closed);
  turn (self, is_set, &is_closed, self->c->patience_us);
}

void
roll_free (Roll *self)
{
  for (guint i = 0; i < self->members->len; i++)
    member_leave (roll_get (self, i));
  if (!turn (self, is_empty, NULL, LONG_FACTOR * self->c->patience_us))
    case_note (self->c, RULE_LAST, "over did not come after leave");
  for (guint i = 0; i < self->members->len; i++)
    member_abandon (roll_get (self, i));
  g_clear_pointer (&self->hub, satin_hub_free);
  if (self->transport != NULL)
    close_transport (self);
  stage_free (self->stage);
  if (self->folder != NULL)
    g_rmdir (self->folder);
  g_ptr_array_unref (self->members);
  g_free (self->folder);
  g_free (self->uri);
  g_free (self);
}
