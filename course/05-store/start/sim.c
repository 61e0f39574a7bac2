/* sim.c - the calls of the simulated disk
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "sim-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* ---- nodes ---- */

static void
free_node (gpointer node)
{
  Node *self = node;
  g_byte_array_unref (self->bytes);
  g_byte_array_unref (self->safe);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->on_disk);
  g_array_unref (self->changes);
  g_free (self);
}

/* Returns: the number of a new node */
static guint
add_node (Sim *self, gboolean is_folder)
{
  Node *node = g_new0 (Node, 1);
  node->is_folder = is_folder;
  node->bytes = g_byte_array_new ();
  node->safe = g_byte_array_new ();
  node->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  node->on_disk = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  node->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_array_set_clear_func (node->changes, sim_clear_change);
  g_ptr_array_add (self->nodes, node);
  return self->nodes->len - 1;
}

static Node *
get_node (const Sim *self, guint number)
{
  return g_ptr_array_index (self->nodes, number);
}

static Sim *disk; /* (owned) (nullable) */

void
sim_begin (void)
{
  if (disk != NULL)
    g_ptr_array_unref (disk->nodes);
  g_free (disk);
  disk = g_new0 (Sim, 1);
  disk->nodes = g_ptr_array_new_with_free_func (free_node);
  add_node (disk, FALSE);
  add_node (disk, TRUE);
}

Sim *
sim_of_process (void)
{
  if (disk == NULL)
    sim_begin ();
  return disk;
}

void
sim_set_hook (Sim *self, SimHook hook, gpointer user_data)
{
  self->hook = hook;
  self->hook_data = user_data;
}

void
sim_set_capacity (Sim *self, guint64 capacity)
{
  self->capacity = capacity;
}

/* ---- paths ---- */

static guint
lookup (const Sim *self, guint folder, const char *name)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (get_node (self, folder)->names, name));
}

/* Finds the folder in which the last word of a path is a name. @ret_name: that word; "" if the path
 * names the folder itself. Returns: the number of the folder, or -errno */
static gint64
walk (const Sim *self, const char *path, char *ret_name)
{
  guint above[CALL_PATH_MAX] = { 1 }, depth = 0;
  g_auto (GStrv) words = g_strsplit (path, "/", -1);
  ret_name[0] = '\0';
  if (path[0] != '/')
    return -EINVAL;
  for (guint i = 1; words[i] != NULL; i++)
    {
      if (words[i][0] == '\0' || strcmp (words[i], ".") == 0)
        continue;
      if (strcmp (words[i], "..") == 0)
        {
          depth -= ret_name[0] == '\0' && depth > 0;
          ret_name[0] = '\0';
          continue;
        }
      guint next = ret_name[0] != '\0' ? lookup (self, above[depth], ret_name) : 0;
      if (ret_name[0] != '\0' && next == 0)
        return -ENOENT;
      if (next != 0 && !get_node (self, next)->is_folder)
        return -ENOTDIR;
      if (next != 0)
        above[++depth] = next;
      g_strlcpy (ret_name, words[i], CALL_PATH_MAX);
    }
  return above[depth];
}

/* Returns: the number of the node that a path names, or -errno */
static gint64
find (const Sim *self, const char *path)
{
  char name[CALL_PATH_MAX];
  gint64 folder = walk (self, path, name);
  if (folder < 0 || name[0] == '\0')
    return folder;
  guint node = lookup (self, (guint)folder, name);
  return node != 0 ? (gint64)node : -ENOENT;
}

void
sim_clear_change (gpointer change)
{
  g_free (((Change *)change)->name);
  g_free (((Change *)change)->from);
}

void
sim_apply (GHashTable *names, const Change *change)
{
  if (change->node == 0)
    {
      g_hash_table_remove (names, change->name);
      return;
    }
  if (change->from != NULL
      && GPOINTER_TO_UINT (g_hash_table_lookup (names, change->from)) == change->node)
    g_hash_table_remove (names, change->from);
  g_hash_table_insert (names, g_strdup (change->name), GUINT_TO_POINTER (change->node));
}

/* Changes a folder in memory. @from: (nullable) */
static void
change_folder (const Sim *self, guint folder, const char *from, const char *name, guint node)
{
  Change change = { .name = g_strdup (name), .from = g_strdup (from), .node = node };
  sim_apply (get_node (self, folder)->names, &change);
  g_array_append_val (get_node (self, folder)->changes, change);
}

/* ---- open files ---- */

