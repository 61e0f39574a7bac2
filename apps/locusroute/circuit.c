/* circuit.c - reads and generates circuits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "circuit.h"

#include <satin/base/random.h>
#include <string.h>

#include "../common/words.h"

typedef struct
{
  int channel;
  int column;
} Pin;

static void
circuit_init (Circuit *self, const char *name, int n_channels, int n_columns)
{
  *self = (Circuit){ g_strdup (name), n_channels, n_columns, 0,
                     g_array_new (FALSE, FALSE, sizeof (Segment)) };
}

void
circuit_clear (Circuit *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->segments, g_array_unref);
}

/* ---- segments ---- */

static void
add_segment (Circuit *self, const Pin *a, const Pin *b)
{
  const Pin *first = a->column <= b->column ? a : b, *last = first == a ? b : a;
  const Segment segment = { self->n_wires, first->channel, first->column,
                            last->channel, last->column,   BEND_NONE };
  g_array_append_val (self->segments, segment);
}

static int
distance (const Pin *a, const Pin *b)
{
  return ABS (a->channel - b->channel) + ABS (a->column - b->column);
}

/* Adds a wire as a shortest tree over its pins. The tree begins with the first pin. Then the pin
 * that is nearest to the tree is joined to it, again and again. */
static void
add_wire (Circuit *self, const Pin *pins, int n)
{
  g_autofree int *nearest = g_new0 (int, n);
  g_autofree gboolean *is_in = g_new0 (gboolean, n);
  is_in[0] = TRUE;
  for (int n_in = 1; n_in < n; n_in++)
    {
      int best = -1;
      for (int i = 0; i < n; i++)
        if (!is_in[i]
            && (best < 0
                || distance (&pins[i], &pins[nearest[i]])
                       < distance (&pins[best], &pins[nearest[best]])))
          best = i;
      add_segment (self, &pins[nearest[best]], &pins[best]);
      is_in[best] = TRUE;
      for (int i = 0; i < n; i++)
        if (distance (&pins[i], &pins[best]) < distance (&pins[i], &pins[nearest[i]]))
          nearest[i] = best;
    }
  self->n_wires++;
}

/* ---- files ---- */

static gboolean
read_int (AppWords *words, const char *what, int low, int high, int *ret_number, GError **error)
{
  gint64 number;
  if (!app_words_integer (words, what, low, high, &number, error))
    return FALSE;
  *ret_number = (int)number;
  return TRUE;
}

static gboolean
read_wire (AppWords *words, Circuit *circuit, GArray *pins, GError **error)
{
  int n;
  if (!read_int (words, "number of pins of a wire", 2, CIRCUIT_MAX_PINS, &n, error))
    return FALSE;
  if (circuit->n_wires == CIRCUIT_MAX_WIRES)
    return app_words_fail (words, SATIN_ERROR_LIMIT,
                           "more than " G_STRINGIFY (CIRCUIT_MAX_WIRES) " wires", error);
  if (circuit->segments->len + (guint)n - 1 > CIRCUIT_MAX_SEGMENTS)
    return app_words_fail (words, SATIN_ERROR_LIMIT,
                           "more than " G_STRINGIFY (CIRCUIT_MAX_SEGMENTS) " pairs of pins", error);
  g_array_set_size (pins, 0);
  for (int i = 0; i < n; i++)
    {
      Pin pin;
      if (!read_int (words, "channel of a pin", 1, circuit->n_channels, &pin.channel, error)
          || !read_int (words, "column of a pin", 1, circuit->n_columns, &pin.column, error))
        return FALSE;
      pin.channel--;
      pin.column--;
      g_array_append_val (pins, pin);
    }
  add_wire (circuit, (const Pin *)(gpointer)pins->data, n);
  return TRUE;
}

