/* fake-registry.c - a registry inside one process, which a test controls
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake-registry.h"

typedef enum
{
  EVENT_REGISTERED,
  EVENT_JOINED,
  EVENT_LEFT,
  EVENT_DIED,
  EVENT_ELECTED,
  EVENT_COMPLETE,
  EVENT_SIGNAL,
  EVENT_ASKED,
  EVENT_OVER,
  EVENT_PARTIAL,
  EVENT_UNKNOWN,
  EVENT_LEAVING,
  EVENT_UNSURE,
  EVENT_SURE,
} EventKind;

typedef struct
{
  EventKind kind;
  guint64 view_number;
  SatinNodeId id; /* the member that joined, left, died, was elected, is leaving or is unknown */
  guint64 term;
  char *cluster;   /* (owned): of a member that joined */
  char *address;   /* (owned): of a member that joined */
  char *word;      /* (owned) */
  GBytes *payload; /* (owned) (nullable) */
  GError *error;   /* (owned) (nullable) */
  GArray *members; /* (owned) (nullable) (element-type SatinNodeId): for EVENT_REGISTERED, the
                    * members that were there when this one joined */
} Event;

typedef struct
{
  FakeRegistry *registry;
  SatinNodeId id;
  char *cluster;
  char *address;
  const SatinRegistryEvents *events;
  gpointer user_data;
  gboolean is_in;     /* it has neither left nor died */
  gboolean is_served; /* FALSE after its host abandoned the registry or got the event "over" */
  gboolean is_held;
  gboolean is_leaving;
  GQueue queue; /* (owned Event) */
  SatinTimerId timer;
} Member;

struct _FakeRegistry
{
  SatinLoop *loop;
  GPtrArray *members; /* (owned Member): all that ever joined, in order */
  SatinNodeId next_id;
  guint64 view_number;
  SatinNodeId master;
  guint64 term;
  gboolean is_new_held;
  gboolean is_new_hidden;
  gboolean is_leave_ignored;
  const char *address; /* (borrowed) (nullable): of members that join from now on */
  int death_signal;    /* reported with each death from now on; 0: none */
  GString *suspects;
  GString *questions;
  GString *report;
};

static GSList *registries; /* (borrowed FakeRegistry) */

static void
event_free (gpointer data)
{
  Event *event = data;

  g_free (event->cluster);
  g_free (event->address);
  g_free (event->word);
  g_clear_pointer (&event->payload, g_bytes_unref);
  g_clear_error (&event->error);
  g_clear_pointer (&event->members, g_array_unref);
  g_free (event);
}

static void
member_free (gpointer data)
{
  Member *self = data;

  satin_loop_timer_cancel (self->registry->loop, &self->timer);
  g_queue_clear_full (&self->queue, event_free);
  g_free (self->cluster);
  g_free (self->address);
  g_free (self);
}

static Member *
find_member (FakeRegistry *self, SatinNodeId id)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = g_ptr_array_index (self->members, i);

      if (member->id == id)
        return member;
    }
  g_assert_not_reached ();
}

/* ---- events ---- */

static void
tell_registered (Member *self, const Event *event)
{
  static const guint8 run[16] = { 7 };
  g_autofree SatinMember *others = g_new0 (SatinMember, event->members->len);

  for (guint i = 0; i < event->members->len; i++)
    {
      const Member *other =
          find_member (self->registry, g_array_index (event->members, SatinNodeId, i));

      others[i] =
          (SatinMember){ other->id, other->cluster, other->address, "here", 1, other->is_leaving };
    }
  self->events->registered (run, event->view_number, self->id, event->members->len, others,
                            event->id, event->term, self->user_data);
}

