/* play.c - does operations of a storage, and checks that it keeps its promises
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "play.h"

#include <fcntl.h>
#include <satin/base/random.h>
#include <string.h>

#define FOLDER "/store"

/* All files of all stories are shorter than this. */
#define MOST_LENGTH ((gsize)4 << 20)

guint
play_draw (Play *self, guint least, guint most)
{
  return least + (guint)(satin_random_next (&self->random) % (most - least + 1));
}

gboolean
play_break (Play *self, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  if (self->offence == NULL)
    self->offence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

/* Makes the folder, and syncs the folder above it. */
static void
make_folder (void)
{
  Sim *sim = sim_of_process ();
  Call make = { .kind = CALL_MKDIR, .path = FOLDER };
  Call open = { .kind = CALL_OPEN, .path = "/", .flags = O_RDONLY | O_DIRECTORY };
  sim_call (sim, G_MAXUINT, &make);
  Call sync = { .kind = CALL_SYNC, .file = (gint32)sim_call (sim, G_MAXUINT, &open) };
  sim_call (sim, G_MAXUINT, &sync);
  sim_close_all (sim, G_MAXUINT);
}

void
play_begin (Play *self, const SatinStorageOps *ops, guint64 seed, gboolean has_folder)
{
  *self = (Play){ .ops = ops, .random = satin_random_mix (seed), .now = "" };
  sim_begin ();
  if (has_folder)
    make_folder ();
  model_begin (&self->model);
}

void
play_end (Play *self)
{
  sim_set_hook (sim_of_process (), NULL, NULL);
  if (self->handle != NULL)
    self->ops->close (self->handle);
  g_clear_error (&self->error);
  g_free (self->offence);
  model_end (&self->model);
}

/* Before an operation. */
static void
begin (Play *self, const char *name, const char *file, guint64 offset, guint n_bytes)
{
  g_clear_error (&self->error);
  self->now = name;
  if (self->is_shown && n_bytes > 0)
    g_print ("%s %s, %u bytes at %" G_GUINT64_FORMAT "\n", name, file, n_bytes, offset);
  else if (self->is_shown)
    g_print ("%s %s\n", name, file);
}

/* After an operation. Returns: whether it succeeded */
static gboolean
end (Play *self, gboolean is_done)
{
  if (!is_done && self->error == NULL)
    play_break (self, "%s fails without an error", self->now);
  if (self->is_shown && !is_done)
    g_print ("  it fails: %s\n", self->error != NULL ? self->error->message : "no error");
  return is_done;
}

gboolean
play_open (Play *self)
{
  static const SatinParam nothing[] = { { NULL, SATIN_PARAM_INT, NULL, NULL } };
  const char *const no_assignments[] = { NULL };
  const SatinParam *table = satin_plugin_desc ()->params;
  g_autoptr (SatinParams) params =
      satin_params_parse (table != NULL ? table : nothing, no_assignments, NULL);
  if (self->handle != NULL)
    self->ops->close (g_steal_pointer (&self->handle));
  begin (self, "open", FOLDER, 0, 0);
  sim_power_on (sim_of_process ());
  self->handle = self->ops->open ("mine:" FOLDER, params, &self->error);
  return end (self, self->handle != NULL);
}

gboolean
play_append (Play *self, guint file, guint n_bytes)
{
  Version *now = model_now (&self->model, file);
  guint64 offset = now->is_there ? now->most : 0;
  model_append (&self->model, file, n_bytes);
  g_autofree guint8 *bytes = model_bytes (model_now (&self->model, file)->pattern, offset, n_bytes);
  begin (self, "append", model_name (file), offset, n_bytes);
  return end (self, self->ops->append (self->handle, model_name (file), offset, bytes, n_bytes,
                                       &self->error));
}

gboolean
play_sync (Play *self, guint file)
{
  begin (self, "sync", model_name (file), 0, 0);
  gboolean is_done = end (self, self->ops->sync (self->handle, model_name (file), &self->error));
  if (is_done)
    model_is_safe (&self->model, file);
  return is_done;
}

gboolean
play_replace (Play *self, guint from, guint to)
{
  g_autofree char *both = g_strconcat (model_name (to), " by ", model_name (from), NULL);
  model_replace (&self->model, from, to);
  begin (self, "replace", both, 0, 0);
  gboolean is_done = end (
      self, self->ops->replace (self->handle, model_name (from), model_name (to), &self->error));
  if (is_done)
    model_is_safe (&self->model, to);
  return is_done;
}

gboolean
play_remove (Play *self, guint file)
{
  model_remove (&self->model, file);
  begin (self, "remove", model_name (file), 0, 0);
  return end (self, self->ops->remove (self->handle, model_name (file), &self->error));
}

gboolean
play_read (Play *self, guint file)
{
  const Version *now = model_now (&self->model, file);
  g_autofree guint8 *wanted = model_bytes (now->pattern, 0, now->most);
  g_autofree guint8 *bytes = g_malloc (now->most + 1);
  gsize n_read = 0;
  begin (self, "read", model_name (file), 0, 0);
  gboolean is_done = end (self, self->ops->read (self->handle, model_name (file), 0, bytes,
                                                 now->most + 1, &n_read, &self->error));
  if (is_done && (n_read != now->most || memcmp (bytes, wanted, n_read) != 0))
    play_break (self,
                "read gets %" G_GSIZE_FORMAT " bytes of %s, not the %" G_GUINT64_FORMAT
                " that were appended",
                n_read, model_name (file), now->most);
  return is_done;
}

/* ---- checks ---- */

/* What list has told about the files of the user. */
typedef struct
{
  Play *play;
  guint n_found[N_FILES];
  guint64 lengths[N_FILES];
} Listing;

static void
take_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
  Listing *listing = user_data;
  guint file = model_find (name);
  if (file == N_FILES)
    {
      if (!listing->play->may_have_more)
        play_break (listing->play, "list tells of %.60s, which is no file of the user", name);
      return;
    }
  listing->n_found[file]++;
  listing->lengths[file] = size_bytes;
}

