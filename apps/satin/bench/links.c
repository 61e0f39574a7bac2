/* links.c - measures round trips and throughput of messages between two processes
 *
 * This process listens; a second process, `satin bench-peer`, connects and echoes. In the first
 * half, small messages go to and fro, one at a time. Before and after, the peer reports its
 * processor time, so that both processes together show what a message costs. In the second half,
 * large messages go one way in windows. Each window ends with a small message, whose echo shows
 * that the window has arrived. Two windows are on their way at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "peer.h"
#include "bench.h"
#include "runs/folder.h"
#include "processes/processes.h"
#include "runs/session.h"

#include <string.h>

#define N_ROUND_TRIPS 5000
#define N_WARM_UP     500
#define SMALL_BYTES   64
#define LARGE_BYTES   65536
#define WINDOW        32
#define N_WINDOWS     256
#define HALF_US       ((gint64)500000)
/* A round trip is two messages, and each of them is sent once and received once. */
#define N_HANDLED 4

/* One link under measurement. */
typedef struct
{
  SatinLink *link; /* (borrowed) (nullable) */
  GBytes *small;   /* (owned) */
  GBytes *large;   /* (owned) */
  double samples_us[N_ROUND_TRIPS];
  guint n_round_trips;
  gint64 used_ns[2]; /* processor time of both processes, before and after the round trips */
  guint n_used;      /* how many of these are known */
  guint n_windows_sent;
  guint n_windows_echoed;
  gint64 began_us; /* when this half began */
  gint64 sent_us;  /* when the last small message was sent */
  gint64 elapsed_us;
  GError *error; /* (owned) (nullable) */
  gboolean is_done;
} Bench;

static void
send_small (Bench *self)
{
  self->sent_us = g_get_monotonic_time ();
  satin_link_send (self->link, SATIN_FRAME_MESSAGE, BENCH_CHANNEL_ECHO, self->small);
}

static void
ask_usage (Bench *self)
{
  self->used_ns[self->n_used] = bench_processor_ns ();
  satin_link_send (self->link, SATIN_FRAME_MESSAGE, BENCH_CHANNEL_USAGE, self->small);
}

static gboolean
is_half_over (const Bench *self)
{
  return g_get_monotonic_time () - self->began_us > HALF_US;
}

static void
send_window (Bench *self)
{
  if (self->n_windows_sent == N_WINDOWS || (self->n_windows_sent > 1 && is_half_over (self)))
    return;
  self->n_windows_sent++;
  for (guint i = 0; i < WINDOW; i++)
    satin_link_send (self->link, SATIN_FRAME_MESSAGE, BENCH_CHANNEL_SINK, self->large);
  satin_link_send (self->link, SATIN_FRAME_MESSAGE, BENCH_CHANNEL_ECHO, self->small);
}

static void
on_open (SatinLink *link, gpointer user_data)
{
  Bench *self = user_data;
  self->link = link;
  self->began_us = g_get_monotonic_time ();
  send_small (self);
}

static void
take_round_trip (Bench *self, gint64 now_us)
{
  if (self->n_round_trips >= N_WARM_UP)
    self->samples_us[self->n_round_trips - N_WARM_UP] = (double)(now_us - self->sent_us);
  self->n_round_trips++;
  if (self->n_round_trips == N_WARM_UP)
    ask_usage (self);
  else if (self->n_round_trips <= N_WARM_UP
           || (self->n_round_trips < N_ROUND_TRIPS + N_WARM_UP && !is_half_over (self)))
    send_small (self);
  else
    ask_usage (self);
}

/* The peer has reported its processor time: the round trips begin, or the second half does. */
static void
take_usage (Bench *self, GBytes *payload)
{
  gint64 used_ns = 0;
  gsize n_bytes;
  const void *bytes = g_bytes_get_data (payload, &n_bytes);
  if (n_bytes != sizeof used_ns || self->n_used == G_N_ELEMENTS (self->used_ns))
    return;
  memcpy (&used_ns, bytes, sizeof used_ns);
  self->used_ns[self->n_used++] += used_ns;
  self->began_us = g_get_monotonic_time ();
  if (self->n_used == 1)
    {
      send_small (self);
      return;
    }
  send_window (self);
  send_window (self);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  Bench *self = user_data;
  gint64 now_us = g_get_monotonic_time ();
  if (channel == BENCH_CHANNEL_USAGE)
    {
      take_usage (self, payload);
      return;
    }
  if (self->n_windows_sent == 0)
    {
      take_round_trip (self, now_us);
      return;
    }
  self->n_windows_echoed++;
  send_window (self);
  if (self->n_windows_echoed < self->n_windows_sent)
    return;
  self->elapsed_us = now_us - self->began_us;
  satin_link_close (link, NULL);
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  Bench *self = user_data;
  if (self->elapsed_us == 0 && self->error == NULL)
    self->error = error != NULL ? g_error_copy (error)
                                : g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                               "the other process closed the link too early");
  self->is_done = TRUE;
}

