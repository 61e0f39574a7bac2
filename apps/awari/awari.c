/* awari.c - the value of each Awari position with few stones
 *
 * The root decides one number of stones after the other (level.h). For each of them it needs two
 * things, and both are divided into halves, down to --grain positions:
 *
 * - the moves that capture, of all positions. The values of positions with fewer stones are a
 *   shared object, which never changes: a node fetches it once for each number of stones;
 * - the predecessors of positions that have got their values. These depend on the positions alone.
 *
 * So what a job does depends on its arguments only, and the values are the same in every mode.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include <string.h>

#include "../common/arguments.h"
#include "../common/digest.h"
#include "../common/options.h"
#include "level.h"

#define DEFAULT_GRAIN 4000

/* A node keeps the values for the current number of stones, and for the one before it. */
#define KEPT_TABLES 2

/**
 * Exits:
 * @bytes: from level_get_exits()
 * @n_jobs: number of jobs that found them
 */
SATIN_RECORD (Exits, (bytes, bytes), (long, n_jobs))

/**
 * Found:
 * @positions: from level_find_predecessors()
 * @n_jobs: number of jobs that found them
 */
SATIN_RECORD (Found, (array_int, positions), (long, n_jobs))

/* clang-format off */
/* The values of all positions with less than a number of stones, as signed bytes. */
SATIN_OBJECT_TYPE_DECLARE (table, (bytes, values))
/* clang-format on */

/* Does nothing: the values of a table never change, so @other equals @state. */
static void
table_merge (gpointer state, gconstpointer other)
{
}

SATIN_OBJECT_TYPE_DEFINE (table, .n_kept = KEPT_TABLES, .merge = table_merge)

/* ---- jobs ---- */

/* @table: (nullable): %NULL when this node does not have the object */
static gboolean
check_exits (const table_state *table, int n_stones, gint64 first, gint64 n, int grain,
             GError **error)
{
  if (table == NULL)
    return app_argument_refuse ("the values of smaller positions are not here", error);
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, error)
      || !app_argument_check ("number of stones", n_stones, 0, POSITION_MAX_STONES, error)
      || !app_argument_check ("number of positions", n, 1, position_count (n_stones), error)
      || !app_argument_check ("first position", first, 0, position_count (n_stones) - n, error))
    return FALSE;
  return app_argument_check ("number of values", (gint64)table->n_values,
                             position_count_below (n_stones), position_count_below (n_stones),
                             error);
}

/* Finds the moves that leave the level, of @n positions with @n_stones stones from number @first
 * on. */
SATIN_TASK (find_exits, (record, Exits), (object, below), (int, n_stones), (long, first), (long, n),
            (int, grain))
{
  const table_state *table = SATIN_READ (table, below);
  GError *error = NULL;
  if (!check_exits (table, n_stones, first, n, grain, &error))
    {
      satin_fail (error);
      return (Exits){ 0 };
    }
  gsize n_bytes = LEVEL_EXITS_BYTES * (gsize)n;
  if (n <= grain)
    {
      guint8 *bytes = g_new (guint8, n_bytes);
      level_get_exits (n_stones, (const gint8 *)table->values, first, n, bytes);
      return (Exits){ bytes, n_bytes, 1 };
    }
  Exits halves[2] = { 0 }, exits = { 0 };
  SATIN_SPAWN (&halves[0], find_exits, below, n_stones, first, n / 2, grain);
  SATIN_SPAWN (&halves[1], find_exits, below, n_stones, first + n / 2, n - n / 2, grain);
  if (SATIN_SYNC ())
    {
      gsize n_first = halves[0].n_bytes, n_second = halves[1].n_bytes;
      guint8 *bytes = g_new (guint8, n_first + n_second);
      memcpy (bytes, halves[0].bytes, n_first);
      memcpy (bytes + n_first, halves[1].bytes, n_second);
      exits = (Exits){ bytes, n_first + n_second, 1 + halves[0].n_jobs + halves[1].n_jobs };
    }
  for (int i = 0; i < 2; i++)
    satin_record_clear (&Exits_record, &halves[i]);
  return exits;
}

static gboolean
check_positions (int n_stones, const gint32 *positions, gsize n, int grain, GError **error)
{
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, error)
      || !app_argument_check ("number of stones", n_stones, 0, POSITION_MAX_STONES, error)
      || !app_argument_check ("number of positions", (gint64)n, 1, G_MAXINT, error))
    return FALSE;
  if (n > (gsize)grain)
    return TRUE;
  for (gsize i = 0; i < n; i++)
    if (!app_argument_check ("position", positions[i], 0, position_count (n_stones) - 1, error))
      return FALSE;
  return TRUE;
}

