/* events-read.c - reads scheduled events as the user writes them
 *
 *   TIME crash | restart | pause | resume   node N | cluster cN | master
 *   TIME leave   node N | cluster cN | master   [DEADLINE]
 *   TIME join N cluster cN
 *   TIME crash | stop all
 *   TIME speed   node N | cluster cN | master   SHARE
 *   TIME bandwidth cluster cN SIZE
 *   TIME latency cluster cN TIME
 *   TIME offer N cluster cN
 *
 * Events are separated by semicolons. In a file, line ends separate them, too, and # begins a
 * comment. A pause lasts until the next event that resumes the same target; if there is none, to
 * the end of the run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <string.h>

#define MAX_JOINS 100000

/* The words of an event that are not read yet. */
typedef struct
{
  World *world; /* (borrowed) */
  char **words; /* (borrowed) the words that are left, with a %NULL at the end */
} Reader;

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID, text);
  return FALSE;
}

/* Returns: the next word, "" when there is none */
static const char *
next_word (Reader *self)
{
  return *self->words != NULL ? *self->words++ : "";
}

static gboolean
read_kind (Reader *self, WorldEvent *event, GError **error)
{
  const char *word = next_word (self);
  for (guint i = 0; i < WORLD_N_EVENTS; i++)
    if (strcmp (word, world_event_names[i]) == 0)
      {
        event->kind = i;
        return TRUE;
      }
  g_autoptr (GString) names = g_string_new (world_event_names[0]);
  for (guint i = 1; i < WORLD_N_EVENTS; i++)
    g_string_append_printf (names, ", %s", world_event_names[i]);
  return refuse (error, "'%s' is none of %s", word, names->str);
}

static gboolean
brings_more (const WorldEvent *event)
{
  return event->kind == WORLD_EVENT_JOIN || event->kind == WORLD_EVENT_OFFER;
}

/* Reads "c2". An event that brings nodes or machines may name the cluster after the last cluster.
 * Then a cluster is added. */
static gboolean
read_cluster (Reader *self, WorldEvent *event, GError **error)
{
  GArray *sizes = self->world->options.sizes;
  const char *word = next_word (self);
  guint n_clusters = sizes->len + brings_more (event);
  guint64 number;
  if (*word != 'c' || !g_ascii_string_to_unsigned (word + 1, 10, 1, n_clusters, &number, NULL))
    return refuse (error, "'%s' is no cluster: give c1 to c%u", word, n_clusters);
  event->target = WORLD_TARGET_CLUSTER;
  event->number = (guint)number;
  const guint no_nodes = 0;
  if (event->number > sizes->len)
    g_array_append_val (sizes, no_nodes);
  return TRUE;
}

static gboolean
read_node (Reader *self, WorldEvent *event, GError **error)
{
  const char *word = next_word (self);
  guint n_nodes = self->world->options.n_nodes + world_faults_joins (self->world)
                  + world_events_joins (self->world);
  guint64 number;
  if (!g_ascii_string_to_unsigned (word, 10, 1, n_nodes, &number, NULL))
    return refuse (error, "'%s' is no node: give 1 to %u", word, n_nodes);
  event->target = WORLD_TARGET_NODE;
  event->number = (guint)number;
  return TRUE;
}

static gboolean
read_target (Reader *self, WorldEvent *event, GError **error)
{
  const char *word = next_word (self);
  if (strcmp (word, "node") == 0)
    return read_node (self, event, error);
  if (strcmp (word, "cluster") == 0)
    return read_cluster (self, event, error);
  gboolean is_all = strcmp (word, "all") == 0;
  event->target = is_all ? WORLD_TARGET_ALL : WORLD_TARGET_MASTER;
  if (is_all != (event->kind == WORLD_EVENT_STOP) && event->kind != WORLD_EVENT_CRASH)
    return refuse (error, "what can happen to all is crash and stop, and stop to all only");
  return is_all || strcmp (word, "master") == 0
         || refuse (error, "'%s' is none of node N, cluster cN, master, all", word);
}

