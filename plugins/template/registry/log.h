/* log.h - the log, a file that serves as the registry
 *
 * The file has one line for each event, in the same order for all nodes. A node that writes holds
 * the lock of the file, and has read all lines before. Each member also holds a lock of its own as
 * long as it lives. The kernel frees that lock when the member's process ends, for whatever reason.
 *
 *   run     RUN PROGRAM              the first line
 *   joined  ID CLUSTER ADDRESS HOST PID
 *   leaving ID
 *   left    ID
 *   died    ID
 *   elected ID TERM
 *   signal  TO WORD PAYLOAD          the payload in base64
 *   end     STATUS MESSAGE
 *
 * Words are separated by tabs and escaped as in C. A line ends with "\t.\n", so that a reader can
 * tell a whole line from a line that a crash has cut off.
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
  GString *partial; /* (owned): the bytes that were read after the last whole line */
  guint64 offset;   /* how many bytes of the file were read */
  GQueue lines;     /* (element-type GStrv) (owned): the words of lines that were read, but not
                     * reported yet */

  /* The state of the run, after all lines that were read so far. */
  char *run;       /* (owned) (nullable): %NULL while the log is empty */
  char *program;   /* (owned) (nullable) */
  GArray *members; /* (owned) (element-type SatinNodeId): by increasing id */
  SatinNodeId highest;
  SatinNodeId master; /* 0: none */
  guint64 term;
  gboolean is_ended;
} Log;

/* Opens the log at @path and creates it if it does not exist. Returns: (transfer full) */
Log *log_open (const char *path, GError **error);
/* Closes the log, which also gives up all locks that this node holds. */
void log_close (Log *self);

/* Reads the new lines. While this node holds the lock of the file, other nodes cannot add lines. */
gboolean log_read (Log *self, GError **error);

/* Waits for the lock of the file, and then reads the new lines. */
gboolean log_lock (Log *self, GError **error);
void log_unlock (Log *self);

/* Writes a line of @verb and the words after it, up to a %NULL, and reads the line. The caller
 * holds the lock of the file. */
gboolean log_write (Log *self, GError **error, const char *verb, ...) G_GNUC_NULL_TERMINATED;

gboolean log_has_member (const Log *self, SatinNodeId id);

/* Takes the lock of member @id, and keeps it until log_close(). */
gboolean log_hold_member (Log *self, SatinNodeId id, GError **error);
/* Whether member @id is dead: no other node holds its lock. */
gboolean log_is_dead (const Log *self, SatinNodeId id);

G_END_DECLS
