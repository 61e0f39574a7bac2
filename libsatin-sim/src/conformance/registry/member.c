/* member.c - records what a member hears, and watches the rules that always hold
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#include <satin/base/bytes.h>
#include <string.h>

static void
known_free (gpointer known)
{
  Known *self = known;
  g_free (self->cluster);
  g_free (self->address);
  g_free (self->host);
  g_free (self);
}

Member *
member_new (Roll *roll)
{
  Member *self = g_new0 (Member, 1);
  self->roll = roll;
  self->number = roll->members->len;
  self->address = g_strdup_printf ("unix:/nowhere/%u", self->number);
  self->known = g_ptr_array_new_with_free_func (known_free);
  self->words = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
member_free (gpointer member)
{
  Member *self = member;
  g_ptr_array_unref (self->known);
  g_ptr_array_unref (self->words);
  g_clear_error (&self->error);
  g_free (self->end_message);
  g_free (self->address);
  g_free (self);
}

Known *
member_find (Member *self, SatinNodeId id)
{
  for (guint i = 0; i < self->known->len; i++)
    if (((Known *)g_ptr_array_index (self->known, i))->id == id)
      return g_ptr_array_index (self->known, i);
  return NULL;
}

gboolean
roll_is_gone (Roll *roll, gconstpointer data)
{
  Known *known = member_find (roll_get (roll, 0), ((const Member *)data)->id);
  return known != NULL && (known->has_left || known->has_died);
}

/* Checks the rules that hold for every event. @what: the name of the event */
static void
watch (Member *self, const char *what)
{
  Case *c = self->roll->c;
  if (self->roll->is_inside)
    case_note (c, RULE_INSIDE, "%s came inside an operation", what);
  if (self->is_abandoned)
    case_note (c, RULE_GONE, "%s came after abandon", what);
  if (self->n_over > 0)
    case_note (c, RULE_LAST, "%s came after over", what);
  if (self->killed != 0 && strcmp (what, "died") != 0)
    case_note (c, RULE_KILLED, "%s came after killed %u", what, self->killed);
  if (self->n_registered == 0 && strcmp (what, "registered") != 0 && strcmp (what, "over") != 0)
    case_note (c, RULE_FIRST, "%s came before registered", what);
}

/* Checks that view numbers rise. In a partial view some numbers are left out, and a member that
 * comes by the operation introduce has the same view number as the event before. */
static void
watch_view (Member *self, const char *what, guint64 view_number)
{
  watch (self, what);
  if (self->n_registered > 0 && view_number + (self->n_partial > 0) <= self->view_number)
    case_note (self->roll->c, RULE_VIEW,
               "%s with view %" G_GUINT64_FORMAT " came after view %" G_GUINT64_FORMAT, what,
               view_number, self->view_number);
  self->view_number = view_number;
}

static void
add_known (Member *self, const SatinMember *member)
{
  Known *known = member_find (self, member->id);
  if (known != NULL || member->id == self->id || member->id == 0)
    case_note (self->roll->c, RULE_NUMBERS, "number %u was given again", member->id);
  if (known != NULL)
    {
      known->has_left = known->has_died = FALSE;
      return;
    }
  known = g_new0 (Known, 1);
  known->id = member->id;
  known->cluster = g_strdup (member->cluster);
  known->address = g_strdup (member->address);
  known->host = g_strdup (member->host);
  known->pid = member->pid;
  known->n_leaving = member->is_leaving;
  g_ptr_array_add (self->known, known);
}

static void
on_registered (const guint8 run[16], guint64 view_number, SatinNodeId id, guint n_members,
               const SatinMember *members, SatinNodeId master, guint64 term, gpointer user_data)
{
  Member *self = user_data;
  if (self->n_registered > 0)
    {
      watch (self, "registered");
      case_note (self->roll->c, RULE_FIRST, "registered came again");
      return;
    }
  watch_view (self, "registered", view_number);
  self->n_registered++;
  self->id = id;
  memcpy (self->run, run, sizeof self->run);
  self->master = self->first_master = master;
  self->term = self->first_term = term;
  self->n_first = n_members;
  for (guint i = 0; i < n_members; i++)
    add_known (self, &members[i]);
}

static void
on_joined (guint64 view_number, const SatinMember *member, gpointer user_data)
{
  watch_view (user_data, "joined", view_number);
  add_known (user_data, member);
}

/* Takes the event @what, which says that member @id is gone. Returns: (nullable): that member;
 * %NULL when it was not there */
static Known *
take_gone (Member *self, SatinNodeId id, const char *what)
{
  Known *known = member_find (self, id);
  if (known == NULL || known->has_left || known->has_died)
    {
      case_note (self->roll->c, RULE_FIT, "%s %u, who was not there", what, id);
      return NULL;
    }
  if (self->master == id)
    self->master = 0;
  return known;
}

static void
on_left (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  watch_view (user_data, "left", view_number);
  Known *known = take_gone (user_data, id, "left");
  if (known != NULL)
    known->has_left = TRUE;
}

static void
on_died (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  Member *self = user_data;
  watch_view (self, "died", view_number);
  if (self->killed != 0 && self->killed != id)
    case_note (self->roll->c, RULE_KILLED, "died %u came after killed %u", id, self->killed);
  self->killed = 0;
  Known *known = take_gone (self, id, "died");
  if (known != NULL)
    known->has_died = TRUE;
}

