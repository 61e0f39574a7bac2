/* silence.h - for how long the other side of a link said nothing
 *
 * Time in which this side itself did not run does not count: what the other side
 * said meanwhile may still wait to be read. Whoever looks periodically tells by
 * how much its own timer was late, and the silence is counted that much later.
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

/* Silence counts from @now_us on; what came before counts no more. */
static inline void
hub_silence_start (HubSilence *self, gint64 now_us)
{
  self->heard_us = now_us - 1;
  self->since_us = now_us;
}

/* Returns: %TRUE when a sign of life came, at @heard_us, that was not counted before */
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