static void
tell (Member *self, const Event *event)
{
  const SatinMember member = { event->id, event->cluster, event->address, "here", 1 };

  switch (event->kind)
    {
    case EVENT_REGISTERED:
      tell_registered (self, event);
      break;
    case EVENT_JOINED:
      self->events->joined (event->view_number, &member, self->user_data);
      break;
    case EVENT_LEFT:
      self->events->left (event->view_number, event->id, self->user_data);
      break;
    case EVENT_DIED:
      if (self->registry->death_signal != 0)
        self->events->killed (event->id, self->registry->death_signal, self->user_data);
      self->events->died (event->view_number, event->id, self->user_data);
      break;
    case EVENT_ELECTED:
      self->events->elected (event->view_number, event->id, event->term, self->user_data);
      break;
    case EVENT_COMPLETE:
      self->events->complete (self->user_data);
      break;
    case EVENT_SIGNAL:
      self->events->signal (event->word, event->payload, self->user_data);
      break;
    case EVENT_ASKED:
      self->events->asked (0, self->user_data);
      break;
    case EVENT_OVER:
      self->is_served = FALSE;
      self->events->over (event->error, self->user_data);
      break;
    case EVENT_PARTIAL:
      self->events->partial (self->user_data);
      break;
    case EVENT_UNKNOWN:
      self->events->unknown (event->id, self->user_data);
      break;
    case EVENT_UNSURE:
      self->events->unsure (0, NULL, self->user_data);
      break;
    case EVENT_SURE:
      self->events->sure (self->user_data);
      break;
    case EVENT_LEAVING:
      self->events->leaving (event->view_number, event->id, self->user_data);
      break;
    }
}

static void member_arm (Member *self);

static void
on_event (gpointer user_data)
{
  Member *self = user_data;
  Event *event = g_queue_pop_head (&self->queue);

  self->timer = 0;
  member_arm (self);
  tell (self, event);
  event_free (event);
}

static void
member_arm (Member *self)
{
  if (self->timer == 0 && !self->is_held && self->is_served && !g_queue_is_empty (&self->queue))
    self->timer = satin_loop_timer_add (self->registry->loop, 0, on_event, self);
}

static Event *
member_push (Member *self, EventKind kind)
{
  Event *event = g_new0 (Event, 1);

  event->kind = kind;
  event->view_number = self->registry->view_number;
  g_queue_push_tail (&self->queue, event);
  member_arm (self);
  return event;
}

/* Removes @subject; the remaining members hear that it left or died. */
static void
remove_member (Member *subject, EventKind kind)
{
  FakeRegistry *self = subject->registry;

  subject->is_in = FALSE;
  self->view_number++;
  if (self->master == subject->id)
    self->master = 0;
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = g_ptr_array_index (self->members, i);

      if (member->is_in)
        member_push (member, kind)->id = subject->id;
    }
}

/* ---- operations ---- */

static void
push_joined (Member *self, const Member *subject)
{
  Event *joined = member_push (self, EVENT_JOINED);

  joined->id = subject->id;
  joined->cluster = g_strdup (subject->cluster);
  joined->address = g_strdup (subject->address);
}

static void
announce (Member *subject)
{
  FakeRegistry *self = subject->registry;
  Event *registered;

  self->view_number++;
  registered = member_push (subject, EVENT_REGISTERED);
  registered->members = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  registered->id = self->master;
  registered->term = self->term;
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = g_ptr_array_index (self->members, i);

      if (!member->is_in)
        continue;
      g_array_append_val (registered->members, member->id);
      if (!self->is_new_hidden)
        push_joined (member, subject);
    }
}

static gpointer
fake_open (const SatinRegistryContext *context, const SatinParams *params,
           const SatinRegistryEvents *events, gpointer user_data, GError **error)
{
  FakeRegistry *registry = NULL;
  Member *self;

  for (GSList *l = registries; l != NULL; l = l->next)
    if (((FakeRegistry *)l->data)->loop == context->loop)
      registry = l->data;
  g_assert_nonnull (registry);
  self = g_new0 (Member, 1);
  self->registry = registry;
  self->id = registry->next_id++;
  self->cluster = g_strdup (context->cluster);
  self->address = g_strdup (registry->address != NULL ? registry->address : context->address);
  self->events = events;
  self->user_data = user_data;
  self->is_served = TRUE;
  self->is_held = registry->is_new_held;
  g_queue_init (&self->queue);
  announce (self);
  self->is_in = TRUE;
  g_ptr_array_add (registry->members, self);
  return self;
}

