/* storage-uri.h - takes a storage's URI apart: filters, storage and their parameters
 *
 * Threads: any; one thread at a time for each StorageUri.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/filter.h>

typedef struct
{
  guint n_filters;
  const SatinPlugin *filters[SATIN_FILTER_MAX]; /* (borrowed): the outermost first */
  const SatinPlugin *storage;                   /* (borrowed) */
  const char *rest; /* (borrowed from the URI): the URI without the filters, for the storage */
  SatinParams *filter_params[SATIN_FILTER_MAX]; /* (owned) */
  SatinParams *storage_params;                  /* (owned) */
} StorageUri;

/**
 * storage_uri_find:
 * @self: (out): all plugins on success; the caller clears it in any case
 * @uri: borrowed for the life of @self
 * @error: %SATIN_ERROR_NOT_FOUND for an unknown filter (the message lists the known ones);
 *   %SATIN_ERROR_INVALID for too many filters; or the error of a plugin that cannot be loaded
 *
 * Finds the plugins of the filters and of the storage that @uri names.
 *
 * Returns: %TRUE on success
 */
gboolean storage_uri_find (StorageUri *self, const char *uri, GError **error);

/**
 * storage_uri_parse:
 * @text: (nullable): all parameters: "FILTER.key=value" is for the filter of that name. A key
 *   without a dot is for the storage
 * @may_make: when %FALSE, the storage gets "make=no" if it has that parameter
 * @error: %SATIN_ERROR_INVALID; the message names the plugin, or the filter that is not in the URI
 *
 * Divides the parameters in @text among the plugins that storage_uri_find() has found.
 *
 * Returns: %TRUE when all plugins have their parameters
 */
gboolean storage_uri_parse (StorageUri *self, const char *text, gboolean may_make, GError **error);

void storage_uri_clear (StorageUri *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StorageUri, storage_uri_clear)
