/* model.c - which files a storage may have, from what it has promised
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model.h"

#include <satin/base/random.h>
#include <string.h>

static const char *const names[N_FILES] = { "log", "new", "old", "spare" };

void
model_begin (Model *self)
{
  Version absent = { .is_there = FALSE };
  self->n_patterns = 0;
  for (guint i = 0; i < N_FILES; i++)
    {
      self->files[i] = g_array_new (FALSE, FALSE, sizeof (Version));
      g_array_append_val (self->files[i], absent);
    }
}

void
model_end (Model *self)
{
  for (guint i = 0; i < N_FILES; i++)
    g_array_unref (self->files[i]);
}

const char *
model_name (guint file)
{
  return names[file];
}

guint
model_find (const char *name)
{
  guint i = 0;
  while (i < N_FILES && strcmp (names[i], name) != 0)
    i++;
  return i;
}

Version *
model_now (const Model *self, guint file)
{
  return &g_array_index (self->files[file], Version, self->files[file]->len - 1);
}

void
model_append (Model *self, guint file, guint n_bytes)
{
  if (!model_now (self, file)->is_there)
    {
      Version version = { .is_there = TRUE, .pattern = ++self->n_patterns };
      g_array_append_val (self->files[file], version);
    }
  model_now (self, file)->most += n_bytes;
}

void
model_remove (Model *self, guint file)
{
  Version absent = { .is_there = FALSE };
  g_array_append_val (self->files[file], absent);
}

void
model_replace (Model *self, guint from, guint to)
{
  Version version = *model_now (self, from);
  version.least = version.most;
  g_array_append_val (self->files[to], version);
  model_remove (self, from);
}

void
model_is_safe (Model *self, guint file)
{
  Version *now = model_now (self, file);
  now->least = now->most;
  g_array_remove_range (self->files[file], 0, self->files[file]->len - 1);
}

guint8 *
model_bytes (guint pattern, guint64 offset, gsize n_bytes)
{
  guint8 *bytes = g_malloc (n_bytes + 1);
  for (gsize i = 0; i < n_bytes; i++)
    bytes[i] = (guint8)satin_random_mix (((guint64)pattern << 32) + offset + i);
  return bytes;
}

/* Returns: how many of the first bytes are those of the pattern */
static gsize
count_right (const Version *version, const guint8 *bytes, gsize n_bytes)
{
  g_autofree guint8 *wanted = model_bytes (version->pattern, 0, n_bytes);
  gsize n = 0;
  while (n < n_bytes && bytes[n] == wanted[n])
    n++;
  return n;
}

static gboolean
fits (const Version *version, const guint8 *bytes, gsize n_bytes, gboolean is_whole)
{
  if (!version->is_there || bytes == NULL)
    return !version->is_there && bytes == NULL;
  return n_bytes <= version->most && n_bytes >= (is_whole ? version->most : version->least)
         && count_right (version, bytes, n_bytes) == n_bytes;
}

/* Returns: (transfer full): what the file should be */
static char *
describe (const GArray *versions, guint first)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = first; i < versions->len; i++)
    {
      const Version *version = &g_array_index (versions, Version, i);
      guint64 least = first > 0 ? version->most : version->least;
      if (i > first)
        g_string_append (text, " or ");
      if (!version->is_there)
        g_string_append (text, "absent");
      else if (least == version->most)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " bytes", least);
      else
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " bytes", least,
                                version->most);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns: (transfer full): how the file differs from each of its versions */
static char *
complain (const Model *self, guint file, const guint8 *bytes, gsize n_bytes, guint first)
{
  const GArray *versions = self->files[file];
  g_autofree char *wanted = describe (versions, first);
  gsize n_right = 0;
  for (guint i = first; i < versions->len && bytes != NULL; i++)
    if (g_array_index (versions, Version, i).is_there)
      n_right = MAX (n_right, count_right (&g_array_index (versions, Version, i), bytes, n_bytes));
  if (bytes == NULL)
    return g_strdup_printf ("%s is absent; promised: %s", names[file], wanted);
  if (n_right == n_bytes)
    return g_strdup_printf ("%s has %" G_GSIZE_FORMAT " bytes; promised: %s", names[file], n_bytes,
                            wanted);
  return g_strdup_printf ("%s has %" G_GSIZE_FORMAT " bytes, wrong ones from %" G_GSIZE_FORMAT
                          " on; promised: %s",
                          names[file], n_bytes, n_right, wanted);
}

char *
model_check (Model *self, guint file, const guint8 *bytes, gsize n_bytes, gboolean may_be_old)
{
  GArray *versions = self->files[file];
  guint first = may_be_old ? 0 : versions->len - 1;
  guint i = first;
  while (i < versions->len
         && !fits (&g_array_index (versions, Version, i), bytes, n_bytes, !may_be_old))
    i++;
  if (i == versions->len)
    return complain (self, file, bytes, n_bytes, first);
  if (may_be_old)
    {
      Version found = g_array_index (versions, Version, i);
      found.least = found.most = n_bytes;
      g_array_set_size (versions, 0);
      g_array_append_val (versions, found);
    }
  return NULL;
}
