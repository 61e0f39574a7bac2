/* journal-maker.c - writes the journal of a run that never was
 *
 *   journal-maker FILE NODES SECONDS UPDATES_A_SECOND [live]
 *
 * Tests and figures of the readers of journals need journals of large and long runs, which would
 * take hours to simulate. This program invents one: clusters of up to 250 nodes whose shares of
 * time in jobs differ and change, one node in fifty that is lost halfway, a second master, an end.
 * Names and sizes of the figures, and which of them change, are those of a real node. The numbers
 * mean nothing else. UPDATES_A_SECOND is how often the hub asks the nodes; 0 means as often as
 * satin_journal_recorder_get_period_us() says. With "live" the events are written at their times.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/journal.h>

#include <stdlib.h>

#define NODES_OF_CLUSTER 250
#define LOST_EACH        50

/* The figures of a node that change all the time. */
enum
{
  JOBS,
  IDLE,
  BUSY,
  CPU,
  PROTOCOL,
  TRIED,
  STEALS,
  NEAR,
  GIVEN,
  RESULTS,
  SENT,
  RECEIVED,
  MESSAGES,
  N_MOVING
};

static const char *const moving[N_MOVING] = {
  [JOBS] = "jobs",
  [IDLE] = "idle-us",
  [BUSY] = "busy-us",
  [CPU] = "cpu-us",
  [PROTOCOL] = "comm-us",
  [TRIED] = "steals.remote-tried",
  [STEALS] = "steals.remote",
  [NEAR] = "steals.near",
  [GIVEN] = "steals.given",
  [RESULTS] = "steals.results",
  [SENT] = "net.sent-lan",
  [RECEIVED] = "net.received-lan",
  [MESSAGES] = "net.messages",
};

/* Figures that are in the first summary of a node, and then stay as they are. */
static const SatinJournalValue resting[] = {
  { "workers", 1 },          { "steals.local", 0 },       { "steals.local-tried", 0 },
  { "steals.far", 0 },       { "steals.pushed", 0 },      { "memory-bytes", 16777216 },
  { "net.sent-wan", 0 },     { "net.received-wan", 0 },   { "net.links", 12 },
  { "ft.losses", 0 },        { "ft.messages", 0 },        { "ft.bytes", 0 },
  { "recovery.kept", 0 },    { "recovery.restarted", 0 }, { "recovery.orphans", 0 },
  { "objects.kept", 0 },     { "objects.updates", 0 },    { "objects.bytes-near", 0 },
  { "checkpoint.bytes", 0 },
};

typedef struct
{
  SatinJournalWriter *writer;  /* (owned) */
  GRand *random;               /* (owned) */
  gint64 (*figures)[N_MOVING]; /* (owned): of each node */
  double *shares;              /* (owned): the share of each node's time in jobs */
  gint32 n_nodes;
  gint64 period_us;
  gint64 end_us;
} Maker;

static void
add (Maker *self, const SatinJournalEvent *event)
{
  g_autoptr (GError) error = NULL;
  if (!satin_journal_writer_add (self->writer, event, &error))
    g_error ("%s", error->message);
}

static void
add_text (Maker *self, gint64 time_us, gint32 node, const char *kind, const char *text)
{
  add (self, &(SatinJournalEvent){ .time_us = time_us, .node = node, .kind = kind, .text = text });
}

static void
add_value (Maker *self, gint64 time_us, gint32 node, const char *kind, const char *text,
           const char *name, gint64 value)
{
  const SatinJournalValue one = { name, value };
  add (self, &(SatinJournalEvent){ .time_us = time_us,
                                   .node = node,
                                   .kind = kind,
                                   .text = text,
                                   .values = &one,
                                   .n_values = 1 });
}

static gboolean
is_lost (const Maker *self, gint32 node, gint64 time_us)
{
  return node % LOST_EACH == 0 && time_us >= self->end_us / 2;
}

static void
begin_run (Maker *self)
{
  const SatinJournalValue values[] = { { "version", SATIN_JOURNAL_VERSION },
                                       { "began_us", g_get_real_time () },
                                       { "is_simulated", 0 } };
  add (self, &(SatinJournalEvent){ .kind = SATIN_JOURNAL_RUN,
                                   .text = "an invented run",
                                   .values = values,
                                   .n_values = G_N_ELEMENTS (values) });
  for (gint32 node = 1; node <= self->n_nodes; node++)
    {
      g_autofree char *text =
          g_strdup_printf ("c%d host%d", (node - 1) / NODES_OF_CLUSTER + 1, node);
      add_value (self, node, node, SATIN_JOURNAL_JOINED, text, "pid", 1000 + node);
      add_text (self, node, node, SATIN_JOURNAL_STATE, "member");
      self->shares[node - 1] = g_rand_double (self->random);
    }
  add_value (self, self->n_nodes, 1, SATIN_JOURNAL_MASTER, "", "term", 1);
}