static gboolean
read_more (Reader *self, WorldEvent *event, GError **error)
{
  const char *word = next_word (self), *name = world_event_names[event->kind];
  guint64 n;
  if (event->kind == WORLD_EVENT_OFFER && self->world->options.pool->len == 0)
    return refuse (error, "machines can be offered to a run with a pool only: give --pool");
  if (!g_ascii_string_to_unsigned (word, 10, 1, MAX_JOINS, &n, NULL))
    return refuse (error, "'%s' is no number of nodes: write %s N cluster cN, N from 1 to %d", word,
                   name, MAX_JOINS);
  event->n_joins = event->kind == WORLD_EVENT_JOIN ? (guint)n : 0;
  event->n_offered = event->kind == WORLD_EVENT_OFFER ? (guint)n : 0;
  word = next_word (self);
  return strcmp (word, "cluster") == 0
             ? read_cluster (self, event, error)
             : refuse (error, "'%s' stands for 'cluster': write %s N cluster cN", word, name);
}

/* Reads the value behind the target, if the event has one. */
static gboolean
read_value (Reader *self, WorldEvent *event, GError **error)
{
  char *end;
  if (event->kind != WORLD_EVENT_SPEED && event->kind != WORLD_EVENT_BANDWIDTH
      && event->kind != WORLD_EVENT_LATENCY)
    return TRUE;
  if (event->kind != WORLD_EVENT_SPEED && event->target != WORLD_TARGET_CLUSTER)
    return refuse (error, "%s is a cluster's: write %s cluster cN", world_event_names[event->kind],
                   world_event_names[event->kind]);
  const char *word = next_word (self);
  if (event->kind == WORLD_EVENT_BANDWIDTH)
    return satin_parse_size (word, &event->bandwidth, error);
  if (event->kind == WORLD_EVENT_LATENCY)
    return satin_parse_duration (word, &event->latency_us, error);
  event->speed = g_ascii_strtod (word, &end);
  return (end != word && *end == '\0' && event->speed >= 0.001 && event->speed <= 1)
         || refuse (error, "'%s' is no share of a speed: give 0.001 to 1", word);
}

/* Reads how long a node may take to leave, if the event says so. */
static gboolean
read_deadline (Reader *self, WorldEvent *event, GError **error)
{
  event->leave_us = SATIN_LEAVE_DEFAULT_US;
  if (event->kind != WORLD_EVENT_LEAVE || *self->words == NULL)
    return TRUE;
  if (!satin_parse_duration (next_word (self), &event->leave_us, error))
    return FALSE;
  return (event->leave_us > 0 && event->leave_us <= SATIN_LEAVE_MAX_US)
         || refuse (error, "a node leaves within a time above 0, at most 1h");
}

/* How many nodes a restart may start: one for each of its targets. The nodes of a cluster are its
 * first nodes, and those of joins that were read before. */
static guint
count_targets (const World *self, const WorldEvent *event)
{
  if (event->target != WORLD_TARGET_CLUSTER)
    return 1;
  guint n = g_array_index (self->options.sizes, guint, event->number - 1);
  for (guint i = 0; i < self->events->len; i++)
    {
      const WorldEvent *other = &g_array_index (self->events, WorldEvent, i);
      if (other->kind == WORLD_EVENT_JOIN && other->number == event->number)
        n += other->n_joins;
    }
  return n;
}

static gboolean
read_words (Reader *self, WorldEvent *event, GError **error)
{
  if (!satin_parse_duration (next_word (self), &event->at_us, error)
      || !read_kind (self, event, error))
    return FALSE;
  if (brings_more (event) ? !read_more (self, event, error) : !read_target (self, event, error))
    return FALSE;
  if (!read_value (self, event, error) || !read_deadline (self, event, error))
    return FALSE;
  if (event->kind == WORLD_EVENT_RESTART)
    event->n_joins = count_targets (self->world, event);
  event->resume_us = self->world->options.deadline_us;
  return *self->words == NULL || refuse (error, "'%s' is a word too many", *self->words);
}

