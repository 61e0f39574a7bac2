/* storage-handle.c - opens a storage plugin directly, for tests of that plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-handle.h"

gpointer
storage_handle_open (const char *plugin_name, const char *uri, const char *assignments,
                     SatinStorageOps *ret_ops)
{
  g_autoptr (GError) error = NULL;
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_STORAGE, plugin_name, &error);
  g_assert_no_error (error);
  satin_plugin_copy_ops (plugin, satin_storage_required, ret_ops, sizeof *ret_ops, NULL);
  g_autoptr (SatinParams) params =
      satin_params_parse_text (satin_plugin_get_desc (plugin)->params, assignments, &error);
  g_assert_no_error (error);
  gpointer storage = ret_ops->open (uri, params, &error);
  g_assert_no_error (error);
  return storage;
}

static void
note_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %" G_GUINT64_FORMAT ";", name, size_bytes);
}

const char *
storage_handle_list (const SatinStorageOps *ops, gpointer storage)
{
  static char text[200];
  g_autoptr (GString) log = g_string_new (NULL);
  g_assert_true (ops->list (storage, note_entry, log, NULL));
  g_strlcpy (text, log->str, sizeof text);
  return text;
}
