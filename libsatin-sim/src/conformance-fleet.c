/* conformance-fleet.c - a provisioner under test, its machines and what they were told
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conformance-fleet.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* In this time what must not happen has its chance. */
#define MOMENT_US ((gint64)50000)

/* How often the folder is looked into while something is awaited. */
#define TICK_MS 10

/* What all commands begin with. The lock is held by their children as well. */
static const char script_head[] =
    "exec >/dev/null 2>&1; folder=$1 machine=$2 cluster=$3; shift 3\n"
    "exec 9<\"$folder/life\" && flock -s 9 || exit 99\n"
    "say() { draft=$(mktemp \"$folder/draft.XXXXXX\") && printf '%s\\n%s\\n%s' \"$1\" \"$machine\" "
    "\"$2\" >\"$draft\" && mv \"$draft\" \"$folder/said.${draft##*.}\"; }\n";

/* ---- what the plugin tells ---- */

static void
note_call (Fleet *self, const char *what)
{
  if (self->is_inside)
    case_note (self->c, RULE_INSIDE, "%s came inside an operation", what);
  if (g_thread_self () != self->thread)
    case_note (self->c, RULE_THREAD, "%s came on another thread", what);
  if (self->n_closed > 0)
    case_note (self->c, RULE_CLOSED, "%s came after close was done", what);
}

static void
note_reason (Fleet *self, const GError *reason, const char *what)
{
  if (reason != NULL && reason->domain != SATIN_ERROR)
    case_note (self->c, RULE_ERROR, "%s has an error of the domain %s", what,
               g_quark_to_string (reason->domain));
}

static Order *
find_order (Fleet *self, guint64 ticket)
{
  for (guint i = 0; i < self->orders->len; i++)
    if (((Order *)g_ptr_array_index (self->orders, i))->ticket == ticket)
      return g_ptr_array_index (self->orders, i);
  return NULL;
}

static Granted *
find_granted (Fleet *self, const char *name)
{
  for (guint i = 0; name != NULL && i < self->granted->len; i++)
    if (strcmp (fleet_granted (self, i)->name, name) == 0)
      return fleet_granted (self, i);
  return NULL;
}

static void
note_count (Fleet *self, const Order *order)
{
  if (order->n_granted + order->n_refused > order->n)
    case_note (self->c, RULE_ONCE, "of %u machines, %u were granted and %u refused", order->n,
               order->n_granted, order->n_refused);
}

static void
on_granted (const SatinMachine *machine, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "granted");
  Order *order = find_order (self, machine->ticket);
  gboolean is_good = machine->name != NULL && machine->cluster != NULL && *machine->name != '\0'
                     && strlen (machine->name) <= SATIN_MACHINE_NAME_MAX
                     && g_utf8_validate (machine->name, -1, NULL);
  if (!is_good || find_granted (self, machine->name) != NULL)
    {
      case_note (self->c, RULE_NAMES, is_good ? "\"%s\" was granted twice" : "\"%s\" is no name",
                 machine->name != NULL ? machine->name : "");
      return;
    }
  if (order == NULL)
    {
      case_note (self->c, RULE_ONCE, "a machine was granted for a ticket that was not used");
      return;
    }
  if (order->is_cancelled)
    case_note (self->c, RULE_CANCEL, "a machine was granted after its request was cancelled");
  order->n_granted++;
  note_count (self, order);
  Granted *granted = g_new0 (Granted, 1);
  granted->name = g_strdup (machine->name);
  granted->cluster = g_strdup (machine->cluster);
  granted->order = order;
  g_ptr_array_add (self->granted, granted);
}

static void
on_refused (guint64 ticket, guint n, const GError *reason, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "refused");
  note_reason (self, reason, "refused");
  Order *order = find_order (self, ticket);
  if (reason == NULL)
    case_note (self->c, RULE_ERROR, "refused has no reason");
  if (order == NULL || n == 0)
    {
      case_note (self->c, RULE_ONCE, "%u machines were refused%s", n,
                 order == NULL ? " for a ticket that was not used" : "");
      return;
    }
  order->n_refused += n;
  note_count (self, order);
  g_clear_error (&order->reason);
  order->reason = reason != NULL ? g_error_copy (reason) : NULL;
}

