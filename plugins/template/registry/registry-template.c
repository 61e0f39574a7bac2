/* registry-template.c - a registry that is a file, which all nodes of a machine read and write
 *
 * The file (log.h) has one line for each event, so all nodes see the same events in the same order.
 * Each node reads the new lines at regular intervals. Each node also watches the member after it,
 * and writes a line when that member is dead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "log.h"

#include <satin/base/bytes.h>
#include <satin/net/registry.h>

#include <string.h>

#define SCHEME "template:"

static const SatinParam params[] = {
  { "poll", SATIN_PARAM_DURATION, "10ms", "time between two looks at the file" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

/* A member, as its "joined" line describes it. */
typedef struct
{
  SatinMember member; /* its texts are borrowed from @words */
  char **words;       /* (owned) */
} Entry;

typedef struct
{
  SatinLoop *loop; /* (borrowed) */
  const SatinRegistryEvents *events;
  gpointer user_data;
  gint64 poll_us;
  SatinTimerId timer;
  Log *log; /* (owned) */
  SatinNodeId self;

  /* What the host (the user of this plugin) has been told so far. @log may have read more lines. */
  GPtrArray *members; /* (owned) (element-type Entry): by increasing id, with this node */
  guint64 view_number;
  SatinNodeId master;
  guint64 term;
  gboolean is_registered;
  gboolean is_going; /* this node has announced that it will leave */

  gboolean is_calling;   /* a callback may be running */
  gboolean is_abandoned; /* abandon was called; free this structure as soon as no callback runs */
  gboolean is_leaving;
  GError *error; /* (owned) (nullable): why the membership has ended; not reported yet */
} TemplateRegistry;

static void
entry_free (gpointer data)
{
  Entry *self = data;
  g_strfreev (self->words);
  g_free (self);
}

static void
registry_free (TemplateRegistry *self)
{
  satin_loop_timer_cancel (self->loop, &self->timer);
  log_close (self->log);
  g_ptr_array_unref (self->members);
  g_clear_error (&self->error);
  g_free (self);
}

/* ---- writing: each operation is one line, under the lock ---- */

/* Takes the lock of the log for an operation. Operations cannot fail: an error is kept, and ends
 * the membership. Returns: %FALSE when the operation must do nothing */
static gboolean
begin (TemplateRegistry *self)
{
  if (self->error != NULL || self->is_abandoned || self->is_leaving)
    return FALSE;
  return log_lock (self->log, &self->error);
}

static void
write_number (TemplateRegistry *self, const char *verb, SatinNodeId id)
{
  g_autofree char *number = g_strdup_printf ("%u", id);
  log_write (self->log, &self->error, verb, number, NULL);
}

static void
template_leave (gpointer registry)
{
  TemplateRegistry *self = registry;
  if (!begin (self))
    return;
  write_number (self, "left", self->self);
  log_unlock (self->log);
  self->is_leaving = TRUE;
}

static void
template_elect (gpointer registry)
{
  TemplateRegistry *self = registry;
  if (!begin (self))
    return;
  if (self->log->master == 0 && !self->is_going && log_has_member (self->log, self->self))
    {
      g_autofree char *id = g_strdup_printf ("%u", self->self);
      g_autofree char *term = g_strdup_printf ("%" G_GUINT64_FORMAT, self->log->term + 1);
      log_write (self->log, &self->error, "elected", id, term, NULL);
    }
  log_unlock (self->log);
}

static void
template_signal (gpointer registry, SatinNodeId to, const char *word, GBytes *payload)
{
  TemplateRegistry *self = registry;
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  g_autofree char *text = g_base64_encode (bytes, n_bytes);
  g_autofree char *number = g_strdup_printf ("%u", to);
  if (!begin (self))
    return;
  log_write (self->log, &self->error, "signal", number, word, text, NULL);
  log_unlock (self->log);
}

static void
template_suspect (gpointer registry, SatinNodeId id)
{
  TemplateRegistry *self = registry;
  if (id == self->self || !log_has_member (self->log, id) || !log_is_dead (self->log, id)
      || !begin (self))
    return;
  if (log_has_member (self->log, id))
    write_number (self, "died", id);
  log_unlock (self->log);
}

/* Announces that this node will leave. No other node checks that this node keeps the deadline. */
static void
template_leaving (gpointer registry, gint64 deadline_us)
{
  TemplateRegistry *self = registry;
  if (self->is_going || !begin (self))
    return;
  self->is_going = TRUE;
  write_number (self, "leaving", self->self);
  log_unlock (self->log);
}

/* Does nothing: this registry shows no figures. */
static void
template_report (gpointer registry, GBytes *report)
{
}

static void
template_end (gpointer registry, int exit_status, const char *message)
{
  TemplateRegistry *self = registry;
  g_autofree char *status = g_strdup_printf ("%d", exit_status);
  if (!begin (self))
    return;
  if (self->log->master == self->self && !self->log->is_ended)
    log_write (self->log, &self->error, "end", status, message != NULL ? message : "", NULL);
  log_unlock (self->log);
}