static gint64
add_open_file (Sim *self, guint owner, guint node, int flags)
{
  guint n_open = 0;
  gint64 place = -1;
  for (guint i = 0; i < G_N_ELEMENTS (self->files); i++)
    {
      n_open += self->files[i].owner == owner;
      if (self->files[i].owner == 0 && place < 0)
        place = i;
    }
  if (n_open >= FILES_MAX || place < 0)
    return -EMFILE;
  self->files[place] = (OpenFile){ .owner = owner, .node = node, .flags = flags };
  return place;
}

static gint64
open_file (Sim *self, guint owner, const Call *call)
{
  char name[CALL_PATH_MAX];
  gint64 folder = walk (self, call->path, name);
  if (folder < 0)
    return folder;
  gint64 node = find (self, call->path);
  gboolean will_write = (call->flags & O_ACCMODE) != O_RDONLY;
  if (node > 0 && (call->flags & O_CREAT) != 0 && (call->flags & O_EXCL) != 0)
    return -EEXIST;
  if (node > 0 && get_node (self, (guint)node)->is_folder && will_write)
    return -EISDIR;
  if (node > 0 && !get_node (self, (guint)node)->is_folder && (call->flags & O_DIRECTORY) != 0)
    return -ENOTDIR;
  if (node < 0 && (node != -ENOENT || (call->flags & O_CREAT) == 0))
    return node;
  gint64 file = add_open_file (self, owner, 1, call->flags);
  if (file < 0)
    return file;
  if (node < 0)
    {
      node = add_node (self, FALSE);
      change_folder (self, (guint)folder, NULL, name, (guint)node);
    }
  if (will_write && (call->flags & O_TRUNC) != 0)
    g_byte_array_set_size (get_node (self, (guint)node)->bytes, 0);
  self->files[file].node = (guint)node;
  return file;
}

/* Returns: how many bytes the node has, with all nodes below it that have a name */
static guint64
count_bytes (const Sim *self, guint number)
{
  const Node *node = get_node (self, number);
  guint64 sum = node->bytes->len;
  GHashTableIter iter;
  gpointer below;
  g_hash_table_iter_init (&iter, node->names);
  while (g_hash_table_iter_next (&iter, NULL, &below))
    sum += count_bytes (self, GPOINTER_TO_UINT (below));
  return sum;
}

static gint64
read_file (const Node *node, const Call *call)
{
  if (call->offset < 0)
    return -EINVAL;
  guint64 length = node->bytes->len, offset = (guint64)call->offset;
  guint n = offset < length ? (guint)MIN (call->n_bytes, length - offset) : 0;
  if (n > 0)
    memcpy (call->buffer, node->bytes->data + offset, n);
  return n;
}

/* Makes a file longer, with zeros behind its old end, or shorter. */
static void
set_length (Node *node, guint length)
{
  guint before = node->bytes->len;
  g_byte_array_set_size (node->bytes, length);
  if (length > before)
    memset (node->bytes->data + before, 0, length - before);
}

static gint64
write_file (const Sim *self, Node *node, const Call *call)
{
  if (call->offset < 0 || call->offset > G_MAXINT32)
    return call->offset < 0 ? -EINVAL : -EFBIG;
  guint length = node->bytes->len, offset = (guint)call->offset, n = call->n_bytes;
  guint64 used = self->capacity > 0 ? count_bytes (self, 1) : 0;
  guint64 room = self->capacity > used ? self->capacity - used : 0;
  if (self->capacity > 0 && offset + (guint64)n > length + room)
    n = offset < length + room ? (guint)(length + room - offset) : 0;
  if (n == 0 && call->n_bytes > 0)
    return -ENOSPC;
  if (offset + n > length)
    set_length (node, offset + n);
  if (n > 0)
    memcpy (node->bytes->data + offset, call->bytes, n);
  return n;
}

static gint64
sync_node (Node *node)
{
  g_byte_array_set_size (node->safe, 0);
  g_byte_array_append (node->safe, node->bytes->data, node->bytes->len);
  for (guint i = 0; i < node->changes->len; i++)
    sim_apply (node->on_disk, &g_array_index (node->changes, Change, i));
  g_array_set_size (node->changes, 0);
  return 0;
}

