/* keys.c - names and values of the keys of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "keys.h"

#include <string.h>

#define MAX_NAME_BYTES 128

static const char *const words[KEY_N_KINDS] = {
  [KEY_VIEW] = "view",  [KEY_MEMBER] = "member/", [KEY_LIFE] = "life/",
  [KEY_WORD] = "word/", [KEY_END] = "end",
};

static gboolean
has_number (KeyKind kind)
{
  return kind == KEY_MEMBER || kind == KEY_LIFE || kind == KEY_WORD;
}

char *
key_name (const char *prefix, KeyKind kind, gint64 id)
{
  if (!has_number (kind))
    return g_strconcat (prefix, words[kind], NULL);
  return g_strdup_printf ("%s%s%" G_GINT64_FORMAT, prefix, words[kind], id);
}

char *
key_folder (const char *prefix, KeyKind kind)
{
  return g_strconcat (prefix, words[kind], NULL);
}

KeyKind
key_parse (const char *prefix, const char *name, gint64 *ret_id)
{
  *ret_id = 0;
  if (!g_str_has_prefix (name, prefix))
    return KEY_N_KINDS;
  name += strlen (prefix);
  for (KeyKind kind = 0; kind < KEY_N_KINDS; kind++)
    {
      guint64 number;
      if (!has_number (kind) && strcmp (name, words[kind]) == 0)
        return kind;
      if (!has_number (kind) || !g_str_has_prefix (name, words[kind]))
        continue;
      if (!g_ascii_string_to_unsigned (name + strlen (words[kind]), 10, 0, G_MAXINT32, &number,
                                       NULL))
        return KEY_N_KINDS;
      *ret_id = (gint64)number;
      return kind;
    }
  return KEY_N_KINDS;
}

gboolean
key_decode (const SatinRecord *record, GBytes *value, gpointer ret_data, GError **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (value, &n_bytes);

  return satin_record_decode (record, bytes, n_bytes, ret_data, error);
}

gboolean
key_check_view (const KeyView *view)
{
  return view->number >= 0 && view->number < KEY_MAX_COUNTER && view->term >= 0
         && view->term < KEY_MAX_COUNTER && view->highest >= 0 && view->highest < KEY_MAX_NUMBER
         && view->master >= 0 && view->master < KEY_MAX_NUMBER && view->n_run == KEY_RUN_BYTES;
}

gboolean
key_check_member (const KeyMember *member, gint64 id)
{
  return id > 0 && id < KEY_MAX_NUMBER && member->leave_within_us >= 0
         && member->leave_within_us <= KEY_MAX_LEAVE_US;
}

gboolean
key_check_run_name (const char *name, GError **error)
{
  gsize n_bytes = strlen (name);

  if (n_bytes > 0 && n_bytes <= MAX_NAME_BYTES
      && strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_.") == n_bytes)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "\"%s\" is no name of a run: write etcd://HOST:PORT/NAME, with 1 to %d letters, "
               "digits, \"-\", \"_\" and \".\"",
               name, MAX_NAME_BYTES);
  return FALSE;
}