static void
on_killed (SatinNodeId id, int signal_number, gpointer user_data)
{
  Member *self = user_data;
  Known *known = member_find (self, id);
  watch (self, "killed");
  if (known == NULL || known->has_left || known->has_died)
    case_note (self->roll->c, RULE_FIT, "killed %u, who was not there", id);
  else
    known->signal_number = signal_number;
  self->killed = id;
}

static void
on_elected (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data)
{
  Member *self = user_data;
  watch_view (self, "elected", view_number);
  if (term <= self->term)
    case_note (self->roll->c, RULE_TERM,
               "term %" G_GUINT64_FORMAT " came after term %" G_GUINT64_FORMAT, term, self->term);
  self->n_elected++;
  self->master = id;
  self->term = term;
}

static void
on_complete (gpointer user_data)
{
  Member *self = user_data;
  watch (self, "complete");
  if (self->n_complete++ > 0)
    case_note (self->roll->c, RULE_COMPLETE, "complete came again");
}

char *
member_text (const char *word, GBytes *payload)
{
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  g_autofree char *hex = satin_hex (bytes, n_bytes);
  return g_strconcat (word, " ", hex, NULL);
}

static void
take_end (Member *self, GBytes *payload)
{
  SatinRunEnd end = { 0 };
  gsize n_bytes = 0;
  g_autoptr (GError) error = NULL;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  if (!CASE_EXPECT (self->roll->c,
                    satin_record_decode (&SatinRunEnd_record, bytes, n_bytes, &end, &error),
                    "the word over has another payload than a SatinRunEnd: %s",
                    error != NULL ? error->message : ""))
    return;
  self->has_end = TRUE;
  self->exit_status = end.exit_status;
  g_free (self->end_message);
  self->end_message = g_strdup (end.message);
  satin_record_clear (&SatinRunEnd_record, &end);
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  Member *self = user_data;
  watch (self, "signal");
  if (strcmp (word, SATIN_SIGNAL_OVER) == 0)
    take_end (self, payload);
  g_ptr_array_add (self->words, member_text (word, payload));
}

guint
member_n_heard (Member *self, const char *text)
{
  guint n = 0;
  for (guint i = 0; i < self->words->len; i++)
    n += strcmp (g_ptr_array_index (self->words, i), text) == 0;
  return n;
}

static void
on_asked (gsize dump_bytes, gpointer user_data)
{
  watch (user_data, "asked");
}

static void
on_unsure (gint64 since_us, const GError *error, gpointer user_data)
{
  watch (user_data, "unsure");
}

static void
on_over (const GError *error, gpointer user_data)
{
  Member *self = user_data;
  watch (self, "over");
  if (error != NULL && error->domain != SATIN_ERROR)
    case_note (self->roll->c, RULE_ERROR, "over came with an error of domain %s: %s",
               g_quark_to_string (error->domain), error->message);
  self->n_over++;
  self->registry = NULL;
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;
}

static void
on_partial (gpointer user_data)
{
  Member *self = user_data;
  watch (self, "partial");
  if (self->n_partial++ > 0)
    case_note (self->roll->c, RULE_PARTIAL, "partial came again");
}

static void
on_unknown (SatinNodeId id, gpointer user_data)
{
  Member *self = user_data;
  watch (self, "unknown");
  self->n_unknown++;
  self->unknown = id;
}

static void
on_leaving (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  Member *self = user_data;
  Known *known = member_find (self, id);
  watch_view (self, "leaving", view_number);
  if (id == self->id)
    self->n_leaving++;
  else if (known == NULL || known->has_left || known->has_died)
    case_note (self->roll->c, RULE_FIT, "leaving %u, who was not there", id);
  else
    known->n_leaving++;
}

const SatinRegistryEvents member_events = {
  .struct_size = sizeof (SatinRegistryEvents),
  .registered = on_registered,
  .joined = on_joined,
  .left = on_left,
  .died = on_died,
  .elected = on_elected,
  .complete = on_complete,
  .signal = on_signal,
  .asked = on_asked,
  .unsure = on_unsure,
  .over = on_over,
  .partial = on_partial,
  .unknown = on_unknown,
  .leaving = on_leaving,
  .killed = on_killed,
};

/* Calls an operation of the registry. While it runs, @is_inside is set, so that watch() notes
 * callbacks, which are forbidden then. */
#define OPERATE(member, operation, ...)                                                            \
  do                                                                                               \
    {                                                                                              \
      Roll *around = (member)->roll;                                                               \
      if ((member)->registry == NULL)                                                              \
        break;                                                                                     \
      around->is_inside = TRUE;                                                                    \
      around->ops.operation ((member)->registry, ##__VA_ARGS__);                                   \
      around->is_inside = FALSE;                                                                   \
    }                                                                                              \
  while (0)

void
member_leave (Member *self)
{
  OPERATE (self, leave);
}

void
member_abandon (Member *self)
{
  OPERATE (self, abandon);
  self->registry = NULL;
  self->is_abandoned = TRUE;
}

void
member_elect (Member *self)
{
  OPERATE (self, elect);
}

void
member_signal (Member *self, SatinNodeId to, const char *word, GBytes *payload)
{
  OPERATE (self, signal, to, word, payload);
}

void
member_suspect (Member *self, SatinNodeId id)
{
  OPERATE (self, suspect, id);
}

void
member_report (Member *self, GBytes *report)
{
  OPERATE (self, report, report);
}

void
member_introduce (Member *self, SatinNodeId id)
{
  OPERATE (self, introduce, id);
}

void
member_leaving (Member *self, gint64 deadline_us)
{
  OPERATE (self, leaving, deadline_us);
}

void
member_end (Member *self, int exit_status, const char *message)
{
  OPERATE (self, end, exit_status, message);
}
