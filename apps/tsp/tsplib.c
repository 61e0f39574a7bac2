/* tsplib.c - reads a file keyword by keyword, and computes the distances if the file has none
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tsplib.h"

#include <math.h>
#include <string.h>

#include "../common/words.h"
#include "distance.h"

#define MAX_COORDINATE 1e6

/* ---- what may be in a file ---- */

typedef enum
{
  MEASURE_NONE, /* not given yet */
  MEASURE_EUC_2D,
  MEASURE_GEO,
  MEASURE_EXPLICIT,
} Measure;

static const char *const measures[] = { "", "EUC_2D", "GEO", "EXPLICIT" };

/* Which columns a line of a matrix has. Most forms have two names, because a symmetric matrix is
 * the same by rows and by columns. */
typedef struct
{
  const char *names[2];
  gboolean is_full;
  gboolean is_lower;
  gboolean has_diagonal;
} MatrixForm;

static const MatrixForm forms[] = {
  { { "FULL_MATRIX" }, TRUE, FALSE, TRUE },
  { { "UPPER_ROW", "LOWER_COL" }, FALSE, FALSE, FALSE },
  { { "LOWER_ROW", "UPPER_COL" }, FALSE, TRUE, FALSE },
  { { "UPPER_DIAG_ROW", "LOWER_DIAG_COL" }, FALSE, FALSE, TRUE },
  { { "LOWER_DIAG_ROW", "UPPER_DIAG_COL" }, FALSE, TRUE, TRUE },
};

typedef struct
{
  AppWords words;
  char *name;      /* (owned) (nullable) */
  gint32 n_cities; /* 0: not given yet */
  Measure measure;
  const MatrixForm *form; /* (nullable) */
  gint32 *between;        /* (owned) (nullable): n_cities * n_cities */
  Point *coordinates;     /* (owned) (nullable) */
  Point *display;         /* (owned) (nullable) */
} Reader;

static gboolean
fail (const Reader *self, const char *message, GError **error)
{
  return app_words_fail (&self->words, SATIN_ERROR_FORMAT, message, error);
}

/* ---- lines ---- */

/* Reads a keyword, and the colon that may follow it, with or without space between. */
static gboolean
read_keyword (Reader *self)
{
  AppWords *words = &self->words;
  if (!app_words_next (words))
    return FALSE;
  char *colon = strchr (words->word, ':');
  if (colon != NULL && !words->is_cut)
    {
      words->at -= strlen (colon + 1);
      *colon = '\0';
      return TRUE;
    }
  while (words->at < words->end && (*words->at == ' ' || *words->at == '\t'))
    words->at++;
  if (words->at < words->end && *words->at == ':')
    words->at++;
  return TRUE;
}

/* Reads the rest of the line as one word. */
static gboolean
read_value (Reader *self, const char *what, GError **error)
{
  AppWords *words = &self->words;
  const char *line_end = memchr (words->at, '\n', (gsize)(words->end - words->at));
  if (line_end == NULL)
    line_end = words->end;
  g_autofree char *rest = g_strndup (words->at, (gsize)(line_end - words->at));
  words->at = line_end;
  g_strlcpy (words->word, g_strstrip (rest), sizeof words->word);
  if (words->word[0] != '\0')
    return TRUE;
  g_autofree char *message = g_strdup_printf ("%s has no value", what);
  return fail (self, message, error);
}

static gboolean
skip_value (Reader *self, GError **error G_GNUC_UNUSED)
{
  AppWords *words = &self->words;
  while (words->at < words->end && *words->at != '\n')
    words->at++;
  return TRUE;
}

static gboolean
read_name (Reader *self, GError **error)
{
  if (!read_value (self, "NAME", error))
    return FALSE;
  self->name = g_utf8_make_valid (self->words.word, -1);
  return TRUE;
}

static gboolean
read_type (Reader *self, GError **error)
{
  return read_value (self, "TYPE", error)
         && (strcmp (self->words.word, "TSP") == 0
             || app_words_refuse (&self->words, "the TYPE TSP, a symmetric problem", error));
}

static gboolean
read_dimension (Reader *self, GError **error)
{
  guint64 n_cities;
  if (!read_value (self, "DIMENSION", error))
    return FALSE;
  if (!g_ascii_string_to_unsigned (self->words.word, 10, INSTANCE_MIN_CITIES, INSTANCE_MAX_CITIES,
                                   &n_cities, NULL))
    return app_words_refuse (&self->words,
                             "a DIMENSION from " G_STRINGIFY (
                                 INSTANCE_MIN_CITIES) " to " G_STRINGIFY (INSTANCE_MAX_CITIES),
                             error);
  self->n_cities = (gint32)n_cities;
  return TRUE;
}