static const SatinLinkFuncs funcs = { .open = on_open, .frame = on_frame, .down = on_down };

static void
on_accept (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
           gpointer *ret_user_data, gpointer user_data)
{
  *ret_funcs = &funcs;
  *ret_user_data = user_data;
}

static void
on_peer_ended (const RunProcess *process, gpointer user_data)
{
  Bench *self = user_data;
  if (self->is_done)
    return;
  g_autofree char *how = run_process_describe_end (process);
  g_set_error (&self->error, SATIN_ERROR, SATIN_ERROR_CLOSED, "the other process %s", how);
  self->is_done = TRUE;
}

static const RunProcess *
start_peer (RunProcesses *processes, const char *uri, const SatinSecret *secret, GError **error)
{
  g_autofree char *path = bench_own_path (error);
  if (path == NULL)
    return NULL;
  char *arguments[] = { path, (char *)"bench-peer", (char *)uri, NULL };
  g_auto (GStrv) variables = g_get_environ ();
  const RunLaunch launch = { .program = path,
                             .arguments = arguments,
                             .variables = variables,
                             .secret = secret,
                             .output_fd = -1,
                             .error_fd = -1 };
  return run_processes_start (processes, &launch, error);
}

/* Returns: FALSE with @error set when the measurement failed */
static gboolean
run_bench (Bench *self, Session *session, const char *uri, GError **error)
{
  static const SatinIdentity identity = { .role = SATIN_ROLE_TOOL };
  SatinListener *listener =
      satin_transport_listen (session->transport, uri, &identity, on_accept, self, error);
  if (listener == NULL)
    return FALSE;
  g_autoptr (RunProcesses) processes = run_processes_new (on_peer_ended, self);
  gboolean is_started =
      start_peer (processes, satin_listener_get_uri (listener), session->secret, error) != NULL;
  if (is_started)
    session_run_until (&self->is_done);
  satin_listener_stop (listener);
  if (is_started && self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  return is_started && self->elapsed_us > 0;
}

static gboolean
measure (BenchReport *report, const char *name, const char *uri, SatinSecret *secret,
         GError **error)
{
  g_autoptr (Session) session = session_open (uri, secret, FALSE, error);
  if (session == NULL)
    return FALSE;
  Bench *bench = g_new0 (Bench, 1);
  bench->small = g_bytes_new_take (g_malloc0 (SMALL_BYTES), SMALL_BYTES);
  bench->large = g_bytes_new_take (g_malloc0 (LARGE_BYTES), LARGE_BYTES);
  gboolean is_right = run_bench (bench, session, uri, error);
  if (is_right)
    {
      double mib = (double)bench->n_windows_sent * WINDOW * LARGE_BYTES / (1 << 20);
      guint n_samples = bench->n_round_trips - N_WARM_UP;
      bench_report_add (report, name, "round-trip.median",
                        bench_quantile (bench->samples_us, n_samples, 0.5), "us");
      bench_report_add (report, name, "round-trip.p90",
                        bench_quantile (bench->samples_us, n_samples, 0.9), "us");
      double each_ns = (double)(bench->used_ns[1] - bench->used_ns[0]) / n_samples / N_HANDLED;
      bench_report_add (report, name, "message", each_ns, "ns of a processor");
      bench_report_note (report, "satin sim --message-ns %.0f  (%s)", each_ns, name);
      bench_report_add (report, name, "throughput",
                        mib / ((double)bench->elapsed_us / G_USEC_PER_SEC), "MiB/s");
    }
  g_bytes_unref (bench->small);
  g_bytes_unref (bench->large);
  g_clear_error (&bench->error);
  g_free (bench);
  return is_right;
}

gboolean
bench_links (BenchReport *report, GError **error)
{
  g_autoptr (RunDir) dir = run_dir_new (error);
  if (dir == NULL)
    return FALSE;
  g_autofree char *uri = g_strdup_printf ("unix:%s/hub", run_dir_get_path (dir));
  if (!measure (report, "links-unix", uri, NULL, error))
    return FALSE;
  SatinSecret *secret = satin_secret_new_random (error);
  return secret != NULL && measure (report, "links-tcp", "tcp://127.0.0.1:0", secret, error);
}
