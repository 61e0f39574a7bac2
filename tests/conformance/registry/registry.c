/* registry.c - a registry that breaks the rule that its parameter "fault" names, or none
 *
 * It passes all calls to the registry "hub", and changes some of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net/hub.h>

#include <string.h>

/* The descriptor of the plugin hub. The compiler's command line has renamed its function. */
const SatinPluginDesc *hub_plugin_desc (void);

static const SatinParam params[] = {
  { "fault", SATIN_PARAM_STRING, "none", "which rule is broken" },
  { "join-timeout", SATIN_PARAM_DURATION, "10s", "as of hub" },
  { "leave-timeout", SATIN_PARAM_DURATION, "5s", "as of hub" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  gpointer hub; /* (nullable): %NULL if the fault opens-anything opened the address "nonsense" */
  char *fault;  /* (owned) */
  SatinLoop *loop;
  const SatinRegistryEvents *events;
  gpointer user_data;
  SatinNodeId id;
  guint64 view_number;
  guint64 term;
  SatinNodeId master;
  SatinNodeId left; /* the node that left last */
  SatinNodeId died;
  gboolean is_leaving;
  GBytes *held; /* (owned) (nullable): the payload of a signal that must wait */
} Registry;

/* For the fault reuses-numbers: whether node 2 of the current hub has left, and whether node 3 was
 * then told that its number is 2. */
static gboolean is_two_free;
static gboolean is_three_two;

static const SatinRegistryOps *
hub (void)
{
  return hub_plugin_desc ()->ops;
}

static gboolean
has (const Registry *self, const char *fault)
{
  return strcmp (self->fault, fault) == 0;
}

static SatinNodeId
number_of (const Registry *self, SatinNodeId id)
{
  return has (self, "reuses-numbers") && is_three_two && id == 3 ? 2 : id;
}

static void
registry_free (Registry *self)
{
  g_clear_pointer (&self->held, g_bytes_unref);
  g_free (self->fault);
  g_free (self);
}

/* ---- events of hub, for the suite ---- */

static SatinMember
spoil_member (const Registry *self, const SatinMember *member)
{
  SatinMember spoiled = *member;
  spoiled.id = number_of (self, member->id);
  if (has (self, "forgets-clusters"))
    spoiled.cluster = "";
  if (has (self, "forgets-processes"))
    spoiled.pid = 0;
  if (has (self, "forgets-the-leaving"))
    spoiled.is_leaving = FALSE;
  return spoiled;
}

static void
on_registered (const guint8 run[16], guint64 view_number, SatinNodeId id, guint n_members,
               const SatinMember *members, SatinNodeId master, guint64 term, gpointer user_data)
{
  Registry *self = user_data;
  guint8 spoiled_run[16];
  g_autofree SatinMember *spoiled = g_new0 (SatinMember, n_members + 1);
  memcpy (spoiled_run, run, sizeof spoiled_run);
  if (has (self, "run-differs"))
    spoiled_run[0] ^= id;
  if (id == 1)
    is_two_free = is_three_two = FALSE;
  is_three_two |= is_two_free && id == 3;
  self->id = number_of (self, id);
  self->view_number = view_number;
  self->master = master;
  self->term = term;
  for (guint i = 0; i < n_members; i++)
    spoiled[i] = spoil_member (self, &members[i]);
  spoiled[n_members] = (SatinMember){ self->id, "", "", "", 0 };
  if (has (self, "signal-before-registered"))
    self->events->signal ("early", NULL, self->user_data);
  gboolean is_hidden = has (self, "hides-the-master");
  guint n_late = has (self, "view-comes-in-pieces") ? n_members : 0;
  guint n_told = n_members + has (self, "tells-of-itself") - n_late;
  for (guint i = 0; i < (has (self, "registers-twice") ? 2 : 1); i++)
    self->events->registered (spoiled_run, view_number - n_late, self->id, n_told, spoiled,
                              is_hidden ? 0 : master, is_hidden ? 0 : term, self->user_data);
  for (guint i = 0; i < (has (self, "is-partial-twice") ? 2 : 0); i++)
    self->events->partial (self->user_data);
  for (guint i = 0; i < n_late; i++)
    self->events->joined (view_number - n_late + 1 + i, &spoiled[i], self->user_data);
}

static void
on_joined (guint64 view_number, const SatinMember *member, gpointer user_data)
{
  Registry *self = user_data;
  SatinMember spoiled = spoil_member (self, member);
  self->view_number = view_number;
  if (has (self, "misses-one") && member->id == 6 && self->id == 2)
    return;
  self->events->joined (has (self, "view-number-stays") ? 1 : view_number, &spoiled,
                        self->user_data);
}

static void
on_left (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  Registry *self = user_data;
  self->view_number = view_number;
  self->left = id;
  is_two_free |= id == 2;
  if (self->master == id)
    self->master = 0;
  if (has (self, "left-is-died"))
    self->events->died (view_number, id, self->user_data);
  else
    self->events->left (view_number, number_of (self, id), self->user_data);
  if (has (self, "leaves-twice"))
    self->events->left (view_number + 1, id, self->user_data);
}

static void
on_killed (SatinNodeId id, int signal_number, gpointer user_data)
{
  Registry *self = user_data;
  if (!has (self, "forgets-signals"))
    self->events->killed (id, signal_number + has (self, "tells-of-another-signal"),
                          self->user_data);
  if (has (self, "speaks-between-killed-and-died"))
    self->events->asked (0, self->user_data);
}

static void
on_died (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  Registry *self = user_data;
  self->view_number = view_number;
  self->died = id;
  if (has (self, "every-death-has-a-signal"))
    self->events->killed (id, 9, self->user_data);
  if (has (self, "died-is-left"))
    self->events->left (view_number, id, self->user_data);
  else if (!has (self, "death-is-silent"))
    self->events->died (view_number, id, self->user_data);
}

static void
on_elected (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data)
{
  Registry *self = user_data;
  self->view_number = view_number;
  self->master = id;
  self->term = term;
  if (has (self, "term-is-ones-own"))
    term += self->id == 3;
  if (has (self, "term-stays"))
    term = 1;
  self->events->elected (view_number, id, term, self->user_data);
}

static void
on_complete (gpointer user_data)
{
  Registry *self = user_data;
  for (guint i = 0; i < (has (self, "completes-twice")     ? 2
                         : has (self, "is-never-complete") ? 0
                                                           : 1);
       i++)
    self->events->complete (self->user_data);
}

/* Reports another end of the run than the real end. */
static void
tell_other_end (Registry *self, GBytes *payload)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  SatinRunEnd end;
  if (!satin_record_decode (&SatinRunEnd_record, bytes, n_bytes, &end, NULL))
    return;
  end.exit_status++;
  g_autoptr (GBytes) other = satin_record_to_bytes (&SatinRunEnd_record, &end);
  self->events->signal (SATIN_SIGNAL_OVER, other, self->user_data);
  satin_record_clear (&SatinRunEnd_record, &end);
}

