/* loop.h - time, timers, posted calls and randomness for protocol code
 *
 * Protocol code never reads a clock, draws a random number or makes a thread
 * itself; it asks the SatinLoop it was given. There are two kinds here: the real
 * one runs on a GMainContext, the manual one is moved by hand in tests. Others
 * (a simulator) fill in SatinLoopOps and embed SatinLoop as their first field.
 *
 * Threads: satin_loop_post() from any thread; all else, and every callback, in
 * the one thread that runs the loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* Begins the structure of each kind of loop. */
typedef struct _SatinLoop SatinLoop;

/* Called on the loop's thread. */
typedef void (*SatinLoopFunc) (gpointer user_data);

/* Names one pending timer; 0 is never a timer. */
typedef guint64 SatinTimerId;

/**
 * SatinLoopOps:
 *
 * What a kind of loop provides. @get_context may be %NULL: then the loop has no
 * GMainContext, and transports that watch file descriptors refuse it. @probe may be %NULL: then
 * nobody counts what satin_loop_probe() tells. @note may be %NULL: then what satin_loop_note() says
 * is in the log only.
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
 * @context: (nullable): the context to run in, a reference is kept; %NULL for a new one
 * @seed: start of the random sequence; 0 takes one from the operating system
 * @error: %SATIN_ERROR_IO when the process may open no more files
 *
 * The real loop. Timers are exact to the kernel's timerfd, not rounded to
 * milliseconds. What a callback adds or posts runs in a later turn of @context. While a callback
 * runs a main loop of its own on @context, timers and posted calls wait for its return.
 *
 * Returns: (transfer full) (nullable): free with satin_loop_free()
 */
SATIN_API SatinLoop *satin_loop_new (GMainContext *context, guint64 seed, GError **error);

/**
 * satin_loop_new_manual:
 * @seed: start of the random sequence
 *
 * A loop without a clock: time is 0 and moves only in satin_loop_advance().
 *
 * Returns: (transfer full): free with satin_loop_free()
 */
SATIN_API SatinLoop *satin_loop_new_manual (guint64 seed);

/**
 * satin_loop_advance:
 * @self: a manual loop
 * @duration_us: how far to move, 0 or more
 *
 * Runs all posted calls and, in order of time and then of adding, all timers
 * that fall due within @duration_us, each at its own time; 0 runs what is due
 * now. Stops with a programming error after 10 million calls at one instant.
 */
SATIN_API void satin_loop_advance (SatinLoop *self, gint64 duration_us);

/* Pending timers and posts are dropped without being called. Not inside a callback of the loop. */
SATIN_API void satin_loop_free (SatinLoop *self);

/* Microseconds on a monotonic clock. */
SATIN_API gint64 satin_loop_now_us (SatinLoop *self);

/**
 * satin_loop_timer_add:
 * @delay_us: 0 or more; the call comes at the earliest then, and never inside this function
 * @func: called once
 *
 * Returns: the id for satin_loop_timer_cancel(), never 0
 */
SATIN_API SatinTimerId satin_loop_timer_add (SatinLoop *self, gint64 delay_us, SatinLoopFunc func,
                                             gpointer user_data);

/* Cancels *@id if it is not 0 and sets it to 0. A timer that has run is not cancelled again:
 * its callback sets its own id to 0 first. Cancelling an id that has run is harmless. */
SATIN_API void satin_loop_timer_cancel (SatinLoop *self, SatinTimerId *id);

/* Calls @func soon on the loop's thread, in order of posting. Threads: any. */
SATIN_API void satin_loop_post (SatinLoop *self, SatinLoopFunc func, gpointer user_data);

/* 64 random bits (not for secrets). */
SATIN_API guint64 satin_loop_random (SatinLoop *self);

/* A whole number in [0, @n), @n above 0, without bias that matters (64-bit multiply). */
SATIN_API guint32 satin_loop_random_below (SatinLoop *self, guint32 n);

/* The GMainContext, or NULL when this kind of loop has none. */
SATIN_API GMainContext *satin_loop_get_context (SatinLoop *self);

/**
 * satin_loop_probe:
 * @what: area and path, "steal.request-overdue"; a string that stays
 *
 * Says that a rare path of a protocol is taken. A simulated world counts these, so that a sweep can
 * tell which paths it has tested; on other loops it is one compare.
 */
SATIN_API void satin_loop_probe (SatinLoop *self, const char *what);

/**
 * satin_loop_note:
 * @domain: of the log, G_LOG_DOMAIN
 * @format: as for printf(), one line
 *
 * Says to people what has happened: in the log, at level info, and in a simulated world among its
 * events, with the world's time.
 */
SATIN_API void satin_loop_note (SatinLoop *self, const char *domain, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinLoop, satin_loop_free)

G_END_DECLS