static void
on_notice (const char *name, gint64 left_us, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "notice");
  const Granted *granted = find_granted (self, name);
  if (granted == NULL || granted->n_ended > 0)
    case_note (self->c, RULE_FIT, "notice came of a machine that is not there");
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "ended");
  note_reason (self, reason, "ended");
  Granted *granted = find_granted (self, name);
  if (granted == NULL || granted->n_ended++ > 0)
    {
      case_note (self->c, RULE_FIT, "\"%s\" ended%s", name != NULL ? name : "",
                 granted == NULL ? " and was never granted" : " twice");
      return;
    }
  granted->ended_us = g_get_monotonic_time ();
  granted->reason = reason != NULL ? g_error_copy (reason) : NULL;
}

static const SatinProvisionHost fleet_host = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .notice = on_notice,
  .ended = on_ended,
};

static void
on_closed (const GError *error, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "close's done");
  note_reason (self, error, "close");
  if (error != NULL)
    case_note (self->c, RULE_LEFT, "close failed: %s", error->message);
  self->n_closed++;
  self->is_open = FALSE;
  if (!fleet_is_settled (self, NULL))
    case_note (self->c, RULE_CLOSED, "close was done before all was granted or refused");
  if (!fleet_is_empty (self, NULL))
    case_note (self->c, RULE_CLOSED, "close was done before all machines had ended");
}

/* ---- opening and closing ---- */

static void
order_free (gpointer data)
{
  Order *self = data;
  g_clear_error (&self->reason);
  g_free (self);
}

static void
granted_free (gpointer data)
{
  Granted *self = data;
  g_clear_error (&self->reason);
  g_free (self->name);
  g_free (self->cluster);
  g_free (self);
}