static gboolean
read_measure (Reader *self, GError **error)
{
  if (!read_value (self, "EDGE_WEIGHT_TYPE", error))
    return FALSE;
  for (guint i = MEASURE_EUC_2D; i <= MEASURE_EXPLICIT; i++)
    if (strcmp (self->words.word, measures[i]) == 0)
      {
        self->measure = i;
        return TRUE;
      }
  return app_words_refuse (&self->words, "the EDGE_WEIGHT_TYPE EUC_2D, GEO or EXPLICIT", error);
}

static gboolean
read_form (Reader *self, GError **error)
{
  if (!read_value (self, "EDGE_WEIGHT_FORMAT", error))
    return FALSE;
  /* Files without a matrix may have this format, which says that a function gives the distances. */
  if (strcmp (self->words.word, "FUNCTION") == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_strcmp0 (self->words.word, forms[i].names[0]) == 0
        || g_strcmp0 (self->words.word, forms[i].names[1]) == 0)
      {
        self->form = &forms[i];
        return TRUE;
      }
  return app_words_refuse (&self->words,
                           "an EDGE_WEIGHT_FORMAT, one of FULL_MATRIX UPPER_ROW LOWER_ROW "
                           "UPPER_DIAG_ROW LOWER_DIAG_ROW",
                           error);
}

/* ---- sections ---- */

static gboolean
has_dimension (const Reader *self, GError **error)
{
  return self->n_cities > 0 || fail (self, "DIMENSION must come before this", error);
}

static gboolean
read_points (Reader *self, Point **ret_points, GError **error)
{
  AppWords *words = &self->words;
  if (!has_dimension (self, error))
    return FALSE;
  g_autofree Point *points = g_new (Point, self->n_cities);
  gboolean is_there[INSTANCE_MAX_CITIES] = { FALSE };
  for (gint32 i = 0; i < self->n_cities; i++)
    {
      gint64 city;
      Point point;
      if (!app_words_integer (words, "number of a city", 1, self->n_cities, &city, error))
        return FALSE;
      if (is_there[city - 1])
        return fail (self, "this city stood here already", error);
      if (!app_words_number (words, "coordinate", -MAX_COORDINATE, MAX_COORDINATE, &point.x, error)
          || !app_words_number (words, "coordinate", -MAX_COORDINATE, MAX_COORDINATE, &point.y,
                                error))
        return FALSE;
      points[city - 1] = point;
      is_there[city - 1] = TRUE;
    }
  *ret_points = g_steal_pointer (&points);
  return TRUE;
}

static gboolean
read_coordinates (Reader *self, GError **error)
{
  return read_points (self, &self->coordinates, error);
}

static gboolean
read_display (Reader *self, GError **error)
{
  return read_points (self, &self->display, error);
}

/* Reads the distances between city @i and all cities from @first to @last. */
static gboolean
read_line (Reader *self, gint32 i, gint32 first, gint32 last, GError **error)
{
  gint32 n = self->n_cities;
  for (gint32 j = first; j <= last; j++)
    {
      char what[64];
      gint64 distance;
      g_snprintf (what, sizeof what, "distance between the cities %d and %d", i + 1, j + 1);
      if (!app_words_integer (&self->words, what, 0, INSTANCE_MAX_DISTANCE, &distance, error))
        return FALSE;
      if (i == j)
        continue;
      if (self->form->is_full && j < i && self->between[i * n + j] != distance)
        return app_words_refuse (&self->words, "the same distance as in the other direction",
                                 error);
      self->between[i * n + j] = self->between[j * n + i] = (gint32)distance;
    }
  return TRUE;
}

