/* folders.c - finds the private folders of runs
 *
 * Every user may write to /tmp. So an entry counts only if it is a folder, not a link, that belongs
 * to this user and that nobody else can enter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folders.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of a socket has at most 107 bytes. This limit leaves room for the names of the folder
 * and of the socket. */
#define MAX_BASE_BYTES 60

/* A folder without an info file counts as live while it is younger than this, in seconds: perhaps
 * it is about to be locked. */
#define UNTOLD_AGE_S 5

const char *
run_info_base (void)
{
  const char *base = g_getenv ("XDG_RUNTIME_DIR");
  gboolean is_good = base != NULL && g_path_is_absolute (base) && strlen (base) <= MAX_BASE_BYTES
                     && access (base, W_OK | X_OK) == 0;
  return is_good ? base : "/tmp";
}

char *
run_info_to_json (const RunInfo *info)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "pid");
  json_builder_add_int_value (builder, info->pid);
  json_builder_set_member_name (builder, "started");
  json_builder_add_int_value (builder, info->started_s);
  if (info->listen != NULL)
    {
      json_builder_set_member_name (builder, "listen");
      json_builder_add_string_value (builder, info->listen);
    }
  json_builder_set_member_name (builder, "uri");
  json_builder_add_string_value (builder, info->uri);
  json_builder_set_member_name (builder, "program");
  json_builder_add_string_value (builder, info->program);
  if (info->secret_file != NULL)
    {
      json_builder_set_member_name (builder, "secret-file");
      json_builder_add_string_value (builder, info->secret_file);
    }
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

RunInfo *
run_info_parse (const char *text)
{
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  JsonObject *object = json_node_get_object (root);
  const char *uri = json_object_get_string_member_with_default (object, "uri", NULL);
  if (uri == NULL)
    return NULL;
  RunInfo *self = g_new0 (RunInfo, 1);
  self->listen = g_strdup (json_object_get_string_member_with_default (object, "listen", NULL));
  self->uri = g_strdup (uri);
  self->pid = json_object_get_int_member_with_default (object, "pid", 0);
  self->started_s = json_object_get_int_member_with_default (object, "started", 0);
  self->program = g_strdup (json_object_get_string_member_with_default (object, "program", ""));
  self->secret_file =
      g_strdup (json_object_get_string_member_with_default (object, "secret-file", NULL));
  return self;
}

void
run_info_free (RunInfo *self)
{
  if (self == NULL)
    return;
  g_free (self->listen);
  g_free (self->uri);
  g_free (self->program);
  g_free (self->secret_file);
  g_free (self);
}

void
run_info_remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *entry;
  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, entry, NULL);
      g_unlink (file);
    }
  g_rmdir (path);
}

/* Whether @folder is a folder that only this user can enter. @ret_age_s: (out): its age */
static gboolean
is_private (const char *folder, gint64 *ret_age_s)
{
  struct stat status;
  if (lstat (folder, &status) < 0 || !S_ISDIR (status.st_mode) || status.st_uid != getuid ()
      || (status.st_mode & 077) != 0)
    return FALSE;
  *ret_age_s = g_get_real_time () / G_USEC_PER_SEC - status.st_mtime;
  return TRUE;
}

/* Called for each private folder. @info_fd: its info file, or -1 when it has none. @is_alive: the
 * command that made the folder lives, or the folder is too new to tell. */
typedef void (*FolderFunc) (const char *folder, int info_fd, gboolean is_alive, gpointer user_data);

/* Whether the command that made @folder still runs. A command locks its folder right after making
 * it. */
static gboolean
is_locked (const char *folder)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  gboolean is_free = fd >= 0 && flock (fd, LOCK_SH | LOCK_NB) == 0;
  if (fd >= 0)
    close (fd);
  return !is_free;
}

static void
visit_folder (const char *folder, FolderFunc func, gpointer user_data)
{
  gint64 age_s;
  if (!is_private (folder, &age_s))
    return;
  g_autofree char *path = g_build_filename (folder, RUN_INFO_FILE, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  gboolean is_alive =
      fd >= 0 ? flock (fd, LOCK_SH | LOCK_NB) < 0 : age_s < UNTOLD_AGE_S || is_locked (folder);
  func (folder, fd, is_alive, user_data);
  if (fd >= 0)
    close (fd);
}

static void
visit_folders (FolderFunc func, gpointer user_data)
{
  const char *base = run_info_base ();
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  const char *entry;
  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (entry, RUN_INFO_FOLDER))
      {
        g_autofree char *folder = g_build_filename (base, entry, NULL);
        visit_folder (folder, func, user_data);
      }
}

static void
remove_dead (const char *folder, int info_fd, gboolean is_alive, gpointer user_data)
{
  if (!is_alive)
    run_info_remove_folder (folder);
}

void
run_info_sweep (void)
{
  visit_folders (remove_dead, NULL);
}

/* Returns: (transfer full) (nullable) */
static RunInfo *
read_info (int info_fd)
{
  char text[8192];
  gssize n_bytes = info_fd >= 0 ? read (info_fd, text, sizeof text - 1) : 0;
  if (n_bytes <= 0)
    return NULL;
  text[n_bytes] = '\0';
  return run_info_parse (text);
}

static void
read_live (const char *folder, int info_fd, gboolean is_alive, gpointer user_data)
{
  RunInfo *info = is_alive ? read_info (info_fd) : NULL;
  if (info != NULL)
    g_ptr_array_add (user_data, info);
}

/* The search for a killed command that ran the hub at @address. */
typedef struct
{
  const char *address; /* (borrowed) */
  gboolean is_lost;
} LostHub;

/* Whether a hub that listens at @address takes the place of the hub of @info. With port 0 the
 * system chooses a port, so a hub with the same address is elsewhere: the URI then has another
 * port. */
static gboolean
is_place_of (const RunInfo *info, const char *address)
{
  if (strcmp (info->uri, address) == 0)
    return TRUE;
  return info->listen != NULL && strcmp (info->listen, address) == 0
         && g_strcmp0 (strrchr (info->uri, ':'), strrchr (address, ':')) == 0;
}

static void
read_dead (const char *folder, int info_fd, gboolean is_alive, gpointer user_data)
{
  LostHub *self = user_data;
  g_autoptr (RunInfo) info = is_alive ? NULL : read_info (info_fd);
  self->is_lost |= info != NULL && is_place_of (info, self->address);
}

gboolean
run_dir_was_lost (const char *address)
{
  LostHub lost = { .address = address };
  visit_folders (read_dead, &lost);
  return lost.is_lost;
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const RunInfo *left = *(const RunInfo *const *)a;
  const RunInfo *right = *(const RunInfo *const *)b;
  if (left->started_s != right->started_s)
    return left->started_s < right->started_s ? -1 : 1;
  return (left->pid > right->pid) - (left->pid < right->pid);
}

GPtrArray *
run_dir_list (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify)run_info_free);
  visit_folders (read_live, runs);
  g_ptr_array_sort (runs, compare_starts);
  return runs;
}
