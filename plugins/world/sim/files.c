/* files.c - checks whether the files that the user wants can be written
 *
 * The files are written when the run is over, maybe in an hour. If one cannot be written, this
 * check says so before the run begins.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Checks that the file can be opened for writing, and leaves no new file behind. Does not touch
 * other things, such as a pipe or a link to nothing. */
static gboolean
check_file (const char *path, GError **error)
{
  gboolean is_there = g_file_test (path, G_FILE_TEST_EXISTS);
  gboolean is_other = is_there ? !g_file_test (path, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR)
                               : g_file_test (path, G_FILE_TEST_IS_SYMLINK);
  if (is_other)
    return TRUE;
  int file = g_open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write %s: %s", path,
                   g_strerror (errno));
      return FALSE;
    }
  close (file);
  if (!is_there)
    g_unlink (path);
  return TRUE;
}

gboolean
world_files_check (const WorldOptions *options, GError **error)
{
  const char *const paths[] = { options->csv_path,    options->figures_path, options->report_path,
                                options->plot_path,   options->trace_path,   options->log_path,
                                options->journal_path };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    if (paths[i] != NULL && !check_file (paths[i], error))
      return FALSE;
  return TRUE;
}