/* Finds the predecessors of positions with @n_stones stones. */
SATIN_TASK (find_predecessors, (record, Found), (int, n_stones), (array_int, positions),
            (int, grain))
{
  GError *error = NULL;
  if (!check_positions (n_stones, positions, n_positions, grain, &error))
    {
      satin_fail (error);
      return (Found){ 0 };
    }
  if (n_positions <= (gsize)grain)
    {
      gsize n;
      gint32 *found = level_find_predecessors (n_stones, positions, n_positions, &n);
      return (Found){ found, n, 1 };
    }
  Found halves[2] = { 0 }, found = { 0 };
  gsize n_half = n_positions / 2;
  SATIN_SPAWN (&halves[0], find_predecessors, n_stones, positions, n_half, grain);
  SATIN_SPAWN (&halves[1], find_predecessors, n_stones, positions + n_half, n_positions - n_half,
               grain);
  if (SATIN_SYNC ())
    {
      gsize n_first = halves[0].n_positions, n_second = halves[1].n_positions;
      gint32 *both = g_new (gint32, n_first + n_second);
      memcpy (both, halves[0].positions, n_first * sizeof *both);
      memcpy (both + n_first, halves[1].positions, n_second * sizeof *both);
      found = (Found){ both, n_first + n_second, 1 + halves[0].n_jobs + halves[1].n_jobs };
    }
  for (int i = 0; i < 2; i++)
    satin_record_clear (&Found_record, &halves[i]);
  return found;
}

/* ---- plain C ---- */

/* Decides the level of @n_stones stones. @values: of all smaller positions, with room for those of
 * the level behind them */
static void
decide_level (int n_stones, gint8 *values)
{
  g_auto (Level) level = { 0 };
  gsize n_exits = LEVEL_EXITS_BYTES * (gsize)position_count (n_stones), n;
  g_autofree guint8 *exits = g_new (guint8, n_exits);
  const gint32 *positions;
  level_init (&level, n_stones, values + position_count_below (n_stones));
  level_get_exits (n_stones, values, 0, level.n, exits);
  level_take_exits (&level, exits, n_exits, NULL);
  while (level_next (&level, &positions, &n))
    {
      g_autofree gint32 *found = level_find_predecessors (n_stones, positions, n, &n);
      level_take (&level, found, n, NULL);
    }
}

/* Decides all levels up to that of @n_stones stones. @values: (array): room for their values */
static void
decide_all (int n_stones, gint8 *values)
{
  for (int n = 0; n <= n_stones; n++)
    decide_level (n, values);
}

/* ---- the command line ---- */

/**
 * AwariOptions:
 * @n_stones: values of positions with up to this number of stones are computed
 * @text: (owned) (nullable): the position as the user wrote it; %NULL when a number of stones was
 *   given
 * @position: the position, when there is one
 */
typedef struct
{
  AppOptions common;
  int n_stones;
  char *text;
  Position position;
  int grain;
  gboolean is_values_shown;
} AwariOptions;