static void
fake_leave (gpointer registry)
{
  Member *self = registry;

  if (self->registry->is_leave_ignored)
    return;
  if (self->is_in)
    remove_member (self, EVENT_LEFT);
  g_queue_clear_full (&self->queue, event_free);
  satin_loop_timer_cancel (self->registry->loop, &self->timer);
  member_push (self, EVENT_OVER);
}

static void
fake_abandon (gpointer registry)
{
  Member *self = registry;

  self->is_served = FALSE;
  satin_loop_timer_cancel (self->registry->loop, &self->timer);
}

static void
fake_elect (gpointer registry)
{
  Member *self = registry;
  FakeRegistry *all = self->registry;

  if (all->master != 0)
    return;
  all->master = self->id;
  all->term++;
  all->view_number++;
  for (guint i = 0; i < all->members->len; i++)
    {
      Member *member = g_ptr_array_index (all->members, i);
      Event *event;

      if (!member->is_in)
        continue;
      event = member_push (member, EVENT_ELECTED);
      event->id = self->id;
      event->term = all->term;
    }
}

static void
fake_signal (gpointer registry, SatinNodeId to, const char *word, GBytes *payload)
{
  FakeRegistry *self = ((Member *)registry)->registry;

  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = g_ptr_array_index (self->members, i);
      Event *event;

      if (!member->is_in || (to != 0 && to != member->id))
        continue;
      event = member_push (member, EVENT_SIGNAL);
      event->word = g_strdup (word);
      event->payload = payload != NULL ? g_bytes_ref (payload) : NULL;
    }
}

static void
fake_suspect (gpointer registry, SatinNodeId id)
{
  Member *self = registry;

  g_string_append_printf (self->registry->suspects, "%u suspects %u,", self->id, id);
}

static void
fake_introduce (gpointer registry, SatinNodeId id)
{
  Member *self = registry;

  g_string_append_printf (self->registry->questions, "%u asks for %u,", self->id, id);
}

static void
fake_report (gpointer registry, GBytes *report)
{
  FakeRegistry *self = ((Member *)registry)->registry;
  SatinReport figures = { 0 };

  g_assert_true (satin_record_decode (&SatinReport_record, g_bytes_get_data (report, NULL),
                                      g_bytes_get_size (report), &figures, NULL));
  g_string_truncate (self->report, 0);
  for (gsize i = 0; i < figures.n_figures; i++)
    g_string_append_printf (self->report, "%s=%" G_GINT64_FORMAT ",", figures.figures[i].name,
                            figures.figures[i].value);
  satin_record_clear (&SatinReport_record, &figures);
}

static void
fake_end (gpointer registry, int exit_status, const char *message)
{
  SatinRunEnd end = { .exit_status = exit_status, .message = message };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinRunEnd_record, &end);

  fake_signal (registry, 0, SATIN_SIGNAL_OVER, payload);
}

static void
fake_leaving (gpointer registry, gint64 deadline_us)
{
  Member *self = registry;
  FakeRegistry *all = self->registry;

  self->is_leaving = TRUE;
  all->view_number++;
  for (guint i = 0; i < all->members->len; i++)
    {
      Member *member = g_ptr_array_index (all->members, i);

      if (member->is_in)
        member_push (member, EVENT_LEAVING)->id = self->id;
    }
}

const SatinRegistryOps fake_registry_ops = {
  .struct_size = sizeof (SatinRegistryOps),
  .open = fake_open,
  .leave = fake_leave,
  .abandon = fake_abandon,
  .elect = fake_elect,
  .signal = fake_signal,
  .suspect = fake_suspect,
  .report = fake_report,
  .end = fake_end,
  .introduce = fake_introduce,
  .leaving = fake_leaving,
};

/* ---- functions for tests ---- */

