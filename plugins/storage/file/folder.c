/* folder.c - opens and closes a folder of this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SCHEME "file:"

/* Takes the path from "file:/path", "file:///path" or "file://localhost/path". Returns: (transfer
 * full) (nullable): %NULL with %SATIN_ERROR_INVALID */
static char *
parse_uri (const char *uri, GError **error)
{
  const char *path = g_str_has_prefix (uri, SCHEME) ? uri + strlen (SCHEME) : "";
  if (g_str_has_prefix (path, "//localhost/"))
    path += strlen ("//localhost");
  else if (g_str_has_prefix (path, "///"))
    path += 2;
  g_autofree char *plain =
      path[0] == '/' && path[1] != '/' ? g_uri_unescape_string (path, NULL) : NULL;
  for (gsize n = plain != NULL ? strlen (plain) : 0; n > 1 && plain[n - 1] == '/'; n--)
    plain[n - 1] = '\0';
  if (plain != NULL)
    return g_steal_pointer (&plain);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "\"%s\" is no folder of this machine: write file:/absolute/path", uri);
  return NULL;
}

/* Syncs the parent of a new folder. Otherwise the folder may not survive a crash. */
static gboolean
sync_parent (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  int fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean is_done = fd >= 0 && TEMP_FAILURE_RETRY (fsync (fd)) == 0;
  if (fd >= 0)
    close (fd);
  return is_done;
}

/* Returns: a descriptor, or -1 with errno set */
static int
make_and_open (const char *path, gboolean may_make)
{
  if (may_make && mkdir (path, 0700) == 0)
    {
      if (!sync_parent (path))
        return -1;
    }
  else if (may_make && errno != EEXIST)
    return -1;
  return TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

Folder *
folder_open (const char *uri, const SatinParams *params, GError **error)
{
  g_autofree char *path = parse_uri (uri, error);
  if (path == NULL)
    return NULL;
  int fd = make_and_open (path, satin_params_get_boolean (params, "make"));
  if (fd < 0)
    {
      int failed_errno = errno;
      g_set_error (error, SATIN_ERROR,
                   failed_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_UNREACHABLE,
                   "cannot open the folder %s: %s", uri, g_strerror (failed_errno));
      return NULL;
    }
  StorageInterrupt *interrupt = storage_interrupt_new (error);
  if (interrupt == NULL)
    {
      close (fd);
      return NULL;
    }
  Folder *self = g_new0 (Folder, 1);
  self->path = g_steal_pointer (&path);
  self->folder_fd = fd;
  self->interrupt = interrupt;
  self->capacity_bytes = satin_params_get_size_bytes (params, "capacity");
  return self;
}

void
folder_close (Folder *self)
{
  close (self->folder_fd);
  storage_interrupt_free (self->interrupt);
  g_free (self->path);
  g_free (self);
}
