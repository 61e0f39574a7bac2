/* fleet.c - a provisioner under test: opens it, waits, closes it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* How long fleet_linger() waits for a forbidden event. */
#define MOMENT_US ((gint64)50000)

/* While a case waits, the loop is woken after each such period, so that the folder is read. */
#define TICK_MS 10

/* The beginning of each script: locks the file "life", and defines "say", which writes a report.
 * Children of the script inherit descriptor 9, so they hold the lock too, unless the script closes
 * 9 for them. "say" starts no process, because on a busy machine that may take longer than the
 * command may live. */
static const char script_head[] =
    "exec >/dev/null 2>&1; folder=$1 machine=$2 cluster=$3; shift 3\n"
    "exec 9<\"$folder/life\" && flock -s 9 || exit 99\n"
    "draft=$(mktemp \"$folder/draft.XXXXXX\") n=0\n"
    "say() { n=$((n + 1)); printf '%s\\n%s\\n%s" SAYING_END "' \"$1\" \"$machine\" \"$2\" "
    ">\"$folder/said.${draft##*.}.$n\"; }\n";

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

/* Makes a folder that the machines can see too: inside the folder that the parameter "uri" names,
 * else inside the folder for temporary files. */
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
  satin_plugin_copy_ops (c->plugin, satin_provision_required, &self->ops, sizeof self->ops, NULL);
  if (!make_folder (self))
    return NULL;
  c->watch->is_exercised = TRUE;
  return g_steal_pointer (&self);
}

void
fleet_wipe (char *text)
{
  memset (text, 'x', strlen (text));
}

/* Returns: (nullable): a copy of @text that lives as long as @self */
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
    .struct_size = sizeof (SatinStart),
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
    fleet_wipe (g_ptr_array_index (self->words, i));
  self->is_open = self->handle != NULL;
  return self->is_open;
}

Fleet *
fleet_new_for (Case *c, const FleetStart *start)
{
  g_autoptr (Fleet) self = fleet_new_empty (c);
  g_autoptr (GError) error = NULL;
  if (self == NULL)
    return NULL;
  gboolean is_open = fleet_open (self, self->loop, start, &error);
  return case_expect_open (c, is_open, error) ? g_steal_pointer (&self) : NULL;
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
  self->ops.close (g_steal_pointer (&self->handle), fleet_on_closed, self);
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

/* How long to wait for something that @rule demands: not long once the rule is known to be
 * broken. */
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
  /* Waits a little longer, so that callbacks that come too late are noticed. */
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
  /* If the plugin did not finish its close, it may still use the loop, so the stage is not
   * freed. */
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

void
fleet_linger (Fleet *self)
{
  stage_turn_until (self->stage, is_never, NULL, MOMENT_US);
}