/* Makes a call that has an open file. */
static gint64
call_file (Sim *self, guint owner, const Call *call)
{
  if (call->file < 0 || (guint)call->file >= G_N_ELEMENTS (self->files)
      || self->files[call->file].owner != owner)
    return -EBADF;
  OpenFile *file = &self->files[call->file];
  Node *node = get_node (self, file->node);
  int mode = file->flags & O_ACCMODE;
  switch ((CallKind)call->kind)
    {
    case CALL_CLOSE:
      file->owner = 0;
      return 0;
    case CALL_SYNC:
      return sync_node (node);
    case CALL_LENGTH:
      return node->bytes->len;
    case CALL_READ:
      return node->is_folder ? -EISDIR : mode == O_WRONLY ? -EBADF : read_file (node, call);
    case CALL_WRITE:
      return mode == O_RDONLY ? -EBADF : write_file (self, node, call);
    default:
      if (mode == O_RDONLY || call->offset < 0 || call->offset > G_MAXINT32)
        return -EINVAL;
      set_length (node, (guint)call->offset);
      return 0;
    }
}

/* ---- folders ---- */

static gint64
rename_file (const Sim *self, const Call *call)
{
  char name[CALL_PATH_MAX], new_name[CALL_PATH_MAX];
  gint64 folder = walk (self, call->path, name), new_folder = walk (self, call->other, new_name);
  gint64 node = find (self, call->path), old = find (self, call->other);
  if (folder < 0 || new_folder < 0 || node < 0)
    return folder < 0 ? folder : new_folder < 0 ? new_folder : node;
  if (folder != new_folder)
    return -EXDEV;
  if (get_node (self, (guint)node)->is_folder || (old > 0 && get_node (self, (guint)old)->is_folder)
      || new_name[0] == '\0')
    return -EISDIR;
  if (node != old)
    change_folder (self, (guint)folder, name, new_name, (guint)node);
  return 0;
}

static gint64
unlink_file (const Sim *self, const Call *call)
{
  char name[CALL_PATH_MAX];
  gint64 folder = walk (self, call->path, name), node = find (self, call->path);
  if (node < 0)
    return node;
  if (get_node (self, (guint)node)->is_folder)
    return -EISDIR;
  change_folder (self, (guint)folder, NULL, name, 0);
  return 0;
}

static gint64
make_folder (Sim *self, const Call *call)
{
  char name[CALL_PATH_MAX];
  gint64 folder = walk (self, call->path, name);
  if (folder < 0)
    return folder;
  if (find (self, call->path) > 0)
    return -EEXIST;
  change_folder (self, (guint)folder, NULL, name, add_node (self, TRUE));
  return 0;
}

static gint64
list_folder (const Sim *self, const Call *call)
{
  gint64 folder = find (self, call->path);
  if (folder < 0)
    return folder;
  if (!get_node (self, (guint)folder)->is_folder)
    return -ENOTDIR;
  CallEntry *entries = (CallEntry *)call->buffer;
  guint n = 0, most = call->n_bytes / (guint)sizeof *entries;
  GHashTableIter iter;
  gpointer name, below;
  g_hash_table_iter_init (&iter, get_node (self, (guint)folder)->names);
  while (n < most && g_hash_table_iter_next (&iter, &name, &below))
    {
      const Node *node = get_node (self, GPOINTER_TO_UINT (below));
      CallEntry *entry = &entries[n++];
      *entry = (CallEntry){ .length = node->bytes->len, .is_folder = (guint32)node->is_folder };
      g_strlcpy (entry->name, name, sizeof entry->name);
    }
  return n;
}

/* ---- all calls ---- */

gint64
sim_call (Sim *self, guint owner, Call *call)
{
  gint64 verdict =
      self->hook != NULL && !self->is_off ? self->hook (self, call, self->hook_data) : 0;
  if (verdict < 0 || self->is_off)
    return self->is_off ? -EIO : verdict;
  switch ((CallKind)call->kind)
    {
    case CALL_OPEN:
      return open_file (self, owner, call);
    case CALL_RENAME:
      return rename_file (self, call);
    case CALL_UNLINK:
      return unlink_file (self, call);
    case CALL_MKDIR:
      return make_folder (self, call);
    case CALL_LIST:
      return list_folder (self, call);
    case CALL_CLOSE:
    case CALL_READ:
    case CALL_WRITE:
    case CALL_TRUNCATE:
    case CALL_LENGTH:
    case CALL_SYNC:
      return call_file (self, owner, call);
    case N_CALLS:
      break;
    }
  return -EINVAL;
}

void
sim_close_all (Sim *self, guint owner)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->files); i++)
    if (self->files[i].owner == owner)
      self->files[i].owner = 0;
}