FakeRegistry *
fake_registry_new (SatinLoop *loop)
{
  FakeRegistry *self = g_new0 (FakeRegistry, 1);

  self->loop = loop;
  self->next_id = 1;
  self->members = g_ptr_array_new_with_free_func (member_free);
  self->suspects = g_string_new (NULL);
  self->questions = g_string_new (NULL);
  self->report = g_string_new (NULL);
  registries = g_slist_prepend (registries, self);
  return self;
}

void
fake_registry_free (FakeRegistry *self)
{
  registries = g_slist_remove (registries, self);
  g_ptr_array_unref (self->members);
  g_string_free (self->suspects, TRUE);
  g_string_free (self->questions, TRUE);
  g_string_free (self->report, TRUE);
  g_free (self);
}

void
fake_registry_set_next_id (FakeRegistry *self, SatinNodeId id)
{
  self->next_id = id;
}

void
fake_registry_lose (FakeRegistry *self, gboolean is_lost)
{
  for (guint i = 0; i < self->members->len; i++)
    member_push (g_ptr_array_index (self->members, i), is_lost ? EVENT_UNSURE : EVENT_SURE);
}

void
fake_registry_set_address (FakeRegistry *self, const char *address)
{
  self->address = address;
}

void
fake_registry_hold_new (FakeRegistry *self, gboolean is_held)
{
  self->is_new_held = is_held;
}

void
fake_registry_hold (FakeRegistry *self, SatinNodeId id, gboolean is_held)
{
  Member *member = find_member (self, id);

  member->is_held = is_held;
  if (is_held)
    satin_loop_timer_cancel (self->loop, &member->timer);
  else
    member_arm (member);
}

void
fake_registry_hide_new (FakeRegistry *self, gboolean is_hidden)
{
  self->is_new_hidden = is_hidden;
}

void
fake_registry_partial (FakeRegistry *self, SatinNodeId id)
{
  member_push (find_member (self, id), EVENT_PARTIAL);
}

void
fake_registry_introduce (FakeRegistry *self, SatinNodeId id, SatinNodeId other)
{
  push_joined (find_member (self, id), find_member (self, other));
}

void
fake_registry_unknown (FakeRegistry *self, SatinNodeId id, SatinNodeId other)
{
  member_push (find_member (self, id), EVENT_UNKNOWN)->id = other;
}

void
fake_registry_kill (FakeRegistry *self, SatinNodeId id)
{
  remove_member (find_member (self, id), EVENT_DIED);
}

void
fake_registry_set_death_signal (FakeRegistry *self, int signal_number)
{
  self->death_signal = signal_number;
}

void
fake_registry_end_member (FakeRegistry *self, SatinNodeId id, int code)
{
  Member *member = find_member (self, id);

  remove_member (member, EVENT_DIED);
  member_push (member, EVENT_OVER)->error = g_error_new (SATIN_ERROR, code, "by the test");
}

void
fake_registry_complete (FakeRegistry *self)
{
  for (guint i = 0; i < self->members->len; i++)
    if (((Member *)g_ptr_array_index (self->members, i))->is_in)
      member_push (g_ptr_array_index (self->members, i), EVENT_COMPLETE);
}

void
fake_registry_ask (FakeRegistry *self, SatinNodeId id)
{
  member_push (find_member (self, id), EVENT_ASKED);
}

void
fake_registry_ignore_leave (FakeRegistry *self)
{
  self->is_leave_ignored = TRUE;
}

const char *
fake_registry_get_suspects (FakeRegistry *self)
{
  return self->suspects->str;
}

const char *
fake_registry_get_questions (FakeRegistry *self)
{
  return self->questions->str;
}

const char *
fake_registry_get_report (FakeRegistry *self)
{
  return self->report->str;
}

guint
fake_registry_n_members (FakeRegistry *self)
{
  guint n_members = 0;

  for (guint i = 0; i < self->members->len; i++)
    n_members += (guint)((Member *)g_ptr_array_index (self->members, i))->is_in;
  return n_members;
}
