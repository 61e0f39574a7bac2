/* scene.c - a node with the part under test, on a real loop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene.h"

#include "counted-loop.h"

#define PASS_US ((gint64)2000)

/* How long a part may take to join a run and to provide the other nodes. */
#define PROBE_US ((gint64)1000000)

/* The interfaces that a part must have withdrawn when it has stopped. */
static const char *const interfaces[] = { SATIN_INTERFACE_PEERS,
                                          SATIN_INTERFACE_RUN,
                                          SATIN_INTERFACE_CORE,
                                          SATIN_INTERFACE_DEPARTURE,
                                          "recovery",
                                          "object-store",
                                          "details",
                                          NULL };

static void
on_failed (const GError *error, gpointer user_data)
{
  Scene *self = user_data;
  case_break (self->c, "the part fails its node: %s", error->message);
}

Scene *
scene_new (Case *c)
{
  const SatinProgram program = { .name = "conformance", .digest = { 1 }, .root = { 1 } };
  Scene *self = g_new0 (Scene, 1);
  self->c = c;
  self->stage = stage_new (FALSE);
  self->loop = counted_loop_new (stage_get_loop (self->stage, 0), ++c->watch->n_loops);
  self->post = post_new (c, self->stage);
  self->node = satin_node_new (self->loop, &program);
  self->company = company_new (c, stage_get_loop (self->stage, 0));
  satin_node_set_fail_func (self->node, on_failed, self);
  satin_plugin_copy_ops (c->plugin, satin_part_required, &self->ops, sizeof self->ops, NULL);
  return self;
}

gboolean
scene_start (Scene *self, const SatinParams *params, GError **error)
{
  self->c->watch->is_exercised = TRUE;
  self->part = self->ops.start (self->node, params != NULL ? params : self->c->params, error);
  return self->part != NULL;
}

Scene *
scene_begin (Case *c)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Scene) self = scene_new (c);
  gboolean is_started = scene_start (self, NULL, &error);
  return case_expect_open (c, is_started, error) ? g_steal_pointer (&self) : NULL;
}

static gboolean
never (gpointer data)
{
  return FALSE;
}

void
scene_pass (Scene *self)
{
  stage_turn_until (self->stage, never, NULL, PASS_US);
}

/* ---- the others ---- */

static gboolean
is_provided (gpointer data)
{
  SatinNode *node = ((Scene *)data)->node;
  return satin_node_find (node, SATIN_INTERFACE_PEERS) != NULL
         || satin_node_find (node, SATIN_INTERFACE_RUN) != NULL;
}

gboolean
scene_is_provider (Scene *self)
{
  Watch *watch = self->c->watch;
  if (!watch->is_probed)
    watch->is_provider =
        stage_turn_until (self->stage, is_provided, self, MIN (self->c->patience_us, PROBE_US));
  watch->is_probed = TRUE;
  return watch->is_provider;
}

gboolean
scene_meet (Scene *self)
{
  if (scene_is_provider (self))
    {
      case_skip (self->c, "the part itself provides the other nodes");
      return FALSE;
    }
  company_enter (self->company, self->node);
  self->is_in_company = TRUE;
  return TRUE;
}

/* ---- waits ---- */

static void
check_wait (const SatinWait *wait, gpointer user_data)
{
  Scene *self = user_data;
  if (wait->what == NULL || *wait->what == '\0')
    case_note (self->c, RULE_WAIT_WORDS, "it waits for something without words");
  if (wait->since_us < 0 || wait->since_us > satin_loop_now_us (self->loop))
    case_note (self->c, RULE_WAIT_TIME,
               "\"%s\" began at %" G_GINT64_FORMAT ", and it is %" G_GINT64_FORMAT " now",
               wait->what, wait->since_us, satin_loop_now_us (self->loop));
  if (wait->since_us != 0 && !counted_loop_has_timer (self->loop, wait->deadline))
    case_note (self->c, RULE_WAIT_DEADLINE, "no timer ends the wait for \"%s\"", wait->what);
}

void
scene_check_waits (Scene *self)
{
  if (self->ops.waits != NULL)
    self->ops.waits (self->part, check_wait, self);
}

/* ---- stopping ---- */

static void
on_node_stopped (const GError *error, gpointer user_data)
{
  ((Scene *)user_data)->is_node_stopped = TRUE;
}

static gboolean
is_node_stopped (gpointer data)
{
  return ((Scene *)data)->is_node_stopped;
}

static void
on_done (const GError *error, gpointer user_data)
{
  Scene *self = user_data;
  if (self->is_inside_stop)
    case_note (self->c, RULE_INSIDE, "done came inside stop");
  if (++self->n_done > 1)
    case_note (self->c, RULE_DONE, "done came %u times", self->n_done);
}

static gboolean
is_done (gpointer data)
{
  return ((Scene *)data)->n_done > 0;
}

/* Notes which rules are broken by what the part has left behind. */
static void
check_left (Scene *self)
{
  guint n_calls = counted_loop_count (self->loop);
  guint n_functions = company_count_functions (self->company);
  if (n_calls > 0)
    case_note (self->c, RULE_CALLS, "%u timers or posted calls are pending after its end", n_calls);
  if (n_functions > 0)
    case_note (self->c, RULE_FUNCTIONS, "%u functions are still set after its end", n_functions);
  if (self->is_in_company)
    company_leave (self->company, self->node);
  self->is_in_company = FALSE;
  for (guint i = 0; interfaces[i] != NULL; i++)
    if (satin_node_find (self->node, interfaces[i]) != NULL)
      case_note (self->c, RULE_WITHDRAWN, "it still provides \"%s\" after its end", interfaces[i]);
}

/* Stops the node before the part, as in a run: a node that stops first forgets the functions that
 * wait for interfaces. */
void
scene_stop (Scene *self)
{
  if (self->part == NULL)
    return;
  satin_node_stop (self->node, on_node_stopped, self);
  stage_turn_until (self->stage, is_node_stopped, self, self->c->patience_us);
  self->is_inside_stop = TRUE;
  self->ops.stop (self->part, on_done, self);
  self->is_inside_stop = FALSE;
  if (self->ops.waits != NULL && self->n_done == 0)
    scene_check_waits (self);
  /* If an earlier case has noted that the rule about done is broken, this case waits only briefly.
   */
  gint64 patience_us = case_has_note (self->c, RULE_DONE) ? PASS_US : self->c->patience_us;
  if (!stage_turn_until (self->stage, is_done, self, patience_us))
    case_note (self->c, RULE_DONE, "done does not come");
  self->part = NULL;
  scene_pass (self);
  check_left (self);
}

void
scene_free (Scene *self)
{
  scene_stop (self);
  counted_loop_drop_all (self->loop);
  company_free (self->company);
  satin_node_free (self->node);
  satin_loop_free (self->loop);
  g_clear_pointer (&self->post, post_free);
  stage_free (self->stage);
  g_free (self);
}