static gboolean
read_matrix (Reader *self, GError **error)
{
  const MatrixForm *form = self->form;
  gint32 n = self->n_cities;
  if (!has_dimension (self, error))
    return FALSE;
  if (form == NULL)
    return fail (self, "EDGE_WEIGHT_FORMAT must come before this", error);
  self->between = g_new0 (gint32, (gsize)n * (gsize)n);
  gint32 off_diagonal = form->has_diagonal ? 0 : 1;
  for (gint32 i = 0; i < n; i++)
    {
      gint32 first = form->is_full || form->is_lower ? 0 : i + off_diagonal;
      gint32 last = form->is_full || !form->is_lower ? n - 1 : i - off_diagonal;
      if (!read_line (self, i, first, last, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- the whole file ---- */

typedef struct
{
  const char *word;
  gboolean may_repeat;
  gboolean (*read) (Reader *self, GError **error);
} Keyword;

static const Keyword keywords[] = {
  { "NAME", FALSE, read_name },
  { "COMMENT", TRUE, skip_value },
  { "TYPE", FALSE, read_type },
  { "DIMENSION", FALSE, read_dimension },
  { "EDGE_WEIGHT_TYPE", FALSE, read_measure },
  { "EDGE_WEIGHT_FORMAT", FALSE, read_form },
  { "NODE_COORD_TYPE", FALSE, skip_value },
  { "DISPLAY_DATA_TYPE", FALSE, skip_value },
  { "NODE_COORD_SECTION", FALSE, read_coordinates },
  { "EDGE_WEIGHT_SECTION", FALSE, read_matrix },
  { "DISPLAY_DATA_SECTION", FALSE, read_display },
};

static gboolean
read_all (Reader *self, GError **error)
{
  guint seen = 0;
  while (read_keyword (self))
    {
      guint i = 0;
      if (strcmp (self->words.word, "EOF") == 0)
        return TRUE;
      while (i < G_N_ELEMENTS (keywords) && strcmp (self->words.word, keywords[i].word) != 0)
        i++;
      if (i == G_N_ELEMENTS (keywords))
        return app_words_refuse (&self->words, "a keyword of a TSPLIB problem", error);
      if ((seen & 1u << i) != 0 && !keywords[i].may_repeat)
        return app_words_refuse (&self->words, "a keyword that did not stand before", error);
      seen |= 1u << i;
      if (!keywords[i].read (self, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_complete (const Reader *self, GError **error)
{
  if (self->n_cities == 0)
    return fail (self, "there is no DIMENSION in this file", error);
  if (self->measure == MEASURE_NONE)
    return fail (self, "there is no EDGE_WEIGHT_TYPE in this file", error);
  if (self->measure == MEASURE_EXPLICIT && self->between == NULL)
    return fail (self, "there is no EDGE_WEIGHT_SECTION in this file", error);
  if (self->measure != MEASURE_EXPLICIT && self->coordinates == NULL)
    return fail (self, "there is no NODE_COORD_SECTION in this file", error);
  return TRUE;
}

/* Converts the coordinates of a GEO file to radians. In the file, the latitude comes first. */
static void
turn_to_radians (Point *points, gint32 n)
{
  for (gint32 i = 0; i < n; i++)
    points[i] = (Point){ distance_radians (points[i].y), distance_radians (points[i].x) };
}

static gint32 *
measure_all (const Point *points, gint32 n, gint32 (*distance) (Point a, Point b))
{
  gint32 *between = g_new0 (gint32, (gsize)n * (gsize)n);
  for (gint32 i = 0; i < n; i++)
    for (gint32 j = 0; j < i; j++)
      between[i * n + j] = between[j * n + i] = distance (points[i], points[j]);
  return between;
}

/* Scales the longitudes for drawing: far from the equator, meridians are nearer to each other. */
static void
flatten (Point *points, gint32 n)
{
  double latitude = 0;
  for (gint32 i = 0; i < n; i++)
    latitude += points[i].y / n;
  for (gint32 i = 0; i < n; i++)
    points[i].x *= cos (latitude);
}

static Instance *
finish (Reader *self)
{
  gint32 n = self->n_cities;
  if (self->measure == MEASURE_GEO)
    turn_to_radians (self->coordinates, n);
  if (self->measure != MEASURE_EXPLICIT)
    {
      g_free (self->between);
      self->between =
          measure_all (self->coordinates, n,
                       self->measure == MEASURE_GEO ? distance_geographic : distance_euclidean);
    }
  if (self->measure == MEASURE_GEO)
    flatten (self->coordinates, n);
  Instance *instance = g_new (Instance, 1);
  *instance = (Instance){
    .name = self->name != NULL ? g_steal_pointer (&self->name)
                               : g_filename_display_basename (self->words.file),
    .distances = { n, g_steal_pointer (&self->between), (gsize)n * (gsize)n },
    .points = self->coordinates != NULL ? g_steal_pointer (&self->coordinates)
                                        : g_steal_pointer (&self->display),
  };
  return instance;
}

Instance *
tsplib_read (const char *file, const char *text, gsize n_text, GError **error)
{
  Reader reader = { .measure = MEASURE_NONE };
  app_words_init (&reader.words, file, text, n_text);
  Instance *instance =
      read_all (&reader, error) && check_complete (&reader, error) ? finish (&reader) : NULL;
  g_free (reader.name);
  g_free (reader.between);
  g_free (reader.coordinates);
  g_free (reader.display);
  return instance;
}
