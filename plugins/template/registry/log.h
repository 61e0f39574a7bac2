/* log.h - the file that is the registry: one line for each event, in one order for all
 *
 * Whoever writes holds the lock of the file and has read all lines before. Each member holds a lock
 * of its own as long as it lives; the kernel lets go of it when the process ends, however it ends.
 *
 *   run     RUN PROGRAM              the first line
 *   joined  ID CLUSTER ADDRESS HOST PID
 *   left    ID
 *   died    ID
 *   elected ID TERM
 *   signal  TO WORD PAYLOAD          the payload in base64
 *   end     STATUS MESSAGE
 *
 * Words have a tab between them and are escaped as in C; a line ends with "\t.\n", so that
 * one that was cut off by a crash is told from a whole one.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct
{
  char *path;       /* (owned) */
  int file;         /* (owned): descriptor */
  GString *partial; /* (owned): bytes after the last whole line */
  guint64 offset;   /* what was read */
  GQueue lines;     /* (element-type GStrv) (owned): read and not told yet */

  /* What all lines that were read amount to. */
  char *run;       /* (owned) (nullable): %NULL while the log is empty */
  char *program;   /* (owned) (nullable) */
  GArray *members; /* (owned) (element-type SatinNodeId): by rising id */
  SatinNodeId highest;
  SatinNodeId master; /* 0: none */
  guint64 term;
  gboolean is_ended;
} Log;

/* Returns: (transfer full): the log at @path, which is made if it is not there */
Log *log_open (const char *path, GError **error);
/* Locks that were held are given up. */
void log_close (Log *self);

/* Reads what is new. Under the lock that is all there is. */
gboolean log_read (Log *self, GError **error);

/* Waits for the lock of the file, and reads. */
gboolean log_lock (Log *self, GError **error);
void log_unlock (Log *self);

/* Under the lock: adds a line of these words, up to a %NULL, and reads it. */
gboolean log_write (Log *self, GError **error, const char *verb, ...) G_GNUC_NULL_TERMINATED;

gboolean log_has_member (const Log *self, SatinNodeId id);

/* Holds the lock of member @id from now on. */
gboolean log_hold_member (Log *self, SatinNodeId id, GError **error);
/* Whether nobody else holds it. */
gboolean log_is_dead (const Log *self, SatinNodeId id);

G_END_DECLS