/* Delivers the first signal "in-order" after the second. Returns: whether it took the signal */
static gboolean
swap_words (Registry *self, const char *word, GBytes *payload)
{
  gsize n_bytes = g_bytes_get_size (payload);
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  if (!has (self, "swaps-words") || strcmp (word, "in-order") != 0 || n_bytes != 1 || bytes[0] > 1)
    return FALSE;
  if (bytes[0] == 0)
    {
      self->held = g_bytes_ref (payload);
      return TRUE;
    }
  self->events->signal (word, payload, self->user_data);
  self->events->signal (word, self->held, self->user_data);
  return TRUE;
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  Registry *self = user_data;
  if (has (self, "end-differs") && strcmp (word, SATIN_SIGNAL_OVER) == 0)
    {
      tell_other_end (self, payload);
      return;
    }
  if (swap_words (self, word, payload))
    return;
  if (strcmp (word, "obey") == 0)
    {
      self->events->elected (++self->view_number, 2, ++self->term, self->user_data);
      return;
    }
  if (strcmp (word, "die") == 0)
    {
      hub ()->leave (self->hub);
      return;
    }
  if (has (self, "cuts-payloads") && g_bytes_get_size (payload) > 512)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (payload, 0, 512);
      self->events->signal (word, cut, self->user_data);
      return;
    }
  guint n = has (self, "all-comes-twice") && strcmp (word, "to-all") == 0   ? 2
            : has (self, "one-comes-twice") && strcmp (word, "to-one") == 0 ? 2
                                                                            : 1;
  for (guint i = 0; i < n; i++)
    self->events->signal (word, payload, self->user_data);
}

