/* part.c - a part that does what its parameters say and keeps a diary, for the tests of nodes
 *
 * The diary is the interface "diary", a GString that the test provides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>

typedef struct
{
  SatinNode *node; /* (borrowed) */
  GString *diary;  /* (borrowed from the test) */
  gint64 stop_us;
  gboolean fails_at_stop;
  SatinDoneFunc done;
  gpointer done_data;
} Part;

static const SatinParam params[] = {
  { "provide", SATIN_PARAM_STRING, "", "name of an interface to provide at the start" },
  { "await", SATIN_PARAM_STRING, "", "name of an interface to wait for" },
  { "fail", SATIN_PARAM_STRING, "", "how it fails to start: aloud or silently" },
  { "stop-time", SATIN_PARAM_DURATION, "0", "how long stopping takes" },
  { "stop-fail", SATIN_PARAM_BOOLEAN, "no", "whether stopping fails" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static void
on_interface (gpointer interface, gpointer user_data)
{
  g_string_append_printf (user_data, FILE_NAME " got %s. ", (const char *)interface);
}

static gpointer
part_start (SatinNode *node, const SatinParams *values, GError **error)
{
  GString *diary = satin_node_find (node, "diary");
  const char *provide = satin_params_get_string (values, "provide");
  const char *await = satin_params_get_string (values, "await");
  const char *fail = satin_params_get_string (values, "fail");
  Part *part;

  if (*await != '\0')
    satin_node_await (node, await, on_interface, diary);
  if (*fail != '\0')
    {
      if (!g_str_equal (fail, "silently"))
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "no luck");
      return NULL;
    }
  g_string_append (diary, FILE_NAME " starts. ");
  part = g_new0 (Part, 1);
  part->node = node;
  part->diary = diary;
  part->stop_us = satin_params_get_duration_us (values, "stop-time");
  part->fails_at_stop = satin_params_get_boolean (values, "stop-fail");
  if (*provide != '\0')
    satin_node_provide (node, provide, (gpointer)FILE_NAME);
  return part;
}

G_GNUC_UNUSED static void
part_stopped (gpointer user_data)
{
  Part *part = user_data;
  g_autoptr (GError) error = NULL;

  g_string_append (part->diary, FILE_NAME " stopped. ");
  if (part->fails_at_stop)
    error = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_IO, FILE_NAME " is stuck");
  part->done (error, part->done_data);
  g_free (part);
}

G_GNUC_UNUSED static void
part_stop (gpointer handle, SatinDoneFunc done, gpointer user_data)
{
  Part *part = handle;

  g_string_append (part->diary, FILE_NAME " stops. ");
  part->done = done;
  part->done_data = user_data;
  satin_loop_timer_add (satin_node_get_loop (part->node), part->stop_us, part_stopped, part);
}

static void
part_figures (gpointer handle, SatinFigureFunc add, gpointer user_data)
{
  add (FILE_NAME ".one", 1, user_data);
  add (FILE_NAME ".two", 2, user_data);
}

static void
part_waits (gpointer handle, SatinWaitFunc add, gpointer user_data)
{
  SatinWait wait = { .what = FILE_NAME };

  add (&wait, user_data);
}

static const SatinPartOps ops = {
  .struct_size = sizeof (SatinPartOps),
  .start = part_start,
#ifndef HAS_NO_STOP
  .stop = part_stop,
#endif
  .figures = part_figures,
  .waits = part_waits,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PART,
  .thread_model = SATIN_THREAD_LOOP,
  .name = FILE_NAME,
  .version = "0",
  .summary = "keeps a diary",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