static void
options_clear (AwariOptions *self)
{
  g_free (self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AwariOptions, options_clear)

static gboolean
read_options (const SatinString *argv, gsize n_argv, AwariOptions *options, GError **error)
{
  const AppNumber numbers[] = {
    { "grain", "A job looks at N positions at most", 1, G_MAXINT, DEFAULT_GRAIN, &options->grain },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "values", 0, 0, G_OPTION_ARG_NONE, &options->is_values_shown,
      "Print how many positions have each value", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = {
    "STONES|POSITION",
    "Computes what each Awari position with up to STONES stones is worth. POSITION is the\n"
    "number of stones in each pit with commas, first the six pits of the player to move.\n"
    "Examples:\n"
    "  awari 13\n"
    "  awari 0,0,0,0,1,2,0,1,2,0,0,0",
    entries, numbers
  };
  g_autofree char *operand = NULL;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  if (operand == NULL || strchr (operand, ',') == NULL)
    return app_number_parse (operand, 0, POSITION_MAX_STONES, &options->n_stones, error);
  if (!position_parse (operand, &options->position, error))
    return FALSE;
  options->n_stones = position_count_stones (&options->position);
  options->text = g_steal_pointer (&operand);
  return TRUE;
}

/* The whole work in plain C. @user_data: the #AwariOptions */
static void
decide_again (gpointer user_data)
{
  const AwariOptions *options = user_data;
  g_autofree gint8 *values = g_new (gint8, (gsize)position_count_below (options->n_stones + 1));
  decide_all (options->n_stones, values);
}

/* Returns: the value of a position with @n_stones stones */
static int
look_up (const gint8 *values, const Position *position, int n_stones)
{
  return values[position_count_below (n_stones) + position_get_index (position)];
}

/* Prints what the position and each allowed move are worth. */
static void
print_position (const AwariOptions *options, const gint8 *values)
{
  int n_stones = options->n_stones, moves[POSITION_N_OWN];
  gboolean has_allowed = FALSE, is_possible[POSITION_N_OWN], is_taking[POSITION_N_OWN];
  for (int pit = 0; pit < POSITION_N_OWN; pit++)
    {
      Position next;
      is_possible[pit] = options->position.pits[pit] > 0;
      if (!is_possible[pit])
        continue;
      int captured = position_move (&options->position, pit, &next);
      moves[pit] = captured - look_up (values, &next, n_stones - captured);
      is_taking[pit] = position_is_over (&next);
      has_allowed |= !is_taking[pit];
    }
  g_print ("awari: %s, value %d, moves", options->text,
           look_up (values, &options->position, n_stones));
  for (int pit = 0; pit < POSITION_N_OWN; pit++)
    if (!is_possible[pit] || (is_taking[pit] && has_allowed))
      g_print (" -");
    else
      g_print (" %d", moves[pit]);
  g_print ("\n");
}

static void
print_values (const AwariOptions *options, const gint8 *values)
{
  gsize n = (gsize)position_count_below (options->n_stones + 1);
  gint64 n_with[2 * POSITION_MAX_STONES + 1] = { 0 }, n_won = 0, n_lost = 0;
  for (gsize i = 0; i < n; i++)
    n_with[values[i] + POSITION_MAX_STONES]++;
  for (int value = 1; value <= options->n_stones; value++)
    {
      n_won += n_with[POSITION_MAX_STONES + value];
      n_lost += n_with[POSITION_MAX_STONES - value];
    }
  g_autofree char *digest = app_digest_bytes ((const guint8 *)values, n);
  g_print ("awari: up to %d stones, %" G_GSIZE_FORMAT " positions, %" G_GINT64_FORMAT
           " won, %" G_GINT64_FORMAT " drawn, %" G_GINT64_FORMAT " lost, digest %s\n",
           options->n_stones, n, n_won, n_with[POSITION_MAX_STONES], n_lost, digest);
  for (int value = options->n_stones; options->is_values_shown && value >= -options->n_stones;
       value--)
    g_print ("value %d: %" G_GINT64_FORMAT " positions\n", value,
             n_with[POSITION_MAX_STONES + value]);
}

/* ---- the root ---- */

/* Gives the moves of all positions to @level, and clears @exits. */
static gboolean
take_exits (Level *level, Exits *exits, gint64 *n_jobs, GError **error)
{
  gboolean is_well = level_take_exits (level, exits->bytes, exits->n_bytes, error);
  *n_jobs += exits->n_jobs;
  satin_record_clear (&Exits_record, exits);
  return is_well;
}

/* Gives the predecessors that a job has found to @level, and clears @found. */
static gboolean
take_found (Level *level, Found *found, gint64 *n_jobs, GError **error)
{
  gboolean is_well = level_take (level, found->positions, found->n_positions, error);
  *n_jobs += found->n_jobs;
  satin_record_clear (&Found_record, found);
  return is_well;
}

static void
print_result (const AwariOptions *options, const gint8 *values)
{
  if (options->text != NULL)
    print_position (options, values);
  else
    print_values (options, values);
}

SATIN_TASK (awari_main, (int), (array_string, argv))
{
  g_auto (AwariOptions) options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  gint64 n_jobs = 0, started_us = g_get_monotonic_time ();
  g_autofree gint8 *values = g_new (gint8, (gsize)position_count_below (options.n_stones + 1));
  if (options.common.is_sequential)
    decide_all (options.n_stones, values);
  for (int n_stones = 0; n_stones <= options.n_stones && !options.common.is_sequential; n_stones++)
    {
      g_auto (Level) level = { 0 };
      gsize n = (gsize)position_count_below (n_stones);
      g_autofree char *name = g_strdup_printf ("below %d", n_stones);
      const gint32 *positions;
      Exits exits;
      Found found = { 0 };
      level_init (&level, n_stones, values + n);
      SatinObject below = SATIN_NEW (table, name, (const guint8 *)values, n);
      /* The moves of a whole level may be too large for the result of a job. */
      exits = SATIN_CALL (find_exits, below, n_stones, 0, level.n, options.grain);
      gboolean is_well = SATIN_SYNC () && take_exits (&level, &exits, &n_jobs, &error);
      while (is_well && level_next (&level, &positions, &n))
        {
          SATIN_SPAWN (&found, find_predecessors, n_stones, positions, n, options.grain);
          is_well = SATIN_SYNC () && take_found (&level, &found, &n_jobs, &error);
        }
      if (error != NULL)
        satin_fail (error);
      if (!is_well)
        return 0;
    }

  gint64 time_us = g_get_monotonic_time () - started_us;
  print_result (&options, values);
  app_report_time (&options.common, "awari", time_us, n_jobs, decide_again, &options);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--values");
  return satin_main (argc, argv, awari_main);
}
