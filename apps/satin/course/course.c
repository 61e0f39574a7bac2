/* course.c - `satin course`: lists assignments, begins one in a folder, and grades a solution
 *
 * An assignment is a folder NN-NAME with a page, README.md; files to begin with, start/; and a
 * program that grades, grade. The first line of the page is its title. The third line, in
 * parentheses, says how hard the assignment is and how many hours it takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const char details_format[] =
    "ASSIGNMENT is a number or a name from the list.\n\n"
    "Example, the first assignment from its start to its points:\n"
    "  satin course list\n"
    "  satin course start 1 integrate\n"
    "  cd integrate\n"
    "  less README.md\n"
    "  ./grade\n\n"
    "grade prints what is right, the points, and for each check that lost points the reason and a\n"
    "command that shows it. Programs that are graded run in a sandbox (bubblewrap). Options of\n"
    "grade stand after FOLDER: --only, --json, --secret, --unsafe, --leaderboard, --student;\n"
    "satin-course(1) describes them. Assignments lie in SATIN_COURSE_DIR, or else in\n%s.";

static char *
course_folder (void)
{
  const char *given = g_getenv ("SATIN_COURSE_DIR");
  return given != NULL ? g_strdup (given) : satin_installed_path (SATIN_COURSE_DIR);
}

static gboolean
is_assignment (const char *name)
{
  return g_ascii_isdigit (name[0]) && g_ascii_isdigit (name[1]) && name[2] == '-';
}

static gint
compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *)one, *(const char *const *)other);
}

/* Returns: (transfer full) (element-type utf8): the names of all assignments, sorted */
static GPtrArray *
list_names (const char *root, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_assignment (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  if (names->len > 0)
    return g_steal_pointer (&names);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "there are no assignments in %s: install Satin whole, or set SATIN_COURSE_DIR to a "
               "folder of assignments",
               root);
  return NULL;
}

/* Finds the assignment that the user named: "2", "02-grain" or "grain". Returns: (transfer full) */
static char *
find_assignment (const char *root, const char *word, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (root, error);
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *number = g_strdup_printf ("%d", (name[0] - 48) * 10 + name[1] - 48);
      gboolean is_number =
          g_str_equal (word, number) || (strlen (word) == 2 && g_str_has_prefix (name, word));
      if (g_str_equal (word, name) || g_str_equal (word, name + 3) || is_number)
        return g_build_filename (root, name, NULL);
    }
  if (names != NULL)
    command_refuse (error, "course", "there is no assignment \"%s\": satin course list names them",
                    word);
  return NULL;
}

/* ---- list ---- */

static gboolean
print_list (const char *root, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (root, error);
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (root, name, "README.md", NULL);
      g_autofree char *text = NULL;
      if (!g_file_get_contents (path, &text, NULL, error))
        return FALSE;
      g_auto (GStrv) lines = g_strsplit (text, "\n", 4);
      gboolean has_both = g_strv_length (lines) > 2 && g_str_has_prefix (lines[0], "# ");
      g_print ("%-14s %s %s\n", name, has_both ? lines[0] + 2 : "", has_both ? lines[2] : "");
    }
  return names != NULL;
}

/* ---- start ---- */

static gboolean
copy_file (const char *from, const char *to, GError **error)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  GStatBuf status;
  if (!g_file_get_contents (from, &bytes, &n_bytes, error)
      || !g_file_set_contents (to, bytes, (gssize)n_bytes, error))
    return FALSE;
  if (g_stat (from, &status) == 0 && (status.st_mode & S_IXUSR) != 0)
    g_chmod (to, 0755);
  return TRUE;
}

static gboolean
copy_start (const char *assignment, const char *folder, GError **error)
{
  g_autofree char *start = g_build_filename (assignment, "start", NULL);
  g_autofree char *page = g_build_filename (assignment, "README.md", NULL);
  g_autofree char *chart = g_build_filename (assignment, "..", "chart.py", NULL);
  g_autofree char *chart_copy = g_build_filename (folder, "chart.py", NULL);
  g_autofree char *page_copy = g_build_filename (folder, "README.md", NULL);
  g_autoptr (GDir) dir = g_dir_open (start, 0, error);
  const char *name;
  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (start, name, NULL);
      g_autofree char *to = g_build_filename (folder, name, NULL);
      if (!copy_file (from, to, error))
        return FALSE;
    }
  return copy_file (page, page_copy, error) && copy_file (chart, chart_copy, error);
}

/* Writes the program "grade" into @folder. The program grades the solution in that folder. */
static gboolean
write_grade (const char *assignment, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "grade", NULL);
  g_autofree char *name = g_path_get_basename (assignment);
  g_autofree char *text =
      g_strdup_printf ("#!/bin/sh\n"
                       "# Grades this folder; ./grade --help names the options.\n"
                       "exec satin course grade %s \"$(dirname \"$0\")\" \"$@\"\n",
                       name);
  if (!g_file_set_contents (path, text, -1, error))
    return FALSE;
  g_chmod (path, 0755);
  return TRUE;
}

static gboolean
start (const char *root, const char *word, const char *folder, GError **error)
{
  g_autofree char *assignment = find_assignment (root, word, error);
  if (assignment == NULL)
    return FALSE;
  if (g_mkdir (folder, 0777) != 0)
    {
      int failed_errno = errno;
      if (failed_errno == EEXIST)
        return command_refuse (
            error, "course", "%s is there already and stays as it is: name another folder", folder);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make the folder %s: %s", folder,
                   g_strerror (failed_errno));
      return FALSE;
    }
  if (!copy_start (assignment, folder, error) || !write_grade (assignment, folder, error))
    return FALSE;
  g_print ("%s has the assignment. Read README.md there, and run ./grade at any time.\n", folder);
  return TRUE;
}

/* ---- grade ---- */

/* Replaces this process by the grader. Returns: %FALSE, as it returns only on failure */
static gboolean
grade (const char *root, char **words, GError **error)
{
  g_autofree char *assignment = find_assignment (root, words[0], error);
  if (assignment == NULL)
    return FALSE;
  g_autofree char *program = g_build_filename (assignment, "grade", NULL);
  g_autofree char *own = g_file_read_link ("/proc/self/exe", error);
  if (own == NULL)
    return FALSE;
  g_setenv ("SATIN_COMMAND", own, TRUE);
  words[0] = program;
  execv (program, words);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot start %s: %s", program,
               errno == ENOENT ? "is python3 installed?" : g_strerror (errno));
  return FALSE;
}

gboolean
command_course (int argc, char **argv, int *ret_status, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_autofree char *root = course_folder ();
  g_autofree char *details = g_strdup_printf (details_format, root);
  const CommandSyntax syntax = {
    .name = "course",
    .usage = "list | start ASSIGNMENT FOLDER | grade ASSIGNMENT [FOLDER] [OPTION...]",
    .summary = "Lists the assignments of the course, begins one in a folder, and grades it.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = 100,
    .is_strict = TRUE,
  };
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  *ret_status = 0;
  if (g_str_equal (argv[1], "list") && argc == 2)
    return print_list (root, error);
  if (g_str_equal (argv[1], "start") && argc == 4)
    return start (root, argv[2], argv[3], error);
  if (g_str_equal (argv[1], "grade") && argc >= 3)
    return grade (root, argv + 2, error);
  return command_refuse (error, "course", "say list, start ASSIGNMENT FOLDER, or grade ASSIGNMENT");
}
