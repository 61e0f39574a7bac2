/* settings.h - the command line of othello
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "position.h"

G_BEGIN_DECLS

/**
 * Settings:
 * @positions: (owned) (element-type Position): the positions to search
 * @depth: number of discs to set before a position is estimated; 0: all
 * @grain: a job with this many discs to set, or fewer, searches in plain C; -1: depends on the kind
 *   of search
 * @table_mib: size of the transposition table; 0 for none
 * @is_table_shared: nodes tell each other their findings
 * @is_score_only: do not look for the best move
 * @position_ns: how long a position takes in a simulation, nanoseconds
 * @n_elders: number of moves that are tried one after the other, before the rest
 * @has_aborts: whether a move that decides the question aborts the search of the other moves
 */
typedef struct
{
  AppOptions common;
  GPtrArray *positions;
  int depth;
  int grain;
  int table_mib;
  gboolean is_table_shared;
  gboolean is_score_only;
  int position_ns;
  int n_elders;
  gboolean has_aborts;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for positions_load()
 *
 * Reads the options and the positions. With --help it reads no positions.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
