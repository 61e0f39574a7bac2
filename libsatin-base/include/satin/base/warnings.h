/* warnings.h - warnings about what other nodes send, of which there may be any number
 *
 * A damaged or hostile member sends as much as its link carries. So of each peer and kind five
 * warnings are shown at once, and after that one in ten seconds, which says how many were not
 * shown.
 *
 * Threads: the one that owns it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/peers.h>

G_BEGIN_DECLS

/* Pairs of peer and kind that are remembered. */
#define SATIN_WARNINGS_MAX 32

/* One peer's, of one kind. */
typedef struct
{
  const char *kind; /* (borrowed, static) (nullable): NULL: this entry is free */
  SatinNodeId peer;
  guint n_shown;  /* since @since_us */
  guint n_hidden; /* since the last that was shown */
  gint64 since_us;
} SatinWarning;

/* All 0 at first. When all entries are used the oldest is forgotten. */
typedef struct
{
  SatinWarning *entries; /* (owned) (nullable) (array fixed-size=SATIN_WARNINGS_MAX): from the first
                            warning on */
} SatinWarnings;

/* Frees the entries; it may be used again. */
SATIN_API void satin_warnings_clear (SatinWarnings *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SatinWarnings, satin_warnings_clear)

/**
 * satin_warnings_may_show:
 * @now_us: the loop's time
 * @kind: static; compared as a pointer
 * @ret_n_hidden: (out): when it may be shown, how many were not since the last one
 *
 * Returns: whether one more warning of that peer and kind is to be shown
 */
SATIN_API gboolean satin_warnings_may_show (SatinWarnings *self, gint64 now_us, SatinNodeId peer,
                                            const char *kind, guint *ret_n_hidden);

/* Shows "node PEER: ", the words, and how many were not shown, when it may. */
SATIN_API void satin_warnings_say (SatinWarnings *self, SatinLoop *loop, const char *domain,
                                   SatinNodeId peer, const char *format, ...) G_GNUC_PRINTF (5, 6);

/* The format is the kind. */
#define satin_warn_of_peer(self, loop, peer, ...)                                                  \
  satin_warnings_say (self, loop, G_LOG_DOMAIN, peer, __VA_ARGS__)

G_END_DECLS