static void
on_asked (gsize dump_bytes, gpointer user_data)
{
  Registry *self = user_data;
  self->events->asked (0, self->user_data);
}

static void
on_unsure (gint64 since_us, const GError *error, gpointer user_data)
{
  Registry *self = user_data;
  self->events->unsure (since_us, error, self->user_data);
}

static void
on_over (const GError *error, gpointer user_data)
{
  Registry *self = user_data;
  g_autoptr (GError) own =
      g_error_new (error != NULL ? G_FILE_ERROR : SATIN_ERROR, SATIN_ERROR_CLOSED, "it is over");
  gboolean is_spoiled = (error == NULL && has (self, "leaving-is-an-error"))
                        || (error != NULL && has (self, "errors-of-another-domain"));
  const GError *told = error != NULL && has (self, "lateness-is-no-error") ? NULL : error;
  for (guint i = 0; i < (has (self, "is-over-twice") ? 2 : 1); i++)
    self->events->over (is_spoiled ? own : told, self->user_data);
  registry_free (self);
}

static void
on_partial (gpointer user_data)
{
  Registry *self = user_data;
  self->events->partial (self->user_data);
}

static void
on_unknown (SatinNodeId id, gpointer user_data)
{
  Registry *self = user_data;
  for (guint i = 0; i < (has (self, "answers-twice") ? 2 : 1); i++)
    self->events->unknown (id + has (self, "answers-for-another"), self->user_data);
}

static void
on_leaving (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  Registry *self = user_data;
  if (has (self, "leaving-is-silent") && id != self->id)
    return;
  if (has (self, "leaving-is-left") && id != self->id)
    {
      self->events->left (view_number, id, self->user_data);
      return;
    }
  self->view_number = view_number;
  self->is_leaving |= id == self->id;
  for (guint i = 0; i < (has (self, "leaving-comes-twice") ? 2 : 1); i++)
    self->events->leaving (view_number + i, id, self->user_data);
}

