/* plugin.h - what a plugin exports and how a program finds it
 *
 * A plugin is one shared object KIND-NAME.so with one exported symbol, made by
 * SATIN_PLUGIN_EXPORT. It is looked for in the folders of SATIN_PLUGIN_PATH
 * (colon between them), then in the installed plugin folder; it is opened with
 * local binding, made resident and never unloaded. It keeps no global state: all
 * hangs off the handle that its open function returns.
 *
 * Threads: any, for the host functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

G_BEGIN_DECLS

/* Raised when the meaning of an existing field changes, and when a structure grows that lies in
 * arrays or that has no size. New fields at the end of others do not. */
#define SATIN_PLUGIN_ABI 3

/* What a plugin is for; the word in its file name is in satin_plugin_kind_name(). */
typedef enum
{
  SATIN_PLUGIN_TRANSPORT = 1, /* carries bytes between nodes; satin/net/transport.h */
  SATIN_PLUGIN_REGISTRY,      /* who is in the run; satin/net/registry.h */
  SATIN_PLUGIN_STORAGE,       /* where checkpoints lie */
  SATIN_PLUGIN_POLICY,        /* whom to steal from; satin/core/policy.h */
  SATIN_PLUGIN_PROVISION,     /* where nodes come from; satin/adapt/provision.h */
  SATIN_PLUGIN_PART,          /* what a node is made of; satin/base/node.h */
  SATIN_PLUGIN_WORLD,         /* runs a program other than as itself; satin/core/membership.h */
  SATIN_PLUGIN_ADAPTATION,    /* which nodes a run should have; satin/adapt/adaptation.h */
  SATIN_PLUGIN_FILTER,        /* stands before a storage; satin/ft/filter.h */
  SATIN_PLUGIN_N_KINDS,       /* one above the last */
} SatinPluginKind;

/* From which threads the host may call the operations of one handle. */
typedef enum
{
  SATIN_THREAD_LOOP = 1, /* the loop's thread only */
  SATIN_THREAD_ONE,      /* any thread, one at a time */
  SATIN_THREAD_ANY,      /* any threads at once */
} SatinThreadModel;

/**
 * SatinPluginDesc:
 * @struct_size: size of this structure as the plugin was built, set by %SATIN_PLUGIN_DESC_HEAD
 * @abi: %SATIN_PLUGIN_ABI as the plugin was built, set by %SATIN_PLUGIN_DESC_HEAD
 * @name: as in the file name
 * @version: the plugin's own version
 * @summary: one line for `satin inspect`, no full stop
 * @author: (nullable): who answers for it
 * @schemes: (nullable) (array zero-terminated=1): URI schemes it serves, without colon
 * @params: (nullable) (array zero-terminated=1): its parameters; %NULL for none. In the host's copy
 *   it is an empty table then
 * @ops: the operations of its kind; their structure begins with its size
 *
 * Grows at the end only.
 */
typedef struct
{
  gsize struct_size;
  guint abi;
  SatinPluginKind kind;
  SatinThreadModel thread_model;
  const char *name;
  const char *version;
  const char *summary;
  const char *author;
  const char *const *schemes;
  const SatinParam *params;
  const void *ops;
} SatinPluginDesc;

/* The first members of a descriptor: its size and its ABI. */
#define SATIN_PLUGIN_DESC_HEAD .struct_size = sizeof (SatinPluginDesc), .abi = SATIN_PLUGIN_ABI

/* The name of the only symbol that a plugin exports. */
#define SATIN_PLUGIN_SYMBOL "satin_plugin_desc"
/* Exports @desc, a static SatinPluginDesc. Once in a plugin, without semicolon. */
#define SATIN_PLUGIN_EXPORT(desc)                                                                  \
  __attribute__ ((visibility ("default"))) const SatinPluginDesc *satin_plugin_desc (void);        \
  const SatinPluginDesc *satin_plugin_desc (void) { return &desc; }

/* A plugin that was opened. It lives as long as the process. */
typedef struct _SatinPlugin SatinPlugin;

/* The word for @kind in file names and messages: "transport", "registry", ... */
SATIN_API const char *satin_plugin_kind_name (SatinPluginKind kind);

