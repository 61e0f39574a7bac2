/* keys.h - names and values of the keys of a run
 *
 * /satin/RUN/view        KeyView: changed with each change of the members, the master or the run
 * /satin/RUN/member/7    KeyMember
 * /satin/RUN/life/7      empty; deleted when the lease of node 7 expires
 * /satin/RUN/word/7      KeyWords: the last words to node 7 (0: to all nodes)
 * /satin/RUN/end         SatinRunEnd: the run is over
 *
 * Values are records (satin/base/record.h). All values but those of life keys are sealed (seal.h).
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

#define KEY_ROOT      "/satin/"
#define KEY_RUN_BYTES 16
/* Bounds: node numbers are below KEY_MAX_NUMBER, view numbers and terms below KEY_MAX_COUNTER. */
#define KEY_MAX_NUMBER  ((gint64)G_MAXINT32)
#define KEY_MAX_COUNTER ((gint64)1 << 60)
/* The longest time that a leaving node may announce. */
#define KEY_MAX_LEAVE_US ((gint64)3600 * G_USEC_PER_SEC)

typedef enum
{
  KEY_VIEW,
  KEY_MEMBER, /* this and the next two have a number */
  KEY_LIFE,
  KEY_WORD,
  KEY_END,
  KEY_N_KINDS, /* not a key of the run */
} KeyKind;

/* The change that made a view from the view before it. */
typedef enum
{
  KEY_CHANGE_BEGUN, /* the run was begun, with no members yet */
  KEY_CHANGE_JOINED,
  KEY_CHANGE_LEAVING,
  KEY_CHANGE_LEFT,
  KEY_CHANGE_DIED,
  KEY_CHANGE_ELECTED,
  KEY_CHANGE_ENDED,
} KeyChange;

/* clang-format off */
/* @number: of the view. @change: a KeyChange, of node @id. @highest: the highest number given so
 * far. @builds: the program's builds, one for each kind of machine that has joined. */
SATIN_RECORD (KeyView,
              (long, number), (int, change), (long, id), (long, highest), (long, master), (long, term),
              (bytes, run), (string, program), (bytes, digest), (string, builds))
/* @leave_within_us: how long the member may stay after it has announced that it leaves */
SATIN_RECORD (KeyMember,
              (string, cluster), (string, address), (string, host), (long, pid), (long, lease),
              (boolean, is_leaving), (long, leave_within_us))
/* @serial: the sender counts its words */
SATIN_RECORD (KeyWord, (long, serial), (string, word), (bytes, payload))
/* @number: of the view in which the words were written */
SATIN_RECORD (KeyWords, (long, from), (array_record, words, KeyWord), (long, number))
/* clang-format on */

/* @id: for keys that have a number. Returns: (transfer full) */
char *key_name (const char *prefix, KeyKind kind, gint64 id);

/* Returns: (transfer full): the beginning of the names of all keys of a @kind that has numbers */
char *key_folder (const char *prefix, KeyKind kind);

/* @ret_id: (out): 0 for a key without a number. Returns: %KEY_N_KINDS when @name is not a key of
 * the run */
KeyKind key_parse (const char *prefix, const char *name, gint64 *ret_id);

/* Returns: whether @value is a record of the type @record; then free @ret_data with
 * satin_record_clear() */
gboolean key_decode (const SatinRecord *record, GBytes *value, gpointer ret_data, GError **error);

/* Whether all numbers are in range, so that they can be counted up without overflow, and the run's
 * id has KEY_RUN_BYTES. */
gboolean key_check_view (const KeyView *view);
gboolean key_check_member (const KeyMember *member, gint64 id);

/* Whether @name can be part of a key. */
gboolean key_check_run_name (const char *name, GError **error);

G_END_DECLS
