/* ft-copy.c - copies a file from one storage to another
 *
 *   ft-copy FROM-FOLDER-URI TO-FOLDER-URI FILE [KEY=VALUE...]
 *   ft-copy file:/var/runs sftp://backup.example.org/runs log key=/home/ann/.ssh/copy
 *
 * The parameters are those of TO's storage. The file gets its name when all of its bytes are there
 * and safe: it is written under another name and then put in the place of what had the name.
 *
 * Needs libsatin-ft alone; the storages are plugins that it finds by the scheme of the URI.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft.h>

#define BLOCK_BYTES ((gsize)1 << 20)

typedef struct
{
  SatinStorageOps ops;
  gpointer handle;
} Storage;

static gboolean
open_storage (Storage *self, const char *uri, const char *const *assignments, GError **error)
{
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_STORAGE, uri, error);
  if (plugin == NULL)
    return FALSE;
  g_autoptr (SatinParams) params =
      satin_params_parse (satin_plugin_get_desc (plugin)->params, assignments, error);
  if (params == NULL)
    return FALSE;
  satin_plugin_copy_ops (plugin, satin_storage_required, &self->ops, sizeof self->ops, NULL);
  self->handle = self->ops.open (uri, params, error);
  return self->handle != NULL;
}

static void
close_storage (Storage *self)
{
  if (self->handle != NULL)
    self->ops.close (self->handle);
}

/* Until a read gives nothing: the end. */
static gboolean
append_all (Storage *from, Storage *to, const char *name, const char *part, guint64 *ret_n_bytes,
            GError **error)
{
  g_autofree guint8 *buffer = g_malloc (BLOCK_BYTES);
  guint64 offset = 0;
  gsize n_bytes = 0;
  do
    {
      if (!from->ops.read (from->handle, name, offset, buffer, BLOCK_BYTES, &n_bytes, error)
          || (n_bytes > 0 && !to->ops.append (to->handle, part, offset, buffer, n_bytes, error)))
        return FALSE;
      offset += n_bytes;
    }
  while (n_bytes > 0);
  *ret_n_bytes = offset;
  return TRUE;
}

static gboolean
copy (Storage *from, Storage *to, const char *name, GError **error)
{
  g_autofree char *part = g_strconcat (name, ".part", NULL);
  guint64 n_bytes = 0;
  if (!to->ops.remove (to->handle, part, error)
      || !append_all (from, to, name, part, &n_bytes, error)
      || (n_bytes > 0 && !to->ops.replace (to->handle, part, name, error)))
    return FALSE;
  g_print ("%s: %" G_GUINT64_FORMAT " bytes\n", name, n_bytes);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Storage from = { .handle = NULL }, to = { .handle = NULL };
  if (argc < 4)
    {
      g_printerr ("Usage: ft-copy FROM-FOLDER-URI TO-FOLDER-URI FILE [KEY=VALUE...]\n");
      return 2;
    }
  if (!open_storage (&from, argv[1], NULL, &error)
      || !open_storage (&to, argv[2], (const char *const *)argv + 4, &error)
      || !copy (&from, &to, argv[3], &error))
    g_printerr ("ft-copy: %s\n", error->message);
  close_storage (&from);
  close_storage (&to);
  return error != NULL ? satin_error_exit_status (error) : 0;
}
