/* settings.c - reads the options of othello
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include <string.h>

#include <satin/base/params.h>

#include "evaluate.h"
#include "table.h"

#define DEFAULT_TABLE_MIB 16
#define POSITION_MAX_NS   1000000
/* Positions with more empty squares would take days. */
#define SOLVE_MAX_EMPTY 30

static const char summary[] =
    "Computes what an Othello position is worth, and the best move.\n\n"
    "FILE has a position in each line: 64 squares (X, O, -) from a1 to h8, then who is\n"
    "to move (X or O). The default is the initial position.\n\n"
    "  othello apps/othello/positions/ffo-1-19.obf\n"
    "  othello --random 18 --seed 7 --time\n"
    "  othello --depth 10\n";

/* The options that say which positions to use, as the user wrote them. */
typedef struct
{
  char *file; /* (owned) (nullable) */
  char *text; /* (owned) (nullable) */
  int n_random_empty;
  int seed;
} Source;

static void
source_clear (Source *self)
{
  g_free (self->file);
  g_free (self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

/* ---- positions ---- */

static GPtrArray *
one_position (char *name, Board board)
{
  Position *position = g_new (Position, 1);
  *position = (Position){ name, board };
  GPtrArray *positions = g_ptr_array_new_with_free_func ((GDestroyNotify)position_free);
  g_ptr_array_add (positions, position);
  return positions;
}

static GPtrArray *
read_positions (const Source *source, GError **error)
{
  gboolean is_random = source->n_random_empty != 0;
  if ((source->file != NULL) + (source->text != NULL) + is_random > 1)
    {
      g_set_error_literal (
          error, SATIN_ERROR, SATIN_ERROR_INVALID,
          "FILE, --position and --random are different positions: give one of them");
      return NULL;
    }
  if (source->file != NULL)
    return positions_load (source->file, error);
  if (is_random)
    return app_range_check ("--random", source->n_random_empty, 1, 60, error) ? one_position (
               g_strdup_printf ("random %d, seed %d", source->n_random_empty, source->seed),
               position_random (source->n_random_empty, (guint32)source->seed))
                                                                              : NULL;
  Board board = board_start;
  g_autoptr (GError) local = NULL;
  if (source->text != NULL && !position_parse (source->text, &board, &local))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--position: %s", local->message);
      return NULL;
    }
  return one_position (g_strdup (source->text != NULL ? "position" : "start"), board);
}

/* Unless --depth was given, checks that no position has too many empty squares to search it to the
 * end. */
static gboolean
check_depth (const Settings *self, GError **error)
{
  for (guint i = 0; i < self->positions->len && self->depth == 0; i++)
    {
      const Position *position = g_ptr_array_index (self->positions, i);
      int n_empty = board_n_empty (&position->board);
      if (n_empty > SOLVE_MAX_EMPTY)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "%s has %d empty squares, too many to search to the end: give --depth",
                       position->name, n_empty);
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- options ---- */

static gboolean
read_table (const char *table, const char *size, Settings *self, GError **error)
{
  guint64 size_bytes = (guint64)DEFAULT_TABLE_MIB << 20;
  if (size != NULL && !satin_parse_size (size, &size_bytes, error))
    {
      g_prefix_error (error, "--table-size: ");
      return FALSE;
    }
  if (size_bytes < 1 << 20 || size_bytes > (guint64)TABLE_MAX_MIB << 20)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--table-size is %s, but must be from 1M to %dG", size, TABLE_MAX_MIB >> 10);
      return FALSE;
    }
  gboolean is_off = g_strcmp0 (table, "off") == 0;
  self->is_table_shared = table == NULL || strcmp (table, "shared") == 0;
  if (!is_off && !self->is_table_shared && strcmp (table, "local") != 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--table is '%s', but must be off, local or shared", table);
      return FALSE;
    }
  self->table_mib = is_off ? 0 : (int)(size_bytes >> 20);
  return TRUE;
}

static gboolean
read_aborts (const char *aborts, Settings *self, GError **error)
{
  self->has_aborts = aborts == NULL || strcmp (aborts, "on") == 0;
  if (self->has_aborts || strcmp (aborts, "off") == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--aborts is '%s', but must be on or off",
               aborts);
  return FALSE;
}

static gboolean
check_numbers (const Settings *self, GError **error)
{
  return app_range_check ("--depth", self->depth, 0, BOARD_SQUARES, error)
         && app_range_check ("--grain", self->grain, -1, BOARD_SQUARES, error)
         && app_range_check ("--elders", self->n_elders, 1, MOVES_MAX, error)
         && app_range_check ("--position-ns", self->position_ns, 0, POSITION_MAX_NS, error);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_auto (Source) source = { .seed = 1 };
  g_autofree char *table = NULL, *size = NULL, *aborts = NULL;
  *ret_settings = (Settings){ .grain = -1, .n_elders = 1 };
  const GOptionEntry entries[] = {
    { "position", 0, 0, G_OPTION_ARG_STRING, &source.text, "A position, as a line of FILE",
      "SQUARES" },
    { "random", 0, 0, G_OPTION_ARG_INT, &source.n_random_empty,
      "A position with N empty squares, from a random game", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &source.seed, "Another random game for each N (1)", "N" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &ret_settings->depth,
      "Estimate positions after N discs (0: play to the end)", "N" },
    { "grain", 0, 0, G_OPTION_ARG_INT, &ret_settings->grain,
      "A position with N or fewer discs to go is one job (11; 9 for estimates)", "N" },
    { "table", 0, 0, G_OPTION_ARG_STRING, &table,
      "Transposition table: off, local or shared (shared)", "WHICH" },
    { "table-size", 0, 0, G_OPTION_ARG_STRING, &size, "Its size in each process (16M)", "SIZE" },
    { "score", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_score_only,
      "Only the score: the best move takes longer", NULL },
    { "position-ns", 0, 0, G_OPTION_ARG_INT, &ret_settings->position_ns,
      "Time of looking at a position in a simulation (0)", "NS" },
    { "elders", 0, 0, G_OPTION_ARG_INT, &ret_settings->n_elders,
      "Search the N most promising moves before the others (1)", "N" },
    { "aborts", 0, 0, G_OPTION_ARG_STRING, &aborts,
      "Whether a move that decides aborts the search of the others: on or off (on)", "WHICH" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &source.file, error))
    return FALSE;
  if (ret_settings->common.is_help)
    return TRUE;
  if (!check_numbers (ret_settings, error) || !read_table (table, size, ret_settings, error)
      || !read_aborts (aborts, ret_settings, error))
    return FALSE;
  ret_settings->positions = read_positions (&source, error);
  return ret_settings->positions != NULL && check_depth (ret_settings, error);
}

void
settings_clear (Settings *self)
{
  g_clear_pointer (&self->positions, g_ptr_array_unref);
}