static gboolean
read_event (World *self, const char *text, GError **error)
{
  g_auto (GStrv) split = g_strsplit_set (text, " \t\r", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (char **word = split; *word != NULL; word++)
    if (**word != '\0')
      g_ptr_array_add (words, *word);
  if (words->len == 0)
    return TRUE;
  g_ptr_array_add (words, NULL);
  Reader reader = { .world = self, .words = (char **)words->pdata };
  WorldEvent event = { .world = self };
  g_autofree char *all = g_strjoinv (" ", reader.words);
  if (!read_words (&reader, &event, error))
    {
      g_prefix_error (error, "events: '%s': ", all);
      return FALSE;
    }
  event.text = g_steal_pointer (&all);
  g_array_append_val (self->events, event);
  return TRUE;
}

/* ---- all events ---- */

static void
clear_event (gpointer event)
{
  g_free (((WorldEvent *)event)->text);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const WorldEvent *one = a, *other = b;
  return (one->at_us > other->at_us) - (one->at_us < other->at_us);
}

static gboolean
is_same_target (const WorldEvent *a, const WorldEvent *b)
{
  return a->target == b->target && a->number == b->number;
}

/* Finds the pause that the event @index ends, and sets the end of that pause. */
static gboolean
resume (World *self, guint index, GError **error)
{
  const WorldEvent *event = &g_array_index (self->events, WorldEvent, index);
  for (guint i = index; i-- > 0;)
    {
      WorldEvent *pause = &g_array_index (self->events, WorldEvent, i);
      if (!is_same_target (pause, event))
        continue;
      if (pause->kind == WORLD_EVENT_RESUME)
        break;
      if (pause->kind != WORLD_EVENT_PAUSE)
        continue;
      pause->resume_us = event->at_us;
      return TRUE;
    }
  return refuse (error, "events: what resumes at %.6g s was not paused before: pause the same",
                 (double)event->at_us / 1e6);
}

/* Returns: (transfer full) (nullable): the events: @text itself, or, if @text is "@FILE", the
 * content of that file without comments; %NULL with @error */
static char *
read_text (const char *text, GError **error)
{
  g_autofree char *content = NULL;
  g_autoptr (GError) local = NULL;
  if (*text != '@')
    return g_strdup (text);
  if (!g_file_get_contents (text + 1, &content, NULL, &local))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "events: cannot read %s: %s", text + 1,
                   local->message);
      return NULL;
    }
  g_auto (GStrv) lines = g_strsplit (content, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    (*line)[strcspn (*line, "#")] = '\0';
  return g_strjoinv (";", lines);
}

gboolean
world_events_read (World *self, const char *text, GError **error)
{
  self->events = g_array_new (FALSE, FALSE, sizeof (WorldEvent));
  g_array_set_clear_func (self->events, clear_event);
  g_autofree char *content = read_text (text, error);
  if (content == NULL)
    return FALSE;
  g_auto (GStrv) events = g_strsplit (content, ";", -1);
  for (char **event = events; *event != NULL; event++)
    if (!read_event (self, *event, error))
      return FALSE;
  g_array_sort (self->events, compare_times);
  for (guint i = 0; i < self->events->len; i++)
    if (g_array_index (self->events, WorldEvent, i).kind == WORLD_EVENT_RESUME
        && !resume (self, i, error))
      return FALSE;
  return TRUE;
}

guint
world_events_joins (const World *self)
{
  guint n = 0;
  for (guint i = 0; i < self->events->len; i++)
    n += g_array_index (self->events, WorldEvent, i).n_joins;
  return n;
}

void
world_events_done (World *self)
{
  g_clear_pointer (&self->events, g_array_unref);
}
