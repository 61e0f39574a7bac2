/* silence.h - measures how long the other side of a link has been silent
 *
 * Time in which this process did not run does not count, because messages from that time may still
 * wait to be read. The caller checks with a timer and says how late the timer was. The silence then
 * begins that much later.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HubSilence:
 * @heard_us: when the last sign of life came
 * @since_us: from when silence counts
 */
typedef struct
{
  gint64 heard_us;
  gint64 since_us;
} HubSilence;

/* Begins to count silence at @now_us. Earlier signs of life do not count any more. */
static inline void
hub_silence_start (HubSilence *self, gint64 now_us)
{
  self->heard_us = now_us - 1;
  self->since_us = now_us;
}

/* Notes the last sign of life, at @heard_us, and that the caller's timer was late by @late_us.
 * Returns: %TRUE when this sign of life is new */
static inline gboolean
hub_silence_update (HubSilence *self, gint64 heard_us, gint64 now_us, gint64 late_us)
{
  gboolean is_heard = heard_us > self->heard_us;
  if (is_heard)
    {
      self->heard_us = heard_us;
      self->since_us = MAX (self->since_us, heard_us);
    }
  self->since_us = MIN (now_us, self->since_us + MAX (late_us, 0));
  return is_heard;
}

G_END_DECLS
