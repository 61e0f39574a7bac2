/* warnings.c - warnings about what other nodes send, with a bound on their number
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/warnings.h>

#define N_AT_ONCE 5
#define PERIOD_US ((gint64)10000000)

void
satin_warnings_clear (SatinWarnings *self)
{
  g_clear_pointer (&self->entries, g_free);
}

static SatinWarning *
find_entry (SatinWarnings *self, gint64 now_us, SatinNodeId peer, const char *kind)
{
  if (self->entries == NULL)
    self->entries = g_new0 (SatinWarning, SATIN_WARNINGS_MAX);
  SatinWarning *oldest = &self->entries[0];
  for (guint i = 0; i < SATIN_WARNINGS_MAX; i++)
    {
      SatinWarning *entry = &self->entries[i];
      if (entry->peer == peer && entry->kind == kind)
        return entry;
      if (entry->kind == NULL || (oldest->kind != NULL && entry->since_us < oldest->since_us))
        oldest = entry;
    }
  *oldest = (SatinWarning){ .kind = kind, .peer = peer, .since_us = now_us };
  return oldest;
}

gboolean
satin_warnings_may_show (SatinWarnings *self, gint64 now_us, SatinNodeId peer, const char *kind,
                         guint *ret_n_hidden)
{
  SatinWarning *entry = find_entry (self, now_us, peer, kind);
  if (now_us - entry->since_us >= PERIOD_US)
    {
      /* Warnings that continue are shown once in this period, not five times. */
      entry->n_shown = entry->n_hidden > 0 ? N_AT_ONCE - 1 : 0;
      entry->since_us = now_us;
    }
  if (entry->n_shown >= N_AT_ONCE)
    {
      entry->n_hidden++;
      return FALSE;
    }
  entry->n_shown++;
  *ret_n_hidden = entry->n_hidden;
  entry->n_hidden = 0;
  return TRUE;
}

void
satin_warnings_say (SatinWarnings *self, SatinLoop *loop, const char *domain, SatinNodeId peer,
                    const char *format, ...)
{
  guint n_hidden = 0;
  va_list words;
  if (!satin_warnings_may_show (self, satin_loop_now_us (loop), peer, format, &n_hidden))
    return;
  va_start (words, format);
  g_autofree char *text = g_strdup_vprintf (format, words);
  va_end (words);
  if (n_hidden > 0)
    g_log (domain, G_LOG_LEVEL_WARNING, "node %u: %s (%u more like it were not shown)", peer, text,
           n_hidden);
  else
    g_log (domain, G_LOG_LEVEL_WARNING, "node %u: %s", peer, text);
}
