/* event.c - what a node tells the journal of its run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>

#include <string.h>

#define NAME_MAX_BYTES 64

void
satin_run_tell (SatinRun *self, const char *kind, const char *text, const SatinEventValue *values,
                guint n_values)
{
  g_return_if_fail (self != NULL && kind != NULL && text != NULL);
  g_return_if_fail (n_values <= SATIN_EVENT_MAX_VALUES);
  g_autofree char *head = g_strndup (text, SATIN_EVENT_TEXT_MAX_BYTES);
  /* The cut may leave a part of a character at the end, and a receiver refuses text that is not
   * UTF-8. */
  const char *end;
  if (!g_utf8_validate (head, -1, &end))
    head[end - head] = '\0';
  const SatinEvent event = {
    .kind = (char *)kind, .text = head, .values = values, .n_values = n_values
  };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinEvent_record, &event);
  satin_run_signal (self, SATIN_RUN_HOLDER, SATIN_SIGNAL_EVENT, payload);
}

static gboolean
is_known (const char *kind)
{
  static const char *const kinds[] = { SATIN_EVENT_LONG_JOB, SATIN_EVENT_BOUND,    SATIN_EVENT_JOB,
                                       SATIN_EVENT_REQUEST,  SATIN_EVENT_DECISION, NULL };
  return g_strv_contains (kinds, kind);
}

/* Whether a text of another node is one valid line of at most @max_bytes. */
static gboolean
is_line (const char *text, gsize max_bytes)
{
  if (strlen (text) > max_bytes || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      return FALSE;
  return TRUE;
}

static gboolean
makes_sense (const SatinEvent *event)
{
  if (!is_known (event->kind) || !is_line (event->text, SATIN_EVENT_TEXT_MAX_BYTES)
      || event->n_values > SATIN_EVENT_MAX_VALUES)
    return FALSE;
  for (gsize i = 0; i < event->n_values; i++)
    if (!is_line (event->values[i].name, NAME_MAX_BYTES))
      return FALSE;
  return TRUE;
}

gboolean
satin_event_read (GBytes *payload, SatinEvent *ret_event)
{
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  SatinEvent event;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (&SatinEvent_record, bytes, n_bytes, &event, &error))
    {
      g_info ("an event of a node cannot be read: %s", error->message);
      return FALSE;
    }
  if (!makes_sense (&event))
    {
      g_info ("an event of a node makes no sense");
      satin_record_clear (&SatinEvent_record, &event);
      return FALSE;
    }
  *ret_event = event;
  return TRUE;
}
