/* plus.c - a storage for tests, whose scheme has a "+", and which never opens
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

static SatinStorageOps ops = { .struct_size = sizeof (SatinStorageOps) };

static gpointer
plus_open (const char *uri, const SatinParams *given, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "<%s> does not open", uri);
  return NULL;
}

/* Stands for all operations but open(). Nobody calls them, because there is never a handle. */
static void
end_process (void)
{
  g_assert_not_reached ();
}

__attribute__ ((constructor)) static void
fill_in (void)
{
  for (const SatinRequired *each = satin_storage_required; each->name != NULL; each++)
    *(void (**) (void)) ((char *)&ops + each->offset) = end_process;
  ops.open = plus_open;
}

static const char *const schemes[] = { "plus", "one+two", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "plus",
  .version = "0",
  .summary = "never opens",
  .schemes = schemes,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