static void
saying_free (gpointer data)
{
  Saying *self = data;
  g_free (self->verb);
  g_free (self->machine);
  g_free (self->text);
  g_free (self);
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* A folder that the machines see too: in the one that was given as uri, else in that for temporary
 * files. */
static gboolean
make_folder (Fleet *self)
{
  const char *place = self->c->uri != NULL ? self->c->uri : g_get_tmp_dir ();
  self->folder = g_build_filename (place, "satin-XXXXXX", NULL);
  if (!CASE_EXPECT (self->c, g_mkdtemp (self->folder) != NULL, "cannot make a folder in %s: %s",
                    place, g_strerror (errno)))
    {
      g_clear_pointer (&self->folder, g_free);
      return FALSE;
    }
  g_autofree char *life = g_build_filename (self->folder, "life", NULL);
  self->life_fd = open (life, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  return CASE_EXPECT (self->c, self->life_fd >= 0, "cannot make a file in %s: %s", self->folder,
                      g_strerror (errno));
}

Fleet *
fleet_new_empty (Case *c)
{
  g_autoptr (Fleet) self = g_new0 (Fleet, 1);
  self->c = c;
  self->stage = stage_new (FALSE);
  self->loop = stage_get_loop (self->stage, 0);
  self->ticker = g_timeout_source_new (TICK_MS);
  g_source_set_callback (self->ticker, on_tick, NULL, NULL);
  g_source_attach (self->ticker, satin_loop_get_context (self->loop));
  self->thread = g_thread_self ();
  self->life_fd = -1;
  self->orders = g_ptr_array_new_with_free_func (order_free);
  self->granted = g_ptr_array_new_with_free_func (granted_free);
  self->sayings = g_ptr_array_new_with_free_func (saying_free);
  self->words = g_ptr_array_new_with_free_func (g_free);
  satin_plugin_copy_ops (c->plugin, &self->ops, sizeof self->ops);
  const SatinProvisionOps *ops = &self->ops;
  gboolean is_whole = ops->open != NULL && ops->request != NULL && ops->cancel != NULL
                      && ops->withdraw != NULL && ops->list != NULL && ops->close != NULL;
  if (!CASE_EXPECT (c, is_whole, "an operation is missing") || !make_folder (self))
    return NULL;
  c->watch->is_exercised = TRUE;
  return g_steal_pointer (&self);
}

/* Spoils a text that the plugin was to copy. */
static void
wipe (char *text)
{
  memset (text, 'x', strlen (text));
}

/* (nullable): a copy of @text that stays as long as @self. */
static char *
keep_text (Fleet *self, const char *text)
{
  char *copy = g_strdup (text);
  if (copy != NULL)
    g_ptr_array_add (self->words, copy);
  return copy;
}

static void
keep_texts (Fleet *self, GPtrArray *words, const char *const *texts)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    g_ptr_array_add (words, keep_text (self, texts[i]));
}

static void
add_arguments (Fleet *self, GPtrArray *words, const FleetStart *start)
{
  g_autofree char *script = g_strconcat (script_head, start->body, NULL);
  const char *const shell[] = { "sh",         "-c",        script,      "conformance",
                                self->folder, "{machine}", "{cluster}", NULL };
  const char *const command[] = { start->command, NULL };
  keep_texts (self, words, start->command != NULL ? command : shell);
  keep_texts (self, words, start->arguments);
  g_ptr_array_add (words, NULL);
}

gboolean
fleet_open (Fleet *self, SatinLoop *loop, const FleetStart *start, GError **error)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GPtrArray) variables = g_ptr_array_new ();
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GBytes) secret =
      start->secret != NULL ? g_bytes_new (start->secret, strlen (start->secret)) : NULL;
  add_arguments (self, arguments, start);
  keep_texts (self, variables, start->variables);
  g_ptr_array_add (variables, NULL);
  keep_texts (self, files, start->files);
  g_ptr_array_add (files, NULL);
  const SatinStart given = {
    .arguments = (const char *const *)arguments->pdata,
    .variables = (const char *const *)variables->pdata,
    .program = keep_text (self, start->program),
    .files = start->files != NULL ? (const char *const *)files->pdata : NULL,
    .secret = secret,
  };
  self->is_inside = TRUE;
  self->handle = self->ops.open (loop, self->c->params, &given, &fleet_host, self, error);
  self->is_inside = FALSE;
  for (guint i = 0; start->is_wiped && i < self->words->len; i++)
    wipe (g_ptr_array_index (self->words, i));
  self->is_open = self->handle != NULL;
  return self->is_open;
}

Fleet *
fleet_new_for (Case *c, const FleetStart *start)
{
  g_autoptr (Fleet) self = fleet_new_empty (c);
  g_autoptr (GError) error = NULL;
  if (self != NULL && fleet_open (self, self->loop, start, &error))
    return g_steal_pointer (&self);
  if (self != NULL)
    case_break (c, "open failed: %s", error != NULL ? error->message : "without an error");
  return NULL;
}

Fleet *
fleet_new (Case *c, const char *body)
{
  const FleetStart start = { .body = body };
  return fleet_new_for (c, &start);
}

void
fleet_close (Fleet *self)
{
  if (self->handle == NULL)
    return;
  self->is_inside = TRUE;
  self->ops.close (g_steal_pointer (&self->handle), on_closed, self);
  self->is_inside = FALSE;
}

static gboolean
is_closed (gpointer data)
{
  return !((Fleet *)data)->is_open;
}

static gboolean
is_dead (gpointer data)
{
  return fleet_is_dead (data, NULL);
}

static gboolean
is_never (gpointer data)
{
  return FALSE;
}

static void
remove_folder (Fleet *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (self->folder);
}

/* Once a rule is known to be broken nobody waits long for it again. */
static gint64
patience_for (Fleet *self, const char *rule)
{
  return case_has_note (self->c, rule) ? MOMENT_US : self->c->patience_us;
}

