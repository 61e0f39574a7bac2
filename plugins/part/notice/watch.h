/* watch.h - asks a metadata server again and again whether this machine will be taken away
 *
 *   SEARCHING -- an answer that fits --> ASKING -- a notice --> OVER
 *       |                                                        ^
 *       +-- no answer fits, or no server answers in two rounds --+
 *
 * If the user names the cloud, the watch begins in ASKING. There is no I/O here: @ask of #WatchHost
 * sends the questions.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "cloud.h"

G_BEGIN_DECLS

/**
 * WatchOptions:
 * @cloud: the cloud that the user names, or %N_CLOUDS to search for it
 */
typedef struct
{
  CloudKind cloud;
  gint64 every_us;
  gboolean has_rebalance;
} WatchOptions;

/**
 * WatchHost:
 * @ask: sends a question. Then watch_answer() is called once, not inside this call
 * @noticed: the notice came; called once at most
 */
typedef struct
{
  void (*ask) (const CloudQuestion *question, gpointer user_data);
  void (*noticed) (const CloudNotice *notice, gpointer user_data);
} WatchHost;

typedef struct
{
  gint64 n_asked;  /* questions */
  gint64 n_failed; /* questions without an answer that makes sense */
  gint64 n_notices;
} WatchFigures;

typedef struct _Watch Watch;

/* The watch begins in the next turn of @loop. @host: (borrowed). Returns: (transfer full) */
Watch *watch_new (SatinLoop *loop, const WatchOptions *options, const WatchHost *host,
                  gpointer user_data);
/* Frees the watch. Do not call it inside @ask or @noticed. @self: (nullable) */
void watch_free (Watch *self);

/**
 * watch_answer:
 * @status: of HTTP; 0 when there is no answer
 * @text: (array length=n_bytes): the answer
 * @error: (nullable): why there is none
 *
 * Takes the answer to the last question.
 */
void watch_answer (Watch *self, long status, const char *text, gsize n_bytes, const GError *error);

/* Whether no more questions come. */
gboolean watch_is_over (const Watch *self);
WatchFigures watch_get_figures (const Watch *self);

G_END_DECLS
