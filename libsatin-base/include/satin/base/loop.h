/* loop.h - time, timers, posted calls and randomness for protocol code
 *
 * Protocol code never reads a clock, draws a random number or makes a thread itself. It asks the
 * SatinLoop that it was given. There are two kinds here: the real loop runs on a GMainContext, and
 * tests move the manual loop by hand. Other kinds, such as the simulator's, fill in SatinLoopOps
 * and have a SatinLoop as their first field.
 *
 * Threads: satin_loop_post() from any thread. All other calls, and every callback, in the one
 * thread that runs the loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* The first field of each kind of loop. */
typedef struct _SatinLoop SatinLoop;

/* A function that the loop calls, on its thread. */
typedef void (*SatinLoopFunc) (gpointer user_data);

/* The id of a pending timer; 0 is never one. */
typedef guint64 SatinTimerId;

/**
 * SatinLoopOps:
 * @struct_size: sizeof (SatinLoopOps) where the kind was built
 * @now_us: see satin_loop_now_us()
 * @timer_add: see satin_loop_timer_add()
 * @timer_cancel: cancels the timer with that id, if it is still pending
 * @post: see satin_loop_post()
 * @random: see satin_loop_random()
 * @get_context: (nullable): see satin_loop_get_context(). Without it the loop has no GMainContext,
 *   and transports that watch file descriptors refuse it
 * @free: see satin_loop_free()
 * @probe: (nullable): see satin_loop_probe(). Without it nobody counts probes
 * @note: (nullable): see satin_loop_note(). Without it notes are in the log only
 *
 * The operations of a kind of loop.
 */
typedef struct
{
  gsize struct_size;
  gint64 (*now_us) (SatinLoop *loop);
  SatinTimerId (*timer_add) (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func,
                             gpointer user_data);
  void (*timer_cancel) (SatinLoop *loop, SatinTimerId id);
  void (*post) (SatinLoop *loop, SatinLoopFunc func, gpointer user_data);
  guint64 (*random) (SatinLoop *loop);
  GMainContext *(*get_context) (SatinLoop *loop);
  void (*free) (SatinLoop *loop);
  void (*probe) (SatinLoop *loop, const char *what);
  void (*note) (SatinLoop *loop, const char *text);
} SatinLoopOps;

struct _SatinLoop
{
  const SatinLoopOps *ops; /* (borrowed, static) */
};

/**
 * satin_loop_new:
 * @context: (nullable): the context to run in, of which the loop takes a reference; %NULL for a new
 *   one
 * @seed: seed of the random sequence; 0 takes one from the operating system
 * @error: %SATIN_ERROR_IO when the system refuses a timer, for example because the process may open
 *   no more files
 *
 * Makes a real loop. Its timers are as exact as the kernel's timerfd; they are not rounded to
 * milliseconds. A timer or call that a callback adds runs in a later turn of @context. While a
 * callback runs a main loop of its own on @context, timers and posted calls wait until the callback
 * returns.
 *
 * Returns: (transfer full) (nullable): free with satin_loop_free()
 */
SATIN_API SatinLoop *satin_loop_new (GMainContext *context, guint64 seed, GError **error);

/**
 * satin_loop_new_manual:
 * @seed: seed of the random sequence
 *
 * Makes a loop without a clock. Its time begins at 0 and moves only in satin_loop_advance().
 *
 * Returns: (transfer full): free with satin_loop_free()
 */
SATIN_API SatinLoop *satin_loop_new_manual (guint64 seed);

/**
 * satin_loop_advance:
 * @self: a manual loop
 * @duration_us: how far to move the time, 0 or more
 *
 * Runs all posted calls and all timers that fall due within @duration_us. Timers run in order of
 * time, then of adding, each at its own time. With 0 everything that is due now runs. More than 10
 * million calls at one instant are a programming error and end the process. Not inside a callback
 * of the loop.
 */
SATIN_API void satin_loop_advance (SatinLoop *self, gint64 duration_us);

/* Frees the loop. Pending timers and posted calls are not called. Not inside a callback of the
 * loop. @self: (nullable). */
SATIN_API void satin_loop_free (SatinLoop *self);

/* The time on the loop's monotonic clock, microseconds. */
SATIN_API gint64 satin_loop_now_us (SatinLoop *self);

/**
 * satin_loop_timer_add:
 * @delay_us: 0 or more; @func runs after this time at the earliest, and never inside this call
 * @func: called once
 *
 * Adds a timer.
 *
 * Returns: the id for satin_loop_timer_cancel(), never 0
 */
SATIN_API SatinTimerId satin_loop_timer_add (SatinLoop *self, gint64 delay_us, SatinLoopFunc func,
                                             gpointer user_data);

/* Cancels the timer *@id, unless it is 0, and sets *@id to 0. It does no harm to cancel a timer
 * that has run. By convention, a timer's callback first sets the stored id of its timer to 0. */
SATIN_API void satin_loop_timer_cancel (SatinLoop *self, SatinTimerId *id);

/* Calls @func soon on the loop's thread, in the order of posting. Threads: any. */
SATIN_API void satin_loop_post (SatinLoop *self, SatinLoopFunc func, gpointer user_data);

/* Returns 64 random bits. Do not use them for secrets. */
SATIN_API guint64 satin_loop_random (SatinLoop *self);

/* Returns a random whole number in [0, @n), where @n is above 0. No probability differs from 1 / @n
 * by 1 / 2^32 or more. */
SATIN_API guint32 satin_loop_random_below (SatinLoop *self, guint32 n);

/* The GMainContext, or NULL when this kind of loop has none. */
SATIN_API GMainContext *satin_loop_get_context (SatinLoop *self);

/**
 * satin_loop_probe:
 * @what: area and path, "steal.request-overdue"; a static string
 *
 * Says that the code takes a rare path of a protocol. A simulated world counts probes, so that a
 * sweep can tell which paths it has tested. On other loops a probe does nothing.
 */
SATIN_API void satin_loop_probe (SatinLoop *self, const char *what);

/**
 * satin_loop_note:
 * @domain: the log domain, G_LOG_DOMAIN
 * @format: as for printf(), one line
 *
 * Tells people what has happened. The text goes to the log at level info. In a simulated world it
 * also goes to the list of events, with the world's time.
 */
SATIN_API void satin_loop_note (SatinLoop *self, const char *domain, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinLoop, satin_loop_free)

G_END_DECLS