static const SatinRegistryEvents hub_events = {
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

/* ---- operations, passed to hub ---- */

static void
be_member_of_nothing (gpointer registry)
{
  static const guint8 run[16] = { 1 };
  Registry *self = registry;
  self->events->registered (run, 1, 1, 0, NULL, 0, 0, self->user_data);
}

static gpointer
registry_open (const SatinRegistryContext *context, const SatinParams *given,
               const SatinRegistryEvents *events, gpointer user_data, GError **error)
{
  Registry *self = g_new0 (Registry, 1);
  self->fault = g_strdup (satin_params_get_string (given, "fault"));
  self->loop = context->loop;
  self->events = events;
  self->user_data = user_data;
  if (has (self, "opens-anything") && strcmp (context->uri, "nonsense") == 0)
    {
      satin_loop_post (self->loop, be_member_of_nothing, self);
      return self;
    }
  self->hub = hub ()->open (context, given, &hub_events, self, error);
  if (self->hub != NULL)
    return self;
  registry_free (self);
  return NULL;
}

static void
end_nothing (gpointer registry)
{
  Registry *self = registry;
  self->events->over (NULL, self->user_data);
  registry_free (self);
}

static void
registry_leave (gpointer registry)
{
  Registry *self = registry;
  if (self->hub != NULL)
    hub ()->leave (self->hub);
  else
    satin_loop_post (self->loop, end_nothing, self);
}

static void
speak_after_all (gpointer registry)
{
  Registry *self = registry;
  self->events->asked (0, self->user_data);
  registry_free (self);
}

static void
registry_abandon (gpointer registry)
{
  Registry *self = registry;
  if (self->hub != NULL)
    hub ()->abandon (self->hub);
  if (has (self, "speaks-after-abandon"))
    satin_loop_post (self->loop, speak_after_all, self);
  else
    registry_free (self);
}

static void
elect_itself (gpointer registry)
{
  Registry *self = registry;
  self->events->elected (++self->view_number, self->id, ++self->term, self->user_data);
}

static void
registry_elect (gpointer registry)
{
  Registry *self = registry;
  if (has (self, "speaks-inside-elect"))
    self->events->asked (0, self->user_data);
  if (has (self, "last-offer-wins") && self->master != 0)
    satin_loop_post (self->loop, elect_itself, self);
  if (has (self, "leaving-one-is-elected") && self->is_leaving)
    hub ()->signal (self->hub, 0, "obey", NULL);
  hub ()->elect (self->hub);
}

static void
registry_signal (gpointer registry, SatinNodeId to, const char *word, GBytes *payload)
{
  Registry *self = registry;
  if (has (self, "one-is-all") && strcmp (word, "to-one") == 0)
    to = 0;
  if (has (self, "nobody-is-all") && strcmp (word, "to-nobody") == 0)
    to = 0;
  hub ()->signal (self->hub, to, word, payload);
}

/* With the fault suspicion-kills, the suspicion of one node makes the suspected node leave. */
static void
registry_suspect (gpointer registry, SatinNodeId id)
{
  Registry *self = registry;
  if (has (self, "suspicion-kills"))
    hub ()->signal (self->hub, id, "die", NULL);
  hub ()->suspect (self->hub, id);
}

static void
registry_introduce (gpointer registry, SatinNodeId id)
{
  Registry *self = registry;
  gboolean is_dropped = (has (self, "is-silent-of-leavers") && id == self->left)
                        || (has (self, "is-silent-of-the-dead") && id == self->died)
                        || (has (self, "is-silent-of-the-unborn") && id > self->view_number);
  if (!is_dropped)
    hub ()->introduce (self->hub, id);
}

static void
registry_leaving (gpointer registry, gint64 deadline_us)
{
  Registry *self = registry;
  if (has (self, "holds-the-master") && self->master == self->id)
    return;
  hub ()->leaving (self->hub, deadline_us);
}

static void
registry_report (gpointer registry, GBytes *report)
{
  Registry *self = registry;
  if (has (self, "reporting-leaves"))
    hub ()->leave (self->hub);
  else
    hub ()->report (self->hub, report);
}

static void
registry_end (gpointer registry, int exit_status, const char *message)
{
  Registry *self = registry;
  hub ()->end (self->hub, exit_status, has (self, "forgets-the-message") ? NULL : message);
}

static const SatinRegistryOps ops = {
  .struct_size = sizeof (SatinRegistryOps),
  .open = registry_open,
  .leave = registry_leave,
  .abandon = registry_abandon,
  .elect = registry_elect,
  .signal = registry_signal,
  .suspect = registry_suspect,
  .report = registry_report,
  .end = registry_end,
  .introduce = registry_introduce,
  .leaving = registry_leaving,
};

static const char *const schemes[] = { "hub", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_REGISTRY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "spoiled",
  .version = "0",
  .summary = "membership by a hub, and one broken rule",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
