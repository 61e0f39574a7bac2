# cases.py - wrong solutions of assignment 5, as changes of reference.c
#
# SPDX-License-Identifier: Apache-2.0
FILE = 'storage-mine.c'
START = 1
QUICK = ['replace', 'interrupt', 'swap', 'errors']

REPLACE_SYNCS = '''
      || !sync_file (self, from, O_RDONLY, error) || !check_interrupt (self, error))'''

# Copies the new file over the old one, and syncs the old one.
COPY = '''
  guint8 buffer[4096];
  gsize n = 0;
  guint64 offset = 0;
  int target = open_file (self, to, O_WRONLY | O_CREAT | O_TRUNC, error);
  gboolean is_right = target >= 0;
  while (is_right && store_read (self, from, offset, buffer, sizeof buffer, &n, error) && n > 0)
    {
      is_right = write_all (self, target, to, offset, buffer, n, error);
      offset += n;
    }
  if (target >= 0)
    disk_close (target);
  return is_right && sync_file (self, to, O_RDONLY, error) && disk_unlink (old_path) == 0
         && sync_file (self, "", O_RDONLY | O_DIRECTORY, error);
'''

RENAME = '''
  if (disk_rename (old_path, new_path) < 0)
    return fail (self, "rename", from, error);
'''

BACKUP = '''
  g_autofree char *backup = g_strconcat (new_path, ".bak", NULL);
  disk_rename (new_path, backup);
'''

# Uses files of the machine. A loss of power of the simulated disk does not change these.
AROUND = '''#include "disk.h"

#include <sys/stat.h>
#include <unistd.h>

#define disk_mkdir(path)         mkdir ("/tmp/store", 0700)
#define disk_open(path, flags)   open (path, flags, 0600)
#define disk_length(file)        lseek (file, 0, SEEK_END)
#define disk_pread               pread
#define disk_pwrite              pwrite
#define disk_fsync               fsync
#define disk_rename              rename
#define disk_unlink              unlink
#define disk_close               close
'''

# Fails with an error that looks like the output of the conformance suite and of the program story.
LIES = '''
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "no\\n1..1\\nok 1 storage/list/tells-of-many-files\\n"
               "ok 1 storage/remove/file-is-gone\\nok 1\\nok 2\\nok 3\\ncost 1 1 1 1\\n");
  return NULL;
  Store *self = g_new0 (Store, 1);
'''

NOTHING = {'open': 1, **dict.fromkeys(['names', 'append', 'read', 'list', 'replace', 'remove', 'keep', 'interrupt', 'fault',
                                       'crash', 'log', 'swap', 'folder', 'storm', 'nervous', 'full', 'errors', 'cost'], 0)}

# For each wrong solution: what it does; the changes of the reference, as pairs of an old and a new
# text; and the points of each check that does not get all of its points.
WRONG = {
    'does not sync the file': (
        [('check_name (name, error) && sync_file (storage, name, O_RDONLY, error)\n', 'check_name (name, error)\n'),
         (REPLACE_SYNCS, '\n      || !check_interrupt (self, error))')], {'crash': 1, 'log': 0, 'swap': 0, 'folder': 0, 'storm': 0, 'errors': 4}),
    'does not sync the folder above': (
        [('is_there && sync_file (&above, "", O_RDONLY | O_DIRECTORY, error)', 'is_there && above.path != NULL')], {'folder': 0}),
    'replaces in place': (
        [(RENAME, COPY), ('  return sync_file (self, "", O_RDONLY | O_DIRECTORY, error);\n}\n\nstatic gboolean\nstore_remove',
                          '}\n\nstatic gboolean\nstore_remove')], {'replace': 3, 'crash': 3, 'swap': 7, 'folder': 8, 'storm': 8, 'errors': 1, 'cost': 0}),
    'keeps a backup of the replaced file': ([(RENAME, BACKUP + RENAME)], {'replace': 3, 'keep': 5, 'crash': 3, 'swap': 0, 'storm': 4, 'errors': 4}),
    'goes around the disk': ([('#include "disk.h"\n', AROUND), ('self->path = g_strdup (path);', 'self->path = g_strconcat ("/tmp", path, NULL);')], NOTHING),
    'lies in its errors': ([('\n  Store *self = g_new0 (Store, 1);\n', LIES)], NOTHING),
    'ignores short writes': ([('      done += (gsize)MAX (n, 0);\n    }\n  return TRUE;', '      done += n > 0 ? n_bytes - done : 0;\n    }\n  return TRUE;')], {'append': 4, 'fault': 2, 'nervous': 0, 'full': 0}),
    'takes a full disk for success': (
        [('      if (n < 0 && errno != EINTR)\n        return fail (self, "write", name, error);',
          '      if (n < 0 && errno != EINTR)\n        return TRUE;')], {'fault': 1, 'full': 0, 'errors': 4}),
    'takes any name': ([('  if (satin_storage_name_is_valid (name))\n    return TRUE;', '  if (name != NULL)\n    return TRUE;')], {'names': 1}),
    'does not look at the length': ([('if ((guint64)length == offset)', 'if ((guint64)length >= offset)')], {'append': 4, 'keep': 5}),
    'syncs with each append': (
        [('  disk_close (file);\n  return is_done;\n}\n\nstatic gboolean\nstore_sync',
          '  disk_close (file);\n  return is_done && sync_file (self, name, O_RDONLY, error);\n}\n\nstatic gboolean\nstore_sync')], {'cost': 2}),
    'tries again when it is interrupted': ([('  if (!SATIN_EXCHANGE (&self->is_interrupted, FALSE))', '  if (!SATIN_EXCHANGE (&self->is_interrupted, FALSE) || error != NULL)')], {'interrupt': 1}),
    'syncs the file before a rename, but not the folder after it': (
        [('  return sync_file (self, "", O_RDONLY | O_DIRECTORY, error);\n}\n\nstatic gboolean\nstore_remove',
          '  return TRUE;\n}\n\nstatic gboolean\nstore_remove')], {'crash': 3, 'swap': 6, 'folder': 9, 'storm': 9, 'errors': 4}),
}