static void
finish (Fleet *self)
{
  fleet_close (self);
  gint64 patience_us = patience_for (self, RULE_CLOSED) + SATIN_PROVISION_CLOSE_US;
  if (!stage_turn_until (self->stage, is_closed, self, patience_us))
    case_note (self->c, RULE_CLOSED, "close was not done in %" G_GINT64_FORMAT " ms",
               patience_us / 1000);
  if (!stage_turn_until (self->stage, is_dead, self, patience_for (self, RULE_LEFT)))
    case_note (self->c, RULE_LEFT, "a command or what it started lives on after close");
  /* For what comes late. */
  stage_turn_until (self->stage, is_never, NULL, TICK_MS * 1000);
}

void
fleet_free (Fleet *self)
{
  if (self->n_closed > 0 || self->is_open)
    finish (self);
  if (self->life_fd >= 0)
    close (self->life_fd);
  g_source_destroy (self->ticker);
  g_source_unref (self->ticker);
  /* A plugin that was never done may still use what it was given. */
  if (!self->is_open)
    stage_free (self->stage);
  if (self->folder != NULL)
    remove_folder (self);
  g_ptr_array_unref (self->orders);
  g_ptr_array_unref (self->granted);
  g_ptr_array_unref (self->sayings);
  g_ptr_array_unref (self->words);
  g_free (self->folder);
  g_free (self);
}

/* ---- the operations ---- */

Order *
fleet_request (Fleet *self, guint n, const char *cluster)
{
  Order *order = g_new0 (Order, 1);
  order->ticket = 1000 + 7 * self->orders->len;
  order->n = n;
  g_ptr_array_add (self->orders, order);
  g_autofree char *text = g_strdup (cluster);
  self->is_inside = TRUE;
  self->ops.request (self->handle, order->ticket, n, text);
  self->is_inside = FALSE;
  wipe (text);
  return order;
}

void
fleet_cancel (Fleet *self, Order *order)
{
  order->is_cancelled = TRUE;
  self->is_inside = TRUE;
  self->ops.cancel (self->handle, order->ticket);
  self->is_inside = FALSE;
}

void
fleet_withdraw (Fleet *self, const char *name, gint64 deadline_us)
{
  g_autofree char *text = g_strdup (name);
  self->is_inside = TRUE;
  self->ops.withdraw (self->handle, text, deadline_us);
  self->is_inside = FALSE;
  wipe (text);
}

/* What list tells. */
typedef struct
{
  const char *wanted; /* (nullable) */
  guint n;
  gboolean has;
} Listing;

static void
on_listed (const SatinMachine *machine, gpointer user_data)
{
  Listing *listing = user_data;
  listing->n++;
  listing->has |= g_strcmp0 (machine->name, listing->wanted) == 0;
}

guint
fleet_list (Fleet *self, const char *name, gboolean *ret_has)
{
  Listing listing = { .wanted = name };
  self->is_inside = TRUE;
  self->ops.list (self->handle, on_listed, &listing);
  self->is_inside = FALSE;
  *ret_has = listing.has;
  return listing.n;
}

static void
on_offer (const SatinOffer *offer, gpointer user_data)
{
  guint *n_free = user_data;
  *n_free += MIN (offer->n_machines, SATIN_PROVISION_MAX);
}

guint
fleet_room (Fleet *self, guint n)
{
  guint n_free = 0;
  if (self->ops.offers == NULL)
    return n;
  self->ops.offers (self->handle, on_offer, &n_free);
  return CLAMP (n_free, 1, n);
}

Granted *
fleet_granted (Fleet *self, guint number)
{
  return g_ptr_array_index (self->granted, number);
}

static gboolean
all_run (Fleet *self, gconstpointer data)
{
  guint n_runs = fleet_n_heard (self, "runs", NULL);
  return fleet_is_settled (self, NULL) && n_runs >= self->granted->len;
}

gboolean
fleet_get (Fleet *self, guint n)
{
  const Order *order = fleet_request (self, fleet_room (self, n), "");
  if (!fleet_wait (self, all_run, NULL, "that each machine is granted and runs the command"))
    return FALSE;
  return CASE_EXPECT (self->c, order->n_granted == order->n, "of %u machines, %u were refused: %s",
                      order->n, order->n_refused,
                      order->reason != NULL ? order->reason->message : "without a reason");
}

