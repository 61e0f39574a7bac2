/* notice.c - the notice that a node's machine will be taken away
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>

#include <string.h>

static gboolean
makes_sense (const SatinNotice *notice)
{
  gsize n_bytes = strlen (notice->cause);
  if (n_bytes == 0 || n_bytes > SATIN_NOTICE_CAUSE_MAX_BYTES || notice->left_us < 0
      || !g_utf8_validate (notice->cause, -1, NULL))
    return FALSE;
  for (const char *c = notice->cause; *c != '\0'; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      return FALSE;
  return TRUE;
}

gboolean
satin_notice_read (GBytes *payload, SatinNotice *ret_notice)
{
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  SatinNotice notice;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (&SatinNotice_record, bytes, n_bytes, &notice, &error))
    {
      g_info ("a node's notice cannot be read: %s", error->message);
      return FALSE;
    }
  if (!makes_sense (&notice))
    {
      g_info ("a node's notice makes no sense");
      satin_record_clear (&SatinNotice_record, &notice);
      return FALSE;
    }
  *ret_notice = notice;
  return TRUE;
}

char *
satin_notice_describe (SatinNodeId node, const SatinNotice *notice)
{
  return g_strdup_printf ("node %u has %.0f s to leave: %s", node,
                          (double)notice->left_us / G_USEC_PER_SEC, notice->cause);
}