gboolean
circuit_read (const char *file, const char *text, gsize n_text, Circuit *ret_circuit,
              GError **error)
{
  g_autoptr (GArray) pins = g_array_new (FALSE, FALSE, sizeof (Pin));
  g_auto (Circuit) circuit = { 0 };
  int n_channels, n_columns;
  AppWords words;
  app_words_init (&words, file, text, n_text);
  if (!read_int (&words, "number of channels", 1, CIRCUIT_MAX_CHANNELS, &n_channels, error)
      || !read_int (&words, "number of columns", 1, CIRCUIT_MAX_COLUMNS, &n_columns, error))
    return FALSE;
  if ((gint64)n_channels * n_columns > CIRCUIT_MAX_PLACES)
    return app_words_fail (&words, SATIN_ERROR_LIMIT,
                           "more than " G_STRINGIFY (CIRCUIT_MAX_PLACES) " places", error);
  g_autofree char *name = g_filename_display_basename (file);
  circuit_init (&circuit, name, n_channels, n_columns);
  do
    if (!read_wire (&words, &circuit, pins, error))
      return FALSE;
  while (app_words_has_more (&words));
  *ret_circuit = circuit;
  circuit = (Circuit){ 0 };
  return TRUE;
}

/* ---- random circuits ---- */

static double
draw (guint64 *state)
{
  *state = satin_random_mix (*state);
  return satin_random_share (*state);
}

/* Returns: a random place near @at, from 0 to @n - 1; far places are rare */
static int
near_place (int at, int n, guint64 *state)
{
  double share = draw (state);
  int away = (int)(share * share * share * n);
  int place = draw (state) < 0.5 ? at - away : at + away;
  return CLAMP (place, 0, n - 1);
}

static void
generate_wire (Circuit *circuit, guint64 *state)
{
  Pin pins[8] = { { (int)(draw (state) * circuit->n_channels),
                    (int)(draw (state) * circuit->n_columns) } };
  guint n = 2;
  while (n < G_N_ELEMENTS (pins) && draw (state) < 0.3)
    n++;
  for (guint i = 1; i < n; i++)
    {
      pins[i].channel = near_place (pins[0].channel, circuit->n_channels, state);
      pins[i].column = near_place (pins[0].column, circuit->n_columns, state);
    }
  add_wire (circuit, pins, (int)n);
}

typedef struct
{
  const char *name;
  gint64 n_wires;
  gint64 n_channels;
  gint64 n_columns;
} Size;

static gboolean
parse_size (const char *kind, Size *ret_size)
{
  static const Size published[] = { { "bnrE", 420, 10, 341 }, { "MDC", 575, 12, 429 } };
  for (guint i = 0; i < G_N_ELEMENTS (published); i++)
    if (strcmp (kind, published[i].name) == 0)
      {
        *ret_size = published[i];
        return TRUE;
      }
  g_auto (GStrv) parts = g_strsplit (kind, "x", 0);
  const gint64 limits[] = { CIRCUIT_MAX_WIRES, CIRCUIT_MAX_CHANNELS, CIRCUIT_MAX_COLUMNS };
  gint64 numbers[3];
  if (g_strv_length (parts) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!g_ascii_string_to_signed (parts[i], 10, 1, limits[i], &numbers[i], NULL))
      return FALSE;
  *ret_size = (Size){ kind, numbers[0], numbers[1], numbers[2] };
  return numbers[1] * numbers[2] <= CIRCUIT_MAX_PLACES;
}

gboolean
circuit_generate (const char *kind, int seed, Circuit *ret_circuit, GError **error)
{
  Size size;
  if (!parse_size (kind, &size))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--circuit is '%s', but must be bnrE, MDC or WIRESxCHANNELSxCOLUMNS, at most "
                   "%dx%dx%d and %d places",
                   kind, CIRCUIT_MAX_WIRES, CIRCUIT_MAX_CHANNELS, CIRCUIT_MAX_COLUMNS,
                   CIRCUIT_MAX_PLACES);
      return FALSE;
    }
  guint64 state = satin_random_mix ((guint64)(gint64)seed);
  circuit_init (ret_circuit, kind, (int)size.n_channels, (int)size.n_columns);
  while (ret_circuit->n_wires < size.n_wires)
    generate_wire (ret_circuit, &state);
  return TRUE;
}
