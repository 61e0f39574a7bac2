/* ft-copy.c - copies a file from one storage to another
 *
 *   ft-copy FROM-FOLDER-URI TO-FOLDER-URI FILE [KEY=VALUE...]
 *   ft-copy file:/var/runs sftp://backup.example.org/runs log key=/home/ann/.ssh/copy
 *
 * The parameters are for the storage at TO-FOLDER-URI, and for filters before it. The program first
 * writes to FILE.part. When all bytes are stored safely, it renames FILE.part to FILE, which
 * replaces a file of that name.
 *
 * Needs libsatin-ft alone. The storages are plugins, which the library finds by the URIs' schemes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft.h>

#define BLOCK_BYTES ((gsize)1 << 20)

/* Returns: (transfer full): the parameters as one text, "key=value,..." */
static char *
join_params (char **assignments)
{
  GString *text = g_string_new (NULL);
  for (; *assignments != NULL; assignments++)
    {
      g_auto (GStrv) words = g_strsplit (*assignments, "=", 2);
      if (words[0] != NULL)
        satin_params_append (text, words[0], words[1] != NULL ? words[1] : "");
    }
  return g_string_free (text, FALSE);
}

/* Copies blocks until a read returns no bytes, which means the end. */
static gboolean
append_all (SatinStorage *from, SatinStorage *to, const char *name, const char *part,
            guint64 *ret_n_bytes, GError **error)
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
copy (SatinStorage *from, SatinStorage *to, const char *name, GError **error)
{
  g_autofree char *part = g_strconcat (name, ".part", NULL);
  guint64 n_bytes = 0;
  if (!to->ops.remove (to->handle, part, error)
      || !append_all (from, to, name, part, &n_bytes, error))
    return FALSE;
  if (n_bytes == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is empty, and a storage has no empty files", name);
      return FALSE;
    }
  if (!to->ops.replace (to->handle, part, name, error))
    return FALSE;
  g_print ("%s: %" G_GUINT64_FORMAT " bytes\n", name, n_bytes);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinStorage) from = NULL;
  g_autoptr (SatinStorage) to = NULL;
  if (argc < 4)
    {
      g_printerr ("Usage: ft-copy FROM-FOLDER-URI TO-FOLDER-URI FILE [KEY=VALUE...]\n");
      return 2;
    }
  g_autofree char *params = join_params (argv + 4);
  from = satin_storage_open (argv[1], NULL, FALSE, &error);
  if (from != NULL)
    to = satin_storage_open (argv[2], params, TRUE, &error);
  if (to == NULL || !copy (from, to, argv[3], &error))
    g_printerr ("ft-copy: %s\n", error->message);
  return error != NULL ? satin_error_exit_status (error) : 0;
}
