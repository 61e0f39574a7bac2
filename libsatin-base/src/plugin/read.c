/* read.c - opens one plugin file and checks its descriptor
 *
 * The checks have an order. First comes the ABI number, which says whether the rest has the meaning
 * that this host expects; then the size of the descriptor; then its fields.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <gmodule.h>
#include <string.h>

#include "params-private.h"

/* The largest size of a structure that a descriptor may state. */
#define MAX_STRUCT_BYTES 65536

/* The size of the descriptor in the first version of this ABI. */
#define MIN_DESC_BYTES (G_STRUCT_OFFSET (SatinPluginDesc, ops) + sizeof (const void *))

typedef const SatinPluginDesc *(*DescFunc) (void);

/* The table of a plugin without parameters. */
static const SatinParam no_params[] = { { NULL, SATIN_PARAM_STRING, NULL, NULL } };

void
satin_plugin_drop (SatinPlugin *self)
{
  g_free (self->path);
  g_free (self);
}

static gboolean
check_text (const char *field, const char *text, GError **error)
{
  if (text != NULL && *text != '\0')
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "its descriptor has no %s", field);
  return FALSE;
}

static gboolean
check_range (const char *field, gsize value, gsize least, gsize most, GError **error)
{
  if (value >= least && value <= most)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "its %s is %" G_GSIZE_FORMAT ", which is not from %" G_GSIZE_FORMAT
               " to %" G_GSIZE_FORMAT,
               field, value, least, most);
  return FALSE;
}

static gboolean
check_schemes (const char *const *schemes, GError **error)
{
  for (guint i = 0; schemes != NULL && schemes[i] != NULL; i++)
    {
      g_autofree char *uri = g_strconcat (schemes[i], ":", NULL);
      g_autofree char *scheme = g_uri_parse_scheme (uri);

      if (g_strcmp0 (scheme, schemes[i]) != 0)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is not a URI scheme",
                       schemes[i]);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_fields (const SatinPluginDesc *desc, GError **error)
{
  if (!check_range ("kind", desc->kind, SATIN_PLUGIN_TRANSPORT, SATIN_PLUGIN_N_KINDS - 1, error)
      || !check_range ("thread model", desc->thread_model, SATIN_THREAD_LOOP, SATIN_THREAD_ANY,
                       error)
      || !check_text ("name", desc->name, error) || !check_text ("version", desc->version, error)
      || !check_text ("summary", desc->summary, error) || !check_schemes (desc->schemes, error))
    return FALSE;
  if (!satin_params_check_table (desc->params, error))
    return FALSE;
  if (desc->ops != NULL)
    return check_range ("size of its operations", *(const gsize *)desc->ops, sizeof (gsize),
                        MAX_STRUCT_BYTES, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "its descriptor has no operations");
  return FALSE;
}

/* Copies the part of the descriptor that both plugin and host know. */
static gboolean
copy_desc (const SatinPluginDesc *theirs, SatinPluginDesc *ret_desc, GError **error)
{
  if (theirs == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "it has no descriptor");
      return FALSE;
    }
  if (theirs->abi != SATIN_PLUGIN_ABI)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_ABI,
                   "it was built for plugin ABI %u, this program has %d; build it again",
                   theirs->abi, SATIN_PLUGIN_ABI);
      return FALSE;
    }
  if (!check_range ("size of the descriptor", theirs->struct_size, MIN_DESC_BYTES, MAX_STRUCT_BYTES,
                    error))
    return FALSE;
  memset (ret_desc, 0, sizeof *ret_desc);
  memcpy (ret_desc, theirs, MIN (theirs->struct_size, sizeof *ret_desc));
  if (ret_desc->params == NULL)
    ret_desc->params = no_params;
  return TRUE;
}

/* Opens the file for ever, and reads its descriptor. */
static gboolean
open_desc (const char *path, SatinPluginDesc *ret_desc, GError **error)
{
  GModule *module = g_module_open (path, G_MODULE_BIND_LOCAL);
  gpointer symbol = NULL;

  if (module == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "it cannot be opened: %s",
                   g_module_error ());
      return FALSE;
    }
  g_module_make_resident (module);
  if (!g_module_symbol (module, SATIN_PLUGIN_SYMBOL, &symbol) || symbol == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "it has no symbol %s; end it with SATIN_PLUGIN_EXPORT", SATIN_PLUGIN_SYMBOL);
      return FALSE;
    }
  return copy_desc (((DescFunc)symbol) (), ret_desc, error) && check_fields (ret_desc, error);
}

static gboolean
read_desc (const char *path, SatinPluginDesc *ret_desc, GError **error)
{
  g_autofree char *name = NULL;
  SatinPluginKind kind = satin_plugin_parse_path (path, &name);

  if (kind == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "its file name is not KIND-NAME.so with a kind of plugin");
      return FALSE;
    }
  if (!open_desc (path, ret_desc, error))
    return FALSE;
  if (ret_desc->kind == kind && strcmp (ret_desc->name, name) == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "its file name says %s %s, its descriptor %s %s", satin_plugin_kind_name (kind),
               name, satin_plugin_kind_name (ret_desc->kind), ret_desc->name);
  return FALSE;
}

SatinPlugin *
satin_plugin_read (const char *path, GError **error)
{
  SatinPluginDesc desc;
  SatinPlugin *self;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "plugin %s: no such file", path);
      return NULL;
    }
  if (!read_desc (path, &desc, error))
    {
      g_prefix_error (error, "plugin %s: ", path);
      return NULL;
    }
  self = g_new0 (SatinPlugin, 1);
  self->path = g_strdup (path);
  self->desc = desc;
  return self;
}
