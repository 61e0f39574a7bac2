/* folders.c - where the journals of runs are kept
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folders.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LATEST "latest"

/* If there are more folders than MAX_RUNS, or all together have more than MAX_BYTES, the oldest are
 * removed, because each start of a run reads all of them. But a folder that was written to in the
 * last REMOVED_AGE_S seconds stays, because its run may not be over. */
#define MAX_BYTES     ((guint64)1 << 30)
#define MAX_RUNS      500
#define REMOVED_AGE_S 3600

/* The length of the time with which the name of a folder begins: "2026-11-23T18-40-12-". */
#define TIME_BYTES 20

char *
journal_folders_base (void)
{
  return g_build_filename (g_get_user_state_dir (), "satin", "runs", NULL);
}

static gboolean
fail (GError **error, const char *path)
{
  int code = errno;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make the folder %s: %s", path,
               g_strerror (code));
  return FALSE;
}

static gboolean
is_run (const char *name)
{
  return strlen (name) > TIME_BYTES && g_ascii_isdigit (*name) && name[10] == 'T';
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
journal_folders_list (void)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *base = journal_folders_base ();
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_run (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* ---- removing the oldest ---- */

/* Returns: the bytes of all files in a folder. @ret_written_s: (out): when the newest of
 * them was written; 0 without files */
static guint64
measure (const char *folder, gint64 *ret_written_s)
{
  guint64 n_bytes = 0;
  struct stat status;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  *ret_written_s = 0;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (lstat (path, &status) != 0)
        continue;
      n_bytes += (guint64)status.st_size;
      *ret_written_s = MAX (*ret_written_s, (gint64)status.st_mtime);
    }
  return n_bytes;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
remove_oldest (const char *base)
{
  guint64 n_bytes = 0;
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;
  g_autoptr (GPtrArray) names = journal_folders_list ();
  for (guint i = names->len; i-- > 0;)
    {
      gint64 written_s;
      g_autofree char *folder = g_build_filename (base, g_ptr_array_index (names, i), NULL);
      n_bytes += measure (folder, &written_s);
      gboolean is_too_much = n_bytes > MAX_BYTES || names->len - i > MAX_RUNS;
      if (is_too_much && now_s - written_s > REMOVED_AGE_S)
        remove_folder (folder);
    }
}

/* ---- making a folder ---- */

/* Makes the link `latest` point to the folder @name. Ignores errors, because journals are found by
 * name, too. */
static void
point_latest (const char *base, const char *name)
{
  g_autofree char *link = g_build_filename (base, LATEST, NULL);
  g_autofree char *made = g_strdup_printf ("%s.%d", link, (int)getpid ());
  if (symlink (name, made) != 0 || g_rename (made, link) != 0)
    g_debug ("%s does not point to %s", link, name);
}

static char *
make_named (const char *base, const char *program, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%dT%H-%M-%S");
  g_autofree char *name = g_strdup_printf ("%s-%s", time, program);
  for (guint i = 2; i < 1000; i++)
    {
      g_autofree char *folder = g_build_filename (base, name, NULL);
      if (g_mkdir (folder, 0700) == 0)
        {
          point_latest (base, name);
          return g_steal_pointer (&folder);
        }
      if (errno != EEXIST)
        {
          fail (error, folder);
          return NULL;
        }
      g_free (name);
      name = g_strdup_printf ("%s-%s-%u", time, program, i);
    }
  errno = EEXIST;
  fail (error, base);
  return NULL;
}

char *
journal_folder_new (const char *folder, const char *program, GError **error)
{
  g_autofree char *base = folder != NULL ? g_strdup (folder) : journal_folders_base ();
  if (g_mkdir_with_parents (base, 0700) != 0)
    {
      fail (error, base);
      return NULL;
    }
  if (folder != NULL)
    return g_steal_pointer (&base);
  remove_oldest (base);
  return make_named (base, program, error);
}

/* ---- finding the journal of a run ---- */

/* Returns: (transfer full) (nullable): the path of the journal in the folder @path, or @path itself
 * if it is a file */
static char *
find_in (const char *path)
{
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_file_test (path, G_FILE_TEST_EXISTS) ? g_strdup (path) : NULL;
  g_autofree char *file = g_build_filename (path, JOURNAL_FILE, NULL);
  return g_file_test (file, G_FILE_TEST_EXISTS) ? g_steal_pointer (&file) : NULL;
}

/* Finds the newest journal in a folder whose name, or the program part of whose name, begins with
 * @begin. Returns: (transfer full) (nullable) */
static char *
find_named (const char *base, const char *begin)
{
  g_autoptr (GPtrArray) names = journal_folders_list ();
  for (guint i = names->len; i-- > 0;)
    {
      const char *name = g_ptr_array_index (names, i);
      if (!g_str_has_prefix (name, begin) && !g_str_has_prefix (name + TIME_BYTES, begin))
        continue;
      g_autofree char *folder = g_build_filename (base, name, NULL);
      char *file = find_in (folder);
      if (file != NULL)
        return file;
    }
  return NULL;
}

/* Finds the journal of the latest run. The names of runs that began in the same second do not say
 * which one was later, but the link does. Returns: (transfer full) (nullable) */
static char *
find_latest (const char *base)
{
  g_autofree char *link = g_build_filename (base, LATEST, NULL);
  char *file = find_in (link);
  return file != NULL ? file : find_named (base, "");
}

char *
journal_find (const char *run, GError **error)
{
  g_autofree char *base = journal_folders_base ();
  char *file = NULL;
  if (g_strcmp0 (run, LATEST) == 0)
    run = NULL;
  if (run == NULL)
    file = find_latest (base);
  /* Names win: the program is often a file of the current folder, and its runs have its name. */
  else if (strchr (run, '/') == NULL)
    file = find_named (base, run);
  if (file == NULL && run != NULL)
    file = find_in (run);
  if (file == NULL && run == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                 "there is no journal in %s; satin run writes one", base);
  else if (file == NULL && g_access (run, F_OK) != 0 && errno == EACCES)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                 "cannot read %s: %s; only the user who started a run can read its journal", run,
                 g_strerror (EACCES));
  else if (file == NULL)
    g_set_error (
        error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
        "there is no journal %s, neither as a path nor in %s; satin journal list names all", run,
        base);
  return file;
}
