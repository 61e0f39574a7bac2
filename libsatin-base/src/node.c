/* node.c - one member of a run: a loop and the parts that meet on it
 *
 * Stopping goes part by part, each from a timer of the loop, so that no part
 * is stopped inside a call of another and the caller's @done never runs inside
 * satin_node_stop().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>

#include <string.h>

typedef struct
{
  char *name; /* (owned) */
  SatinPartOps ops;
  SatinParams *params; /* (owned) */
  gpointer handle;     /* (owned), gone when its stop is done */
} Part;

typedef struct
{
  char *name; /* (owned) */
  SatinInterfaceFunc func;
  gpointer user_data;
} Await;

typedef struct
{
  SatinFiguresFunc func;
  gpointer user_data;
} FigureSource;

struct _SatinNode
{
  SatinLoop *loop; /* (borrowed from the maker) */
  SatinProgram program;
  char *program_name;         /* (owned) */
  GPtrArray *parts;           /* (owned) to (owned) Part*, in order of starting */
  GHashTable *interfaces;     /* (owned) char* name to (borrowed from its provider) interface */
  GPtrArray *awaits;          /* (owned) to (owned) Await*, in order of asking */
  GArray *figure_sources;     /* (owned) of FigureSource */
  GError *failure;            /* (owned), the first */
  SatinTimerId failure_timer; /* will tell of it */
  gboolean is_failure_told;
  void (*fail_func) (const GError *, gpointer);
  gpointer fail_data;
  SatinDoneFunc stop_func; /* set once stopping */
  gpointer stop_data;
  SatinTimerId stop_timer; /* will stop the next part */
  Part *stopping;          /* (owned), the part that is being stopped */
  GError *stop_error;      /* (owned), the first */
};

static void
part_free (gpointer data)
{
  Part *part = data;

  g_free (part->name);
  satin_params_free (part->params);
  g_free (part);
}

static void
await_free (gpointer data)
{
  Await *await = data;

  g_free (await->name);
  g_free (await);
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
  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->interfaces = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->awaits = g_ptr_array_new_with_free_func (await_free);
  self->figure_sources = g_array_new (FALSE, FALSE, sizeof (FigureSource));
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
  g_hash_table_unref (self->interfaces);
  g_ptr_array_unref (self->parts);
  g_free (self->program_name);
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
    if (strcmp (((const Part *)self->parts->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Loads the plugin of @part and reads its parameters. */
static gboolean
prepare_part (Part *part, const char *params_text, GError **error)
{
  static const SatinParam no_params[] = { { NULL, SATIN_PARAM_STRING, NULL, NULL } };
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_PART, part->name, error);
  const SatinPluginDesc *desc;

  if (plugin == NULL)
    return FALSE;
  desc = satin_plugin_get_desc (plugin);
  satin_plugin_copy_ops (plugin, &part->ops, sizeof part->ops);
  if (part->ops.start == NULL || part->ops.stop == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s can not be started and stopped",
                   satin_plugin_get_path (plugin));
      return FALSE;
    }
  part->params =
      satin_params_parse_text (desc->params == NULL ? no_params : desc->params, params_text, error);
  return part->params != NULL;
}

gboolean
satin_node_add_part (SatinNode *self, const char *text, GError **error)
{
  const char *colon;
  guint n_awaits;
  Part *part;

  g_return_val_if_fail (self != NULL && self->stop_func == NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  colon = strchr (text, ':');
  part = g_new0 (Part, 1);
  part->name = colon == NULL ? g_strdup (text) : g_strndup (text, (gsize)(colon - text));
  n_awaits = self->awaits->len;
  if (has_part (self, part->name))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "given twice");
  else if (prepare_part (part, colon == NULL ? NULL : colon + 1, error))
    part->handle = part->ops.start (self, part->params, error);
  if (part->handle != NULL)
    {
      g_ptr_array_add (self->parts, part);
      return TRUE;
    }
  g_prefix_error (error, "part %s: ", part->name);
  g_ptr_array_set_size (self->awaits, (int)MIN (n_awaits, self->awaits->len));
  part_free (part);
  return FALSE;
}

/* The first who waits for the interface @name, taken out; (transfer full) (nullable). */
static Await *
take_await (SatinNode *self, const char *name)
{
  for (guint i = 0; i < self->awaits->len; i++)
    if (strcmp (((const Await *)self->awaits->pdata[i])->name, name) == 0)
      return g_ptr_array_steal_index (self->awaits, i);
  return NULL;
}

void
satin_node_provide (SatinNode *self, const char *name, gpointer interface)
{
  Await *await;

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (interface == NULL || satin_node_find (self, name) == NULL);

  if (interface == NULL)
    {
      g_hash_table_remove (self->interfaces, name);
      return;
    }
  g_hash_table_insert (self->interfaces, g_strdup (name), interface);
  /* A call may withdraw the interface again; the rest goes on waiting then. */
  while (satin_node_find (self, name) == interface && (await = take_await (self, name)) != NULL)
    {
      await->func (interface, await->user_data);
      await_free (await);
    }
}

gpointer
satin_node_find (SatinNode *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return g_hash_table_lookup (self->interfaces, name);
}

void
satin_node_await (SatinNode *self, const char *name, SatinInterfaceFunc func, gpointer user_data)
{
  gpointer interface;
  Await *await;

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (func != NULL);

  interface = satin_node_find (self, name);
  if (interface != NULL)
    {
      func (interface, user_data);
      return;
    }
  await = g_new0 (Await, 1);
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

/* Once there is both a failure and someone to tell. */
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
  FigureSource source = { func, user_data };

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
      const FigureSource *source = &g_array_index (self->figure_sources, FigureSource, i);

      source->func (add, user_data, source->user_data);
    }
  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = self->parts->pdata[i];

      if (part->ops.figures != NULL)
        part->ops.figures (part->handle, add, user_data);
    }
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
  /* The caller may free the node in this call. */
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
  g_ptr_array_set_size (self->awaits, 0);
  self->stop_timer = satin_loop_timer_add (self->loop, 0, stop_next, self);
}
