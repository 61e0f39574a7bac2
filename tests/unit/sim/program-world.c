/* program-world.c - runs a program on the nodes of a simulated world: hub, members, workers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "program-world.h"

#include <string.h>

#define DEADLINE_US ((gint64)1000000000)

#ifdef __SANITIZE_ADDRESS__
void __lsan_disable (void);
void __lsan_enable (void);
#else
static void
__lsan_disable (void)
{
}

static void
__lsan_enable (void)
{
}
#endif

/* Workers that crashed or left are never freed. Their memory must not count as a leak. */
static gboolean
loses_workers (const ProgramOptions *options)
{
  return options->leaver > 0 || options->may_fail;
}

static void
add_jobs (const char *name, gint64 value, gpointer user_data)
{
  Program *self = user_data;
  if (strcmp (name, "jobs") == 0)
    self->n_jobs += (guint64)value;
}

static void
on_began (SatinMembership *member, gpointer user_data)
{
  ProgramNode *node = user_data;
  node->is_master = TRUE;
  node->program->began_us = satin_sim_now_us (node->program->sim);
}

static void
on_ended (SatinMembership *member, gpointer user_data)
{
  const ProgramNode *node = user_data;
  Program *self = node->program;
  self->ended_us = satin_sim_now_us (self->sim);
  for (guint i = 0; i < self->options.n_nodes; i++)
    satin_workers_figures (self->nodes[i].workers, add_jobs, self);
  self->n_left = self->hub_left;
}

static void
leave (gpointer user_data)
{
  ProgramNode *self = user_data;
  Program *program = self->program;
  satin_membership_leave (self->member, program->options.leave_within_us, &program->leave_error);
}

static void
on_over (SatinMembership *member, int exit_status, gpointer user_data)
{
  ProgramNode *node = user_data;
  node->is_over = TRUE;
  node->over_us = satin_sim_now_us (node->program->sim);
  node->program->n_over++;
  node->program->exit_status |= exit_status;
}

static const SatinMembershipEvents member_events = {
  .struct_size = sizeof (SatinMembershipEvents),
  .began = on_began,
  .ended = on_ended,
  .over = on_over,
};

static void
on_hub_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
}

static void
on_hub_changed (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data)
{
  Program *self = user_data;
  self->hub_left += strcmp (what, "left") == 0;
}

static void
start_hub (gpointer user_data)
{
  static const SatinHubEvents events = { .changed = on_hub_changed, .over = on_hub_over };
  g_autoptr (GError) error = NULL;
  Program *self = user_data;
  SatinLoop *loop = satin_sim_host_get_loop (self->hub_host);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = loop };
  SatinHubOptions options = { .n_nodes = self->options.n_nodes };
  self->transport = satin_transport_new_with_ops (&satin_sim_transport_ops, &context, &error);
  g_assert_no_error (error);
  self->hub = satin_hub_new (loop, self->transport, "sim:1", &options, &events, self, &error);
  g_assert_no_error (error);
}

static void
start_node (gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  ProgramNode *self = user_data;
  Program *program = self->program;
  guint number = (guint)(self - program->nodes) + 1;
  SatinWorkersOptions options = {
    .struct_size = sizeof (SatinWorkersOptions),
    .n_workers = program->options.n_workers,
    .stack_bytes = (gsize)1 << 20,
    .deque_slots = 4096,
    .seed = program->options.seed + number,
    .thread_ops = satin_sim_thread_ops (program->sim, program->options.spawn_ns),
  };
  g_autofree char *parts = g_strdup_printf (
      "net:hub=sim:1,listen=sim:0,cluster=c%u,host=h%u,pid=%u;%s", number % 2, number, number,
      program->options.parts != NULL ? program->options.parts : "");
  self->workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  self->member = satin_membership_new (satin_sim_host_get_loop (self->host), &program->entry,
                                       self->workers, parts, NULL, &member_events, self);
}

/* The signal that crashes the node that charges time next; 0: none. */
static int crash_signal;

static void
crash_node (gpointer user_data)
{
  ProgramNode *self = user_data;
  Program *program = self->program;
  guint number = (guint)(self - program->nodes) + 1;
  g_autofree char *host = g_strdup_printf ("h%u", number);
  program->n_crashed++;
  satin_hub_process_killed (program->hub, host, number, self->crash_signal, "crashed");
}

