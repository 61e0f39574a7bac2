/* meeting.c - where the parts of a node meet: interfaces, failure, figures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

void
satin_await_free (gpointer data)
{
  SatinAwait *await = data;

  g_free (await->name);
  g_free (await);
}

void
satin_node_forget_awaits (SatinNode *self, guint64 n_awaits)
{
  GPtrArray *awaits = self->awaits;

  while (awaits->len > 0
         && ((const SatinAwait *)awaits->pdata[awaits->len - 1])->number >= n_awaits)
    g_ptr_array_set_size (awaits, (int)awaits->len - 1);
}

/* Takes out the first wait for the interface @name. Returns: (transfer full) (nullable) */
static SatinAwait *
take_await (SatinNode *self, const char *name)
{
  for (guint i = 0; i < self->awaits->len; i++)
    if (strcmp (((const SatinAwait *)self->awaits->pdata[i])->name, name) == 0)
      return g_ptr_array_steal_index (self->awaits, i);
  return NULL;
}

static void
add_interface (SatinNode *self, const char *name, gpointer interface)
{
  SatinProvided provided = { g_ref_string_new_intern (name), interface };

  g_array_append_val (self->provided, provided);
}

static void
remove_interface (SatinNode *self, const char *name)
{
  for (guint i = 0; i < self->provided->len; i++)
    if (strcmp (g_array_index (self->provided, SatinProvided, i).name, name) == 0)
      {
        g_array_remove_index (self->provided, i);
        return;
      }
}

void
satin_node_provide (SatinNode *self, const char *name, gpointer interface)
{
  SatinAwait *await;

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (interface == NULL || satin_node_find (self, name) == NULL);

  if (interface == NULL)
    {
      remove_interface (self, name);
      return;
    }
  add_interface (self, name, interface);
  /* A callback may withdraw the interface again. Then the other callers still wait. */
  while (satin_node_find (self, name) == interface && (await = take_await (self, name)) != NULL)
    {
      await->func (interface, await->user_data);
      satin_await_free (await);
    }
}

gpointer
satin_node_find (SatinNode *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->provided->len; i++)
    {
      const SatinProvided *provided = &g_array_index (self->provided, SatinProvided, i);
      if (strcmp (provided->name, name) == 0)
        return provided->interface;
    }
  return NULL;
}

void
satin_node_await (SatinNode *self, const char *name, SatinInterfaceFunc func, gpointer user_data)
{
  gpointer interface;
  SatinAwait *await;

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (func != NULL);

  interface = satin_node_find (self, name);
  if (interface != NULL)
    {
      func (interface, user_data);
      return;
    }
  if (self->stop_func != NULL)
    return;
  await = g_new0 (SatinAwait, 1);
  await->number = self->n_awaits++;
  await->name = g_strdup (name);
  await->func = func;
  await->user_data = user_data;
  g_ptr_array_add (self->awaits, await);
}

static void
tell_failure (gpointer user_data)
{
  SatinNode *self = user_data;

  self->failure_timer = 0;
  self->is_failure_told = TRUE;
  self->fail_func (self->failure, self->fail_data);
}

/* Reports the failure, once there is both a failure and a function to report it to. */
static void
maybe_tell_failure (SatinNode *self)
{
  if (self->failure != NULL && self->fail_func != NULL && !self->is_failure_told
      && self->failure_timer == 0)
    self->failure_timer = satin_loop_timer_add (self->loop, 0, tell_failure, self);
}

void
satin_node_fail (SatinNode *self, GError *error)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (error != NULL);

  if (self->failure != NULL)
    {
      g_error_free (error);
      return;
    }
  self->failure = error;
  maybe_tell_failure (self);
}

void
satin_node_set_fail_func (SatinNode *self, void (*func) (const GError *, gpointer),
                          gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->fail_func = func;
  self->fail_data = user_data;
  if (func == NULL)
    satin_loop_timer_cancel (self->loop, &self->failure_timer);
  maybe_tell_failure (self);
}

void
satin_node_add_figures (SatinNode *self, SatinFiguresFunc func, gpointer user_data)
{
  SatinFigureSource source = { func, user_data };

  g_return_if_fail (self != NULL);
  g_return_if_fail (func != NULL);

  g_array_append_val (self->figure_sources, source);
}

void
satin_node_figures (SatinNode *self, SatinFigureFunc add, gpointer user_data)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (add != NULL);

  for (guint i = 0; i < self->figure_sources->len; i++)
    {
      const SatinFigureSource *source = &g_array_index (self->figure_sources, SatinFigureSource, i);

      source->func (add, user_data, source->user_data);
    }
  for (guint i = 0; i < self->parts->len; i++)
    {
      const SatinPart *part = self->parts->pdata[i];

      if (part->ops.figures != NULL)
        part->ops.figures (part->handle, add, user_data);
    }
}