/* ---- waiting ---- */

typedef struct
{
  Fleet *fleet;
  FleetQuestion question;
  gconstpointer data;
} Waiting;

static gboolean
ask (gpointer data)
{
  const Waiting *waiting = data;
  return waiting->question (waiting->fleet, waiting->data);
}

gboolean
fleet_wait (Fleet *self, FleetQuestion question, gconstpointer data, const char *what)
{
  Waiting waiting = { self, question, data };
  if (stage_turn_until (self->stage, ask, &waiting, self->c->patience_us))
    return TRUE;
  case_break (self->c, "%s did not happen in %" G_GINT64_FORMAT " ms", what,
              self->c->patience_us / 1000);
  return FALSE;
}

void
fleet_linger (Fleet *self)
{
  stage_turn_until (self->stage, is_never, NULL, MOMENT_US);
}

gboolean
fleet_is_settled (Fleet *self, gconstpointer data)
{
  for (guint i = 0; i < self->orders->len; i++)
    {
      const Order *order = g_ptr_array_index (self->orders, i);
      if (order->n_granted + order->n_refused < order->n)
        return FALSE;
    }
  return TRUE;
}

gboolean
fleet_has_ended (Fleet *self, gconstpointer granted)
{
  return ((const Granted *)granted)->n_ended > 0;
}

gboolean
fleet_is_empty (Fleet *self, gconstpointer data)
{
  for (guint i = 0; i < self->granted->len; i++)
    if (fleet_granted (self, i)->n_ended == 0)
      return FALSE;
  return TRUE;
}

gboolean
fleet_is_dead (Fleet *self, gconstpointer data)
{
  if (flock (self->life_fd, LOCK_EX | LOCK_NB) < 0)
    return FALSE;
  flock (self->life_fd, LOCK_UN);
  return TRUE;
}

/* ---- what the commands tell ---- */

static void
read_saying (Fleet *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autofree char *text = NULL;
  if (!g_str_has_prefix (name, "said.") || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  g_unlink (path);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 3);
  if (g_strv_length (lines) < 3)
    return;
  Saying *saying = g_new0 (Saying, 1);
  saying->verb = g_strdup (lines[0]);
  saying->machine = g_strdup (lines[1]);
  saying->text = g_strdup (lines[2]);
  g_ptr_array_add (self->sayings, saying);
}

static void
read_sayings (Fleet *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    read_saying (self, name);
}

static gboolean
is_by (const Saying *saying, const char *verb, const char *name)
{
  return strcmp (saying->verb, verb) == 0 && (name == NULL || strcmp (saying->machine, name) == 0);
}

const char *
fleet_heard (Fleet *self, const char *verb, const char *name)
{
  read_sayings (self);
  for (guint i = 0; i < self->sayings->len; i++)
    {
      const Saying *saying = g_ptr_array_index (self->sayings, i);
      if (is_by (saying, verb, name))
        return saying->text;
    }
  return NULL;
}

guint
fleet_n_heard (Fleet *self, const char *verb, const char *name)
{
  guint n = 0;
  read_sayings (self);
  for (guint i = 0; i < self->sayings->len; i++)
    n += is_by (g_ptr_array_index (self->sayings, i), verb, name);
  return n;
}

/* What is to be heard, of whom. */
typedef struct
{
  const char *verb;
  const char *name;
} Expected;

static gboolean
is_heard (Fleet *self, gconstpointer data)
{
  const Expected *expected = data;
  return fleet_heard (self, expected->verb, expected->name) != NULL;
}

const char *
fleet_hear (Fleet *self, const char *verb, const char *name)
{
  const Expected expected = { verb, name };
  g_autofree char *what = g_strdup_printf ("that the command says \"%s\"", verb);
  return fleet_wait (self, is_heard, &expected, what) ? fleet_heard (self, verb, name) : NULL;
}
