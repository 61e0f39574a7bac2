/* node.c - one member of a run: a loop and the parts that meet on it
 *
 * Parts are stopped one after the other, each from a timer of the loop. So no part is stopped
 * inside a call of another part, and the caller's @done never runs inside satin_node_stop().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

static void
part_free (gpointer data)
{
  SatinPart *part = data;

  g_free (part->name);
  satin_params_free (part->params);
  g_free (part);
}

static void
provided_clear (gpointer data)
{
  SatinProvided *provided = data;

  g_ref_string_release (provided->name);
}

SatinNode *
satin_node_new (SatinLoop *loop, const SatinProgram *program)
{
  SatinNode *self;

  g_return_val_if_fail (loop != NULL, NULL);
  g_return_val_if_fail (program != NULL && program->name != NULL, NULL);

  self = g_new0 (SatinNode, 1);
  self->loop = loop;
  self->program = *program;
  self->program_name = g_strdup (program->name);
  self->program.name = self->program_name;
  self->program_arguments = g_strdup (program->arguments);
  self->program.arguments = self->program_arguments;
  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->provided = g_array_new (FALSE, FALSE, sizeof (SatinProvided));
  g_array_set_clear_func (self->provided, provided_clear);
  self->awaits = g_ptr_array_new_with_free_func (satin_await_free);
  self->figure_sources = g_array_new (FALSE, FALSE, sizeof (SatinFigureSource));
  return self;
}

void
satin_node_free (SatinNode *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (self->parts->len == 0 && self->stopping == NULL);

  satin_loop_timer_cancel (self->loop, &self->failure_timer);
  satin_loop_timer_cancel (self->loop, &self->stop_timer);
  g_clear_error (&self->failure);
  g_clear_error (&self->stop_error);
  g_array_unref (self->figure_sources);
  g_ptr_array_unref (self->awaits);
  g_array_unref (self->provided);
  g_ptr_array_unref (self->parts);
  g_free (self->program_name);
  g_free (self->program_arguments);
  g_free (self);
}

SatinLoop *
satin_node_get_loop (SatinNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->loop;
}

const SatinProgram *
satin_node_get_program (SatinNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->program;
}

static gboolean
has_part (const SatinNode *self, const char *name)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (strcmp (((const SatinPart *)self->parts->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Loads the part's plugin and parses its parameters. */
static gboolean
prepare_part (SatinPart *part, const char *text, GError **error)
{
  const SatinPlugin *plugin =
      satin_plugin_load_spec (SATIN_PLUGIN_PART, text, &part->params, error);

  return plugin != NULL
         && satin_plugin_copy_ops (plugin, satin_part_required, &part->ops, sizeof part->ops,
                                   error);
}

static gboolean
start_part (SatinNode *self, SatinPart *part, const char *text, GError **error)
{
  guint64 n_awaits = self->n_awaits;
  GError *local = NULL;

  if (has_part (self, part->name))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "part %s: it is there already; give it once", part->name);
  else if (prepare_part (part, text, error))
    {
      part->handle = part->ops.start (self, part->params, &local);
      if (part->handle != NULL)
        return TRUE;
      satin_node_forget_awaits (self, n_awaits);
      satin_plugin_explain (NULL, &local);
      g_propagate_prefixed_error (error, local, "part %s: ", part->name);
    }
  return FALSE;
}

gboolean
satin_node_add_part (SatinNode *self, const char *text, GError **error)
{
  SatinPart *part;

  g_return_val_if_fail (self != NULL && self->stop_func == NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  part = g_new0 (SatinPart, 1);
  part->name = g_strndup (text, strcspn (text, ":"));
  if (!start_part (self, part, text, error))
    {
      part_free (part);
      return FALSE;
    }
  g_ptr_array_add (self->parts, part);
  return TRUE;
}

static void stop_next (gpointer user_data);

static void
part_stopped (const GError *error, gpointer user_data)
{
  SatinNode *self = user_data;

  g_return_if_fail (self->stopping != NULL);

  if (error != NULL && self->stop_error == NULL)
    {
      self->stop_error = g_error_copy (error);
      g_prefix_error (&self->stop_error, "part %s: ", self->stopping->name);
    }
  g_clear_pointer (&self->stopping, part_free);
  self->stop_timer = satin_loop_timer_add (self->loop, 0, stop_next, self);
}

static void
stop_next (gpointer user_data)
{
  SatinNode *self = user_data;

  self->stop_timer = 0;
  if (self->parts->len > 0)
    {
      self->stopping = g_ptr_array_steal_index (self->parts, self->parts->len - 1);
      self->stopping->ops.stop (self->stopping->handle, part_stopped, self);
      return;
    }
  /* stop_func may free the node. */
  g_autoptr (GError) error = g_steal_pointer (&self->stop_error);
  self->stop_func (error, self->stop_data);
}

void
satin_node_stop (SatinNode *self, SatinDoneFunc done, gpointer user_data)
{
  g_return_if_fail (self != NULL && self->stop_func == NULL);
  g_return_if_fail (done != NULL);

  self->stop_func = done;
  self->stop_data = user_data;
  satin_node_forget_awaits (self, 0);
  self->stop_timer = satin_loop_timer_add (self->loop, 0, stop_next, self);
}