static gboolean
check_file (Play *self, const Listing *listing, guint file, gboolean may_be_old)
{
  gsize n_read = 0;
  const char *name = model_name (file);
  gboolean is_there = listing->n_found[file] > 0;
  gsize most = (gsize)MIN (listing->lengths[file], MOST_LENGTH) + 1;
  g_autofree guint8 *bytes = g_malloc (most);
  begin (self, "read", name, 0, 0);
  gboolean is_done = self->ops->read (self->handle, name, 0, bytes, most, &n_read, &self->error);
  if (is_done != is_there
      || (!is_done && !g_error_matches (self->error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND)))
    return play_break (self, "list says that %s is %s, but read says: %s", name,
                       is_there ? "there" : "absent",
                       self->error != NULL ? self->error->message : "it is there");
  if (is_there && (listing->n_found[file] > 1 || n_read != listing->lengths[file]))
    return play_break (
        self, "list says that %s has %" G_GUINT64_FORMAT " bytes, read says %" G_GSIZE_FORMAT, name,
        listing->lengths[file], n_read);
  char *offence = model_check (&self->model, file, is_there ? bytes : NULL, n_read, may_be_old);
  if (offence != NULL)
    play_break (self, "%s", offence);
  g_free (offence);
  return self->offence == NULL;
}

gboolean
play_check (Play *self, gboolean may_be_old)
{
  Listing listing = { .play = self };
  begin (self, "list", "", 0, 0);
  if (!end (self, self->ops->list (self->handle, take_entry, &listing, &self->error)))
    return play_break (self, "list fails: %s", self->error != NULL ? self->error->message : "");
  for (guint file = 0; file < N_FILES && self->offence == NULL; file++)
    check_file (self, &listing, file, may_be_old);
  return self->offence == NULL;
}
