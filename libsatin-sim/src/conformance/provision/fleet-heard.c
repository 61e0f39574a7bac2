/* fleet-heard.c - reads the reports of commands, and waits for them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-private.h"

#include <glib/gstdio.h>
#include <string.h>

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

static void
read_saying (Fleet *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autofree char *text = NULL;
  if (!g_str_has_prefix (name, "said.") || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  /* The rest of the report is still being written. */
  if (!g_str_has_suffix (text, SAYING_END))
    return;
  g_unlink (path);
  text[strlen (text) - strlen (SAYING_END)] = '\0';
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

/* For is_heard(): the report that a case waits for, and its machine. */
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
