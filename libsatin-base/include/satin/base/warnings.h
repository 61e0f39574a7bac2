/* warnings.h - limits how many warnings other nodes can cause
 *
 * A damaged or hostile member can send as much as its link carries. So five warnings about each
 * pair of peer and kind are shown within ten seconds. If more come, one is shown in each of the
 * next periods of ten seconds, with the number of those that were not shown. After a period without
 * hidden warnings five are shown again.
 *
 * Threads: the thread that owns the SatinWarnings.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/peers.h>

G_BEGIN_DECLS

/* How many pairs of peer and kind are remembered. */
#define SATIN_WARNINGS_MAX 32

/* The warnings of one kind about one peer. */
typedef struct
{
  const char *kind; /* (borrowed, static) (nullable): NULL in an entry that is free */
  SatinNodeId peer;
  guint n_shown;  /* since @since_us */
  guint n_hidden; /* since the last one that was shown */
  gint64 since_us;
} SatinWarning;

/* Initialize it with zeros. When all entries are used, the pair whose period began first is
 * forgotten. */
typedef struct
{
  SatinWarning *entries; /* (owned) (nullable) (array fixed-size=SATIN_WARNINGS_MAX): made at the
                          * first warning */
} SatinWarnings;

/* Frees the entries. @self may be used again. */
SATIN_API void satin_warnings_clear (SatinWarnings *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SatinWarnings, satin_warnings_clear)

/**
 * satin_warnings_may_show:
 * @now_us: the loop's time
 * @peer: the node that the warning is about
 * @kind: static; compared as a pointer
 * @ret_n_hidden: (out): how many warnings were hidden since the last one shown; untouched if %FALSE
 *
 * Counts a warning and decides whether to show it.
 *
 * Returns: %TRUE when the caller may show it
 */
SATIN_API gboolean satin_warnings_may_show (SatinWarnings *self, gint64 now_us, SatinNodeId peer,
                                            const char *kind, guint *ret_n_hidden);

/* If the limit allows it, logs "node PEER: ", the text, and how many warnings were hidden. The
 * address of @format is the kind. */
SATIN_API void satin_warnings_say (SatinWarnings *self, SatinLoop *loop, const char *domain,
                                   SatinNodeId peer, const char *format, ...) G_GNUC_PRINTF (5, 6);

/* Warns about a peer under the caller's log domain. The address of the format is the kind. */
#define satin_warn_of_peer(self, loop, peer, ...)                                                  \
  satin_warnings_say (self, loop, G_LOG_DOMAIN, peer, __VA_ARGS__)

G_END_DECLS