/* ---- reading: each line is one event ---- */

static void
tell_registered (TemplateRegistry *self)
{
  g_autofree SatinMember *others = g_new (SatinMember, self->members->len);
  guint n_others = 0;
  guint8 run[16] = { 0 };
  for (guint i = 0; i < self->members->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->members, i);
      if (entry->member.id != self->self)
        others[n_others++] = entry->member;
    }
  for (guint i = 0; i < sizeof run && self->log->run[2 * i] != '\0'; i++)
    run[i] = (guint8)(g_ascii_xdigit_value (self->log->run[2 * i]) << 4
                      | g_ascii_xdigit_value (self->log->run[2 * i + 1]));
  self->is_registered = TRUE;
  self->events->registered (run, self->view_number, self->self, n_others, others, self->master,
                            self->term, self->user_data);
  if (!self->is_abandoned)
    self->events->complete (self->user_data);
}

/* Adds a member from its "joined" line, and reports it. @words: (transfer full) */
static void
tell_joined (TemplateRegistry *self, SatinNodeId id, char **words)
{
  Entry *entry = g_new (Entry, 1);
  entry->words = words;
  entry->member =
      (SatinMember){ id, words[2], words[3], words[4], g_ascii_strtoll (words[5], NULL, 10) };
  g_ptr_array_add (self->members, entry);
  self->view_number++;
  if (id == self->self)
    tell_registered (self);
  else if (self->is_registered)
    self->events->joined (self->view_number, &entry->member, self->user_data);
}

/* Removes the member @id, which has left or died, and reports that. Returns: (transfer full)
 * (nullable): if @id is this node, the error that ends its membership */
static GError *
tell_gone (TemplateRegistry *self, SatinNodeId id, gboolean is_death)
{
  for (guint i = 0; i < self->members->len; i++)
    if (((const Entry *)g_ptr_array_index (self->members, i))->member.id == id)
      g_ptr_array_remove_index (self->members, i--);
  if (self->master == id)
    self->master = 0;
  self->view_number++;
  if (id == self->self)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_FENCED, "node %u was declared dead", id);
  if (self->is_registered && is_death)
    self->events->died (self->view_number, id, self->user_data);
  else if (self->is_registered)
    self->events->left (self->view_number, id, self->user_data);
  return NULL;
}

static void
tell_leaving (TemplateRegistry *self, SatinNodeId id)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->members, i);
      entry->member.is_leaving |= entry->member.id == id;
    }
  self->view_number++;
  if (self->is_registered)
    self->events->leaving (self->view_number, id, self->user_data);
}

static void
tell_elected (TemplateRegistry *self, SatinNodeId id, const char *term)
{
  self->view_number++;
  self->master = id;
  self->term = g_ascii_strtoull (term, NULL, 10);
  if (self->is_registered)
    self->events->elected (self->view_number, id, self->term, self->user_data);
}

static void
tell_signal (TemplateRegistry *self, SatinNodeId to, const char *word, const char *text)
{
  if (!self->is_registered || (to != 0 && to != self->self))
    return;
  gsize n_bytes;
  guint8 *bytes = g_base64_decode (text, &n_bytes);
  g_autoptr (GBytes) payload = g_bytes_new_take (bytes, n_bytes);
  self->events->signal (word, payload, self->user_data);
}

/* Reports that the run is over. The host may leave or abandon the registry inside the callback. If
 * it has not, the node leaves now, because no event may follow the end. */
static void
tell_end (TemplateRegistry *self, const char *status, const char *message)
{
  const SatinRunEnd end = { (int)g_ascii_strtoll (status, NULL, 10), message };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinRunEnd_record, &end);
  if (!self->is_registered)
    return;
  self->events->signal (SATIN_SIGNAL_OVER, payload, self->user_data);
  template_leave (self);
}

/* Reports the event of a line. @words: (transfer full): the words of the line */
static void
tell_line (TemplateRegistry *self, char **words)
{
  g_auto (GStrv) owned = words;
  const char *verb = words[0];
  SatinNodeId id = (SatinNodeId)g_ascii_strtoull (words[1], NULL, 10);
  if (g_str_equal (verb, "joined"))
    tell_joined (self, id, g_steal_pointer (&owned));
  else if (g_str_equal (verb, "left") || g_str_equal (verb, "died"))
    self->error = tell_gone (self, id, g_str_equal (verb, "died"));
  else if (g_str_equal (verb, "leaving"))
    tell_leaving (self, id);
  else if (g_str_equal (verb, "elected"))
    tell_elected (self, id, words[2]);
  else if (g_str_equal (verb, "signal"))
    tell_signal (self, id, words[2], words[3]);
  else if (g_str_equal (verb, "end"))
    tell_end (self, words[1], words[2]);
}

/* Checks whether the next member in the ring of all members is dead. So each member is watched by
 * exactly one node, however many there are. */