/**
 * satin_plugin_load:
 * @kind: what is wanted
 * @name: its name, letters, digits and dashes only
 * @error: %SATIN_ERROR_NOT_FOUND with the folders looked in; %SATIN_ERROR_ABI when it was built
 *   for another ABI (with both numbers); %SATIN_ERROR_INVALID when the descriptor is wrong or its
 *   name or kind is not that of the file (with both)
 *
 * Finds and opens a plugin; a second call gives the same one.
 *
 * Threads: any. Cost: a few file operations the first time.
 *
 * Returns: (transfer none): lives as long as the process, or %NULL with @error set
 */
SATIN_API const SatinPlugin *satin_plugin_load (SatinPluginKind kind, const char *name,
                                                GError **error);

/* As satin_plugin_load(), for the first plugin of @kind that serves the scheme of @uri ("tcp://h:1"
 * and "unix:/p" have the schemes "tcp" and "unix"). A file named KIND-SCHEME.so is tried first. */
SATIN_API const SatinPlugin *satin_plugin_load_for_uri (SatinPluginKind kind, const char *uri,
                                                        GError **error);

/* As satin_plugin_load(), for the file at @path, wherever it lies. */
SATIN_API const SatinPlugin *satin_plugin_open (const char *path, GError **error);

/**
 * satin_plugin_list:
 * @ret_broken: (out) (transfer full) (nullable) (element-type utf8): one message for each file
 *   that looks like a plugin and cannot be opened
 *
 * Opens every plugin that can be found, by kind and name.
 *
 * Returns: (transfer container) (element-type SatinPlugin): free with g_ptr_array_unref()
 */
SATIN_API GPtrArray *satin_plugin_list (GPtrArray **ret_broken);

/* The descriptor: the host's copy, with fields that the plugin's older structure lacks at 0. */
SATIN_API const SatinPluginDesc *satin_plugin_get_desc (const SatinPlugin *self);
/* The file it came from. */
SATIN_API const char *satin_plugin_get_path (const SatinPlugin *self);

/**
 * SatinRequired:
 * @name: of an operation; %NULL ends the table
 * @offset: where it lies in the structure of operations
 *
 * An operation that each plugin of a kind must have. The table of a kind stands below its
 * structure.
 */
typedef struct
{
  const char *name;
  gsize offset;
} SatinRequired;

/* A row of a table of required operations. */
#define SATIN_REQUIRED(type, operation)                                                            \
  {                                                                                                \
#    operation, G_STRUCT_OFFSET(type, operation)                                                   \
  }

/**
 * satin_plugin_copy_ops:
 * @required: (array zero-terminated=1): what a plugin of the kind must have
 * @ret_ops: (out caller-allocates): a structure of the kind's operations, beginning with a gsize;
 *   untouched on failure
 * @size_bytes: sizeof that structure
 * @error: %SATIN_ERROR_INVALID, naming the plugin and the operation that it lacks
 *
 * Copies as many bytes as plugin and host both know and zeroes the rest, so
 * that an operation newer than the plugin is %NULL. The size in the copy is
 * @size_bytes.
 *
 * Returns: %TRUE when all that is required is there
 */
SATIN_API gboolean satin_plugin_copy_ops (const SatinPlugin *self, const SatinRequired *required,
                                          gpointer ret_ops, gsize size_bytes, GError **error);

/**
 * satin_plugin_explain:
 * @self: (nullable): a plugin whose operation has just failed
 * @error: (nullable): what that operation set
 *
 * Makes sure that there is an error: a plugin that failed without one gets one that names it.
 */
SATIN_API void satin_plugin_explain (const SatinPlugin *self, GError **error);

/**
 * satin_plugin_load_spec:
 * @text: a plugin's name, or its name and parameters: "NAME", "NAME:key=value,..."
 * @ret_params: (out) (transfer full) (nullable): its parameters, defaults filled in; with %NULL
 * nobody looks at them
 * @error: as for satin_plugin_load(); %SATIN_ERROR_INVALID for parameters, naming the plugin
 *
 * Finds the plugin that a user named, and reads the parameters that the user gave it.
 *
 * Threads: any.
 *
 * Returns: (transfer none): as satin_plugin_load() does, or %NULL with @error set
 */
SATIN_API const SatinPlugin *satin_plugin_load_spec (SatinPluginKind kind, const char *text,
                                                     SatinParams **ret_params, GError **error);

G_END_DECLS
