/* keys.h - names and values of the keys of a run
 *
 * /satin/RUN/view        KeyView: changed with each change of the members or the master
 * /satin/RUN/member/7    KeyMember
 * /satin/RUN/life/7      empty; goes when the lease of node 7 has run out
 * /satin/RUN/word/7      KeyWords: the last words to node 7, 0: to all
 * /satin/RUN/end         SatinRunEnd: the run is over
 *
 * Values are records (satin/base/record.h); all but those of life are sealed (seal.h).
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
/* Numbers of nodes are below the first, those of views and terms below the second. */
#define KEY_MAX_NUMBER  ((gint64)G_MAXINT32)
#define KEY_MAX_COUNTER ((gint64)1 << 60)
/* After it said that it leaves. */
#define KEY_MAX_LEAVE_US ((gint64)3600 * G_USEC_PER_SEC)

typedef enum
{
  KEY_VIEW,
  KEY_MEMBER, /* with a number, as the next two */
  KEY_LIFE,
  KEY_WORD,
  KEY_END,
  KEY_N_KINDS, /* no key of ours */
} KeyKind;

/* What the last change of the view was. */
typedef enum
{
  KEY_CHANGE_BEGUN, /* there were no members */
  KEY_CHANGE_JOINED,
  KEY_CHANGE_LEAVING,
  KEY_CHANGE_LEFT,
  KEY_CHANGE_DIED,
  KEY_CHANGE_ELECTED,
  KEY_CHANGE_ENDED,
} KeyChange;

/* clang-format off */
/* @number: of the view. @change: a KeyChange, of node @id. @highest: number given.
 * @builds: of the program, one for each kind of machine that has joined. */
SATIN_RECORD (KeyView,
              (long, number), (int, change), (long, id), (long, highest), (long, master), (long, term),
              (bytes, run), (string, program), (bytes, digest), (string, builds))
/* @leave_within_us: after it said that it is leaving */
SATIN_RECORD (KeyMember,
              (string, cluster), (string, address), (string, host), (long, pid), (long, lease),
              (boolean, is_leaving), (long, leave_within_us))
/* @serial: counts the words of the node that says them. */
SATIN_RECORD (KeyWord, (long, serial), (string, word), (bytes, payload))
/* @number: of the view in which they were said */
SATIN_RECORD (KeyWords, (long, from), (array_record, words, KeyWord), (long, number))
/* clang-format on */

/* @id: for keys that have a number. Returns: (transfer full) */
char *key_name (const char *prefix, KeyKind kind, gint64 id);

/* What the names of all keys of a @kind that has numbers begin with. Returns: (transfer full) */
char *key_folder (const char *prefix, KeyKind kind);

/* @ret_id: (out): 0 when it has none. Returns: %KEY_N_KINDS for a key that is none of the run's */
KeyKind key_parse (const char *prefix, const char *name, gint64 *ret_id);

/* Returns: whether @value is such a record; then free @ret_data with satin_record_clear() */
gboolean key_decode (const SatinRecord *record, GBytes *value, gpointer ret_data, GError **error);

/* Whether all numbers are in their range, so that counting on never wraps. */
gboolean key_check_view (const KeyView *view);
gboolean key_check_member (const KeyMember *member, gint64 id);

/* Whether it is fit to be a part of a key. */
gboolean key_check_run_name (const char *name, GError **error);

G_END_DECLS