static void
on_charge (SatinSimHost *host, gconstpointer thread, gint64 duration_ns, gpointer user_data)
{
  Program *self = user_data;
  for (guint i = 0; i < self->options.n_nodes && crash_signal != 0; i++)
    if (self->nodes[i].host == host)
      {
        self->nodes[i].crash_signal = crash_signal;
        crash_signal = 0;
        satin_loop_post (satin_sim_host_get_loop (self->hub_host), crash_node, &self->nodes[i]);
      }
}

void
program_crash (int signal_number)
{
  crash_signal = signal_number;
}

static gboolean
is_over (gpointer user_data)
{
  const Program *self = user_data;
  return self->n_over == self->options.n_nodes;
}

Program *
program_run (const ProgramOptions *options, const SatinTask *root)
{
  static char *argv[] = { "program", NULL };
  SatinSimOptions sim_options = {
    .seed = options->seed, .lan_us = 50, .wan_us = 1000, .jitter = 0.1, .is_guarded = TRUE
  };
  if (loses_workers (options))
    __lsan_disable ();
  Program *self = g_new0 (Program, 1);
  self->options = *options;
  self->options.speed = options->speed > 0 ? options->speed : 1;
  self->options.spawn_ns = options->spawn_ns > 0 ? options->spawn_ns : 1000;
  self->entry = (SatinEntry){
    .struct_size = sizeof (SatinEntry), .name = "program", .root = root, .argc = 1, .argv = argv
  };
  self->sim = satin_sim_new (&sim_options);
  self->hub_host = satin_sim_add_host (self->sim, 0, 1);
  satin_sim_set_charge_func (self->sim, on_charge, self);
  satin_sim_host_call (self->hub_host, start_hub, self);
  g_assert_cmpuint (options->n_nodes, <=, MAX_NODES);
  for (guint i = 0; i < options->n_nodes; i++)
    {
      ProgramNode *node = &self->nodes[i];
      node->program = self;
      node->host = satin_sim_add_host (self->sim, i % 2, self->options.speed);
      satin_sim_host_call (node->host, start_node, node);
    }
  if (options->leaver > 0)
    {
      ProgramNode *leaver = &self->nodes[options->leaver - 1];
      satin_loop_timer_add (satin_sim_host_get_loop (leaver->host), options->leave_at_us, leave,
                            leaver);
    }
  g_assert_true (satin_sim_run (self->sim, DEADLINE_US, is_over, self));
  if (!options->may_fail)
    g_assert_cmpint (self->exit_status, ==, 0);
  return self;
}

static void
free_node (gpointer user_data)
{
  ProgramNode *self = user_data;
  satin_membership_free (self->member);
  satin_workers_free (self->workers);
}

static void
on_closed (const GError *error, gpointer user_data)
{
}

static void
free_hub (gpointer user_data)
{
  Program *self = user_data;
  satin_hub_free (self->hub);
  satin_transport_close (self->transport, on_closed, NULL);
}

void
program_free (Program *self)
{
  /* Crashes all hosts first, so that freeing does not wait for workers: some of them may never
   * end. */
  for (guint i = 0; i < self->options.n_nodes; i++)
    {
      satin_sim_host_crash (self->nodes[i].host);
      satin_sim_host_call (self->nodes[i].host, free_node, &self->nodes[i]);
    }
  satin_sim_host_call (self->hub_host, free_hub, self);
  satin_sim_run (self->sim, DEADLINE_US, NULL, NULL);
  satin_sim_free (self->sim);
  g_clear_error (&self->leave_error);
  if (loses_workers (&self->options))
    __lsan_enable ();
  g_free (self);
}

gint64
program_makespan_us (const Program *self)
{
  return self->ended_us - self->began_us;
}

gint64
program_work_ns (const Program *self)
{
  gint64 work_ns = 0;
  for (guint i = 0; i < self->options.n_nodes; i++)
    work_ns += satin_sim_host_get_work_ns (self->nodes[i].host);
  return work_ns;
}

guint64
program_hash (const Program *self)
{
  SatinSimFigures figures;
  satin_sim_get_figures (self->sim, &figures);
  return figures.hash;
}