/* Lets the figures of a node grow for a period, and writes them. */
static void
summarize (Maker *self, gint64 time_us, gint32 node, gboolean is_first)
{
  SatinJournalValue values[N_MOVING + G_N_ELEMENTS (resting)];
  gsize n = 0;
  gint64 *figures = self->figures[node - 1];
  double *share = &self->shares[node - 1];
  *share = CLAMP (*share + g_rand_double_range (self->random, -0.05, 0.05), 0, 1);
  gint64 busy_us = (gint64)(*share * 0.98 * (double)self->period_us);
  gint64 protocol_us = g_rand_int_range (self->random, 0, (gint32)(self->period_us / 50));
  gint32 n_steals = g_rand_int_range (self->random, 0, 5);
  const gint64 growth[N_MOVING] = {
    [JOBS] = busy_us / 20000,
    [BUSY] = busy_us,
    [CPU] = busy_us,
    [PROTOCOL] = protocol_us,
    [IDLE] = self->period_us - busy_us - protocol_us,
    [STEALS] = n_steals,
    [NEAR] = n_steals,
    [TRIED] = n_steals * 3,
    [GIVEN] = n_steals,
    [RESULTS] = n_steals,
    [SENT] = n_steals * 150 + 20,
    [RECEIVED] = n_steals * 160 + 20,
    [MESSAGES] = n_steals * 4 + 1,
  };
  for (guint i = 0; i < N_MOVING; i++)
    {
      figures[i] += growth[i];
      if (growth[i] != 0 || is_first)
        values[n++] = (SatinJournalValue){ moving[i], figures[i] };
    }
  for (guint i = 0; is_first && i < G_N_ELEMENTS (resting); i++)
    values[n++] = resting[i];
  add (self, &(SatinJournalEvent){ .time_us = time_us,
                                   .node = node,
                                   .kind = SATIN_JOURNAL_SUMMARY,
                                   .text = "",
                                   .values = values,
                                   .n_values = n });
}

static void
lose_nodes (Maker *self, gint64 time_us)
{
  for (gint32 node = LOST_EACH; node <= self->n_nodes; node += LOST_EACH)
    add_text (self, time_us, node, SATIN_JOURNAL_STATE, "died");
  add_value (self, time_us, 2, SATIN_JOURNAL_MASTER, "", "term", 2);
  add_text (self, time_us, 0, SATIN_JOURNAL_NOTE, "some nodes were lost");
}

static void
flush (Maker *self)
{
  g_autoptr (GError) error = NULL;
  if (!satin_journal_writer_flush (self->writer, &error))
    g_error ("%s", error->message);
}

static void
write_all (Maker *self, gboolean is_live)
{
  gint64 began_us = g_get_monotonic_time ();
  gboolean has_losses = FALSE;
  begin_run (self);
  flush (self);
  for (gint64 time_us = self->period_us; time_us <= self->end_us; time_us += self->period_us)
    {
      gint64 wait_us = began_us + time_us - g_get_monotonic_time ();
      if (is_live && wait_us > 0)
        g_usleep ((gulong)wait_us);
      if (!has_losses && time_us >= self->end_us / 2)
        lose_nodes (self, time_us);
      has_losses = time_us >= self->end_us / 2;
      for (gint32 node = 1; node <= self->n_nodes; node++)
        if (!is_lost (self, node, time_us))
          summarize (self, time_us, node, time_us == self->period_us);
      flush (self);
    }
  add_value (self, self->end_us, 0, SATIN_JOURNAL_END, "", "exit_status", 0);
}

int
main (int argc, char **argv)
{
  if (argc < 5)
    {
      g_printerr ("usage: journal-maker FILE NODES SECONDS UPDATES_A_SECOND [live]\n");
      return 2;
    }
  g_autoptr (GError) error = NULL;
  double rate = g_ascii_strtod (argv[4], NULL);
  Maker self = { .n_nodes = MAX (atoi (argv[2]), 1) };
  self.end_us = (gint64)(g_ascii_strtod (argv[3], NULL) * G_USEC_PER_SEC);
  self.period_us = rate > 0 ? (gint64)(G_USEC_PER_SEC / rate)
                            : satin_journal_recorder_get_period_us ((guint)self.n_nodes);
  self.writer = satin_journal_writer_new (argv[1], &error);
  if (self.writer == NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  self.random = g_rand_new_with_seed (1);
  self.figures = g_malloc0_n ((gsize)self.n_nodes, sizeof *self.figures);
  self.shares = g_new0 (double, self.n_nodes);
  write_all (&self, argc > 5 && g_str_equal (argv[5], "live"));
  satin_journal_writer_free (self.writer);
  g_rand_free (self.random);
  g_free (self.figures);
  g_free (self.shares);
  return 0;
}