static void
watch_next (TemplateRegistry *self)
{
  SatinNodeId next = 0;
  for (guint i = self->members->len; i-- > 0;)
    {
      SatinNodeId id = ((const Entry *)g_ptr_array_index (self->members, i))->member.id;
      if (id > self->self || (next <= self->self && id < self->self))
        next = id;
    }
  if (next != 0)
    template_suspect (self, next);
}

static void
look (gpointer user_data)
{
  TemplateRegistry *self = user_data;
  char **words;
  self->timer = 0;
  self->is_calling = TRUE;
  if (self->error == NULL && !self->is_leaving)
    log_read (self->log, &self->error);
  while (self->error == NULL && !self->is_abandoned && !self->is_leaving
         && (words = g_queue_pop_head (&self->log->lines)) != NULL)
    tell_line (self, words);
  if (self->error == NULL && !self->is_abandoned && !self->is_leaving)
    watch_next (self);
  gboolean is_over = self->error != NULL || self->is_leaving;
  if (is_over && !self->is_abandoned)
    self->events->over (self->is_leaving ? NULL : self->error, self->user_data);
  self->is_calling = FALSE;
  if (is_over || self->is_abandoned)
    registry_free (self);
  else
    self->timer = satin_loop_timer_add (self->loop, self->poll_us, look, self);
}

/* Ends the membership without a word. The lock of this node is freed with the log; so the other
 * nodes find it dead. */
static void
template_abandon (gpointer registry)
{
  TemplateRegistry *self = registry;
  self->is_abandoned = TRUE;
  if (!self->is_calling)
    registry_free (self);
}

/* ---- open ---- */

/* Writes the first line of the log, which names the run. Only the first node does so. The caller
 * holds the lock. */
static gboolean
make_run (TemplateRegistry *self, const char *digest, GError **error)
{
  guint64 random[2];
  random[0] = satin_loop_random (self->loop);
  random[1] = satin_loop_random (self->loop) | 1;
  g_autofree char *run = satin_hex ((const guint8 *)random, sizeof random);
  return log_write (self->log, error, "run", run, digest, NULL);
}

/* Returns: (transfer full) (nullable): why the run does not accept this node; %NULL when it does.
 * The caller holds the lock */
static GError *
find_refusal (const Log *log, const SatinProgram *program, const char *digest)
{
  if (log->is_ended)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                        "the run of %s is over: remove the file to begin another", log->path);
  if (!g_str_equal (log->program, digest))
    return g_error_new (
        SATIN_ERROR, SATIN_ERROR_PROGRAM,
        "the run of %s is one of another program than %s, or of another build of it", log->path,
        program->name);
  return NULL;
}

/* Makes this node a member. If the run does not accept the node, the event `over` reports that
 * later. The caller holds the lock. */
static gboolean
join (TemplateRegistry *self, const SatinRegistryContext *context, GError **error)
{
  const SatinProgram *program = context->program;
  g_autofree char *digest = satin_hex (program->digest, sizeof program->digest);
  if (self->log->run == NULL && !make_run (self, digest, error))
    return FALSE;
  self->error = find_refusal (self->log, program, digest);
  if (self->error != NULL)
    return TRUE;
  self->self = self->log->highest + 1;
  g_autofree char *id = g_strdup_printf ("%u", self->self);
  g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, context->pid);
  return log_hold_member (self->log, self->self, error)
         && log_write (self->log, error, "joined", id, context->cluster, context->address,
                       context->host != NULL ? context->host : "", pid, NULL);
}

static gpointer
template_open (const SatinRegistryContext *context, const SatinParams *given,
               const SatinRegistryEvents *events, gpointer user_data, GError **error)
{
  if (!g_str_has_prefix (context->uri, SCHEME "/"))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is no file: write " SCHEME "/absolute/path", context->uri);
      return NULL;
    }
  Log *log = log_open (context->uri + strlen (SCHEME), error);
  if (log == NULL)
    return NULL;
  TemplateRegistry *self = g_new0 (TemplateRegistry, 1);
  self->loop = context->loop;
  self->events = events;
  self->user_data = user_data;
  self->poll_us = satin_params_get_duration_us (given, "poll");
  self->log = log;
  self->members = g_ptr_array_new_with_free_func (entry_free);
  gboolean is_locked = log_lock (log, error);
  gboolean is_in = is_locked && join (self, context, error);
  if (is_locked)
    log_unlock (log);
  if (!is_in)
    {
      registry_free (self);
      return NULL;
    }
  self->timer = satin_loop_timer_add (self->loop, 0, look, self);
  return self;
}

/* ---- descriptor ---- */

static const SatinRegistryOps ops = {
  .struct_size = sizeof (SatinRegistryOps),
  .open = template_open,
  .leave = template_leave,
  .abandon = template_abandon,
  .elect = template_elect,
  .signal = template_signal,
  .suspect = template_suspect,
  .report = template_report,
  .end = template_end,
  .leaving = template_leaving,
};

static const char *const schemes[] = { "template", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_REGISTRY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "template",
  .version = "0.1.0",
  .summary = "membership by a file that all nodes of a machine read and write",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
