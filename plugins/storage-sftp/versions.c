/* versions.c - files of an SFTP folder that are replaced without renaming over one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <string.h>

/* ---- names ---- */

static char *
make_file (const char *name, guint number)
{
  return number == 0 ? g_strdup (name) : g_strdup_printf (".%s~%u", name, number);
}

char *
versions_parse (const char *file, guint *ret_number)
{
  const char *mark = strrchr (file, '~');
  guint64 number = 0;
  *ret_number = 0;
  if (satin_storage_name_is_valid (file))
    return g_strdup (file);
  if (file[0] != '.' || mark == NULL
      || !g_ascii_string_to_unsigned (mark + 1, 10, 1, G_MAXUINT / 2, &number, NULL))
    return NULL;
  g_autofree char *name = g_strndup (file + 1, (gsize)(mark - file - 1));
  if (!satin_storage_name_is_valid (name))
    return NULL;
  *ret_number = (guint)number;
  return g_steal_pointer (&name);
}

/* ---- looking ---- */

/* The versions of one name, or all of the folder. */
typedef struct
{
  const char *name; /* (nullable): of all */
  GArray *numbers;  /* (owned) guint, each of @name; 0 is the plain file */
  GPtrArray *files; /* (owned) element (owned) char*: versions of any name, when @name is %NULL */
} Look;

static void
look_at (const char *file, const PacketAttrs *attrs, gpointer user_data)
{
  Look *self = user_data;
  guint number;
  g_autofree char *name = versions_parse (file, &number);
  if (name == NULL)
    return;
  if (self->name == NULL && number > 0)
    g_ptr_array_add (self->files, g_strdup (file));
  else if (self->name != NULL && strcmp (name, self->name) == 0)
    g_array_append_val (self->numbers, number);
}

static int
compare_numbers (gconstpointer left, gconstpointer right)
{
  guint a = *(const guint *)left, b = *(const guint *)right;
  return (a > b) - (a < b);
}

/* Returns: (transfer full) (nullable): the numbers of @name, the lowest first; %NULL with @error */
static GArray *
list_numbers (Remote *self, const char *name, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  Look look = { .name = name, .numbers = numbers };
  if (!sftp_list (&self->sftp, self->server.address->path, look_at, &look, error))
    return NULL;
  g_array_sort (numbers, compare_numbers);
  return g_steal_pointer (&numbers);
}

gboolean
versions_find (Remote *self, const char *name, char **ret_file, gboolean *ret_is_version,
               GError **error)
{
  g_autoptr (GArray) numbers = list_numbers (self, name, error);
  if (numbers == NULL)
    return FALSE;
  guint highest = numbers->len > 0 ? g_array_index (numbers, guint, numbers->len - 1) : 0;
  *ret_file = make_file (name, highest);
  *ret_is_version = highest > 0;
  return TRUE;
}

/* ---- changing ---- */

static gboolean
remove_number (Remote *self, const char *name, guint number, GError **error)
{
  g_autofree char *file = make_file (name, number);
  g_autofree char *path = remote_path (self, file);
  g_autoptr (GError) local = NULL;
  if (sftp_remove (&self->sftp, path, file, &local)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
rename_number (Remote *self, const char *name, guint number, GError **error)
{
  g_autofree char *file = make_file (name, number);
  g_autofree char *from = remote_path (self, file);
  g_autofree char *to = remote_path (self, name);
  return sftp_rename (&self->sftp, from, to, name, error);
}

/* Leaves the highest version only, under the plain name. */
static gboolean
settle (Remote *self, const char *name, GError **error)
{
  g_autoptr (GArray) numbers = list_numbers (self, name, error);
  if (numbers == NULL)
    return FALSE;
  for (guint i = 0; i + 1 < numbers->len; i++)
    if (!remove_number (self, name, g_array_index (numbers, guint, i), error))
      return FALSE;
  guint highest = numbers->len > 0 ? g_array_index (numbers, guint, numbers->len - 1) : 0;
  return highest == 0 || rename_number (self, name, highest, error);
}

/* From the rename on, the new file is the one that has the name. */
static gboolean
add_version (Remote *self, const char *from, const char *to, GError **error)
{
  g_autoptr (GArray) numbers = list_numbers (self, to, error);
  if (numbers == NULL)
    return FALSE;
  guint highest = numbers->len > 0 ? g_array_index (numbers, guint, numbers->len - 1) : 0;
  g_autofree char *file = make_file (to, highest + 1);
  g_autofree char *new_path = remote_path (self, file);
  g_autofree char *old_path = remote_path (self, from);
  return sftp_rename (&self->sftp, old_path, new_path, to, error);
}

gboolean
versions_replace (Remote *self, const char *from, const char *to, GError **error)
{
  return settle (self, from, error) && add_version (self, from, to, error)
         && remote_sync_names (self, error) && settle (self, to, error);
}

gboolean
versions_remove (Remote *self, const char *name, GError **error)
{
  g_autoptr (GArray) numbers = list_numbers (self, name, error);
  if (numbers == NULL)
    return FALSE;
  for (guint i = 0; i < numbers->len; i++)
    if (!remove_number (self, name, g_array_index (numbers, guint, i), error))
      return FALSE;
  return TRUE;
}

static int
compare_files (gconstpointer left, gconstpointer right)
{
  guint a, b;
  g_autofree char *left_name = versions_parse (*(char *const *)left, &a);
  g_autofree char *right_name = versions_parse (*(char *const *)right, &b);
  return (a > b) - (a < b);
}

gboolean
versions_finish (Remote *self, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  Look look = { .files = files };
  if (!sftp_list (&self->sftp, self->server.address->path, look_at, &look, error))
    return FALSE;
  g_ptr_array_sort (files, compare_files);
  for (guint i = 0; i < files->len; i++)
    {
      guint number;
      const char *file = g_ptr_array_index (files, i);
      g_autofree char *name = versions_parse (file, &number);
      g_autofree char *from = remote_path (self, file);
      g_autofree char *to = remote_path (self, name);
      if (!sftp_rename_over (&self->sftp, from, to, name, error))
        return FALSE;
    }
  return TRUE;
}
