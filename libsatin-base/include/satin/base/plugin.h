/* plugin.h - what a plugin exports and how a program finds it
 *
 * A plugin is one shared object KIND-NAME.so with one exported symbol, made by SATIN_PLUGIN_EXPORT.
 * The host searches the folders of SATIN_PLUGIN_PATH (separated by colons), then the installed
 * plugin folder; in each, the folder itself and two levels below. The host opens the file with
 * local binding, makes it resident and never unloads it. A plugin keeps no global state: all its
 * state belongs to the handles that its operations return.
 *
 * Threads: any, for the host functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

G_BEGIN_DECLS

/* The version of the interface between host and plugins. It is raised when the meaning of an
 * existing field changes, and when a structure grows that has no size field or lies in arrays. New
 * fields at the end of other structures do not raise it. */
#define SATIN_PLUGIN_ABI 4

/* The kinds of plugins. satin_plugin_kind_name() gives the word in the file name. */
typedef enum
{
  SATIN_PLUGIN_TRANSPORT = 1, /* carries bytes between nodes; satin/net/transport.h */
  SATIN_PLUGIN_REGISTRY,      /* says who is in the run; satin/net/registry.h */
  SATIN_PLUGIN_STORAGE,       /* keeps checkpoints; satin/ft/storage.h */
  SATIN_PLUGIN_POLICY,        /* chooses whom to steal from; satin/core/policy.h */
  SATIN_PLUGIN_PROVISION,     /* provides machines; satin/adapt/provision.h */
  SATIN_PLUGIN_PART,          /* is loaded into a node; satin/base/node.h */
  SATIN_PLUGIN_WORLD,         /* runs a program in another way; satin/core/membership.h */
  SATIN_PLUGIN_ADAPTATION,    /* says which nodes to have; satin/adapt/adaptation.h */
  SATIN_PLUGIN_FILTER,        /* stands before a storage; satin/ft/filter.h */
  SATIN_PLUGIN_LAUNCHER, /* lets commands that were started together meet; satin/net/launcher.h */
  SATIN_PLUGIN_N_KINDS,  /* one above the last */
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
 * @struct_size: size of this structure where the plugin was built; %SATIN_PLUGIN_DESC_HEAD sets it
 * @abi: %SATIN_PLUGIN_ABI where the plugin was built; %SATIN_PLUGIN_DESC_HEAD sets it
 * @name: as in the file name
 * @version: the plugin's own version
 * @summary: one line for `satin inspect`, no full stop
 * @author: (nullable): whom to ask about the plugin
 * @schemes: (nullable) (array zero-terminated=1): URI schemes it serves, without colon
 * @params: (nullable) (array zero-terminated=1): its parameters; %NULL for none. In the host's copy
 *   it is never %NULL, but may be an empty table
 * @ops: the operations of its kind; their structure begins with its size
 *
 * Describes a plugin. The structure grows at its end only.
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
/* Exports @desc, a static SatinPluginDesc. A plugin has this once, without a semicolon. */
#define SATIN_PLUGIN_EXPORT(desc)                                                                  \
  __attribute__ ((visibility ("default"))) const SatinPluginDesc *satin_plugin_desc (void);        \
  const SatinPluginDesc *satin_plugin_desc (void) { return &desc; }

/* An open plugin. It lives as long as the process. */
typedef struct _SatinPlugin SatinPlugin;

/* The word for @kind in file names and messages: "transport", "registry", ... */
SATIN_API const char *satin_plugin_kind_name (SatinPluginKind kind);

/**
 * satin_plugin_load:
 * @kind: which kind of plugin
 * @name: its name: letters, digits and dashes only
 * @error: %SATIN_ERROR_NOT_FOUND, with the folders that were searched; %SATIN_ERROR_ABI when the
 *   plugin was built for another ABI, with both numbers; %SATIN_ERROR_INVALID when @name has other
 *   characters, when the file cannot be opened, when the descriptor is wrong, or when its name or
 *   kind is not that of the file, with both
 *
 * Finds and opens a plugin. A second call returns the same plugin.
 *
 * Threads: any. Cost: the first time, a walk over all folders of the search path.
 *
 * Returns: (transfer none): the plugin, which lives as long as the process; %NULL with @error set
 */
SATIN_API const SatinPlugin *satin_plugin_load (SatinPluginKind kind, const char *name,
                                                GError **error);

/* Like satin_plugin_load(), but finds the first plugin of @kind that serves the scheme of @uri. The
 * schemes of "tcp://h:1" and "unix:/p" are "tcp" and "unix". The file KIND-SCHEME.so is tried
 * first; if it is there and cannot be opened, the call fails. %SATIN_ERROR_INVALID: @uri has no
 * scheme. */
SATIN_API const SatinPlugin *satin_plugin_load_for_uri (SatinPluginKind kind, const char *uri,
                                                        GError **error);

/* Like satin_plugin_load(), but opens the file at @path, wherever it is. */
SATIN_API const SatinPlugin *satin_plugin_open (const char *path, GError **error);

/**
 * satin_plugin_list:
 * @ret_broken: (out) (optional) (transfer full) (element-type utf8): one message for each file that
 *   is named like a plugin and cannot be opened
 *
 * Opens every plugin that can be found. The result is ordered by kind, then by name.
 *
 * Returns: (transfer container) (element-type SatinPlugin): free with g_ptr_array_unref()
 */
SATIN_API GPtrArray *satin_plugin_list (GPtrArray **ret_broken);

/* The host's copy of the descriptor. Fields that the plugin's older structure lacks are 0. */
SATIN_API const SatinPluginDesc *satin_plugin_get_desc (const SatinPlugin *self);
/* The path of the plugin's file. */
SATIN_API const char *satin_plugin_get_path (const SatinPlugin *self);

/**
 * SatinRequired:
 * @name: the operation's name; %NULL ends the table
 * @offset: where the operation lies in the structure of operations
 *
 * An operation that each plugin of a kind must have. The table of these operations stands below the
 * structure of the kind's operations.
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
 * @required: (array zero-terminated=1): operations that each plugin of the kind must have
 * @ret_ops: (out caller-allocates): a structure with the operations of the kind, which begins with
 *   a gsize; untouched on failure
 * @size_bytes: the size of that structure
 * @error: %SATIN_ERROR_INVALID, with the plugin and the operation that it lacks
 *
 * Copies as many bytes as plugin and host both know and zeroes the rest. So an operation that is
 * newer than the plugin is %NULL. The size in the copy is @size_bytes.
 *
 * Returns: %TRUE when all required operations are there
 */
SATIN_API gboolean satin_plugin_copy_ops (const SatinPlugin *self, const SatinRequired *required,
                                          gpointer ret_ops, gsize size_bytes, GError **error);

/**
 * satin_plugin_explain:
 * @self: (nullable): a plugin whose operation has just failed
 * @error: (inout) (optional): the error of that operation, if it set one
 *
 * Makes sure that there is an error. If the plugin failed without one, @error becomes
 * %SATIN_ERROR_INVALID and names the plugin.
 */
SATIN_API void satin_plugin_explain (const SatinPlugin *self, GError **error);

/**
 * satin_plugin_load_spec:
 * @text: a plugin's name, or its name and parameters: "NAME", "NAME:key=value,..."
 * @ret_params: (out) (transfer full) (optional): its parameters, with defaults filled in. If this
 *   is %NULL, nobody checks the parameters
 * @error: as for satin_plugin_load(); %SATIN_ERROR_INVALID, with the plugin, for wrong parameters
 *
 * Finds the plugin that a user named, and reads the parameters that the user gave it.
 *
 * Threads: any.
 *
 * Returns: (transfer none): the plugin, as for satin_plugin_load(); %NULL with @error set
 */
SATIN_API const SatinPlugin *satin_plugin_load_spec (SatinPluginKind kind, const char *text,
                                                     SatinParams **ret_params, GError **error);

/**
 * satin_installed_path:
 * @path: absolute path of an installed file or folder, as it was when Satin was built
 *
 * Finds where a file of the installation is now. If libsatin-base.so has been installed and its
 * whole prefix was moved, the new prefix replaces the old one in @path. So an installation may be
 * moved, or unpacked anywhere, and needs no environment variable.
 *
 * Threads: any.
 *
 * Returns: (transfer full): the path now; @path itself when it is outside the prefix, or when
 *   libsatin-base.so is in no library folder of an installation, as in a build folder
 */
SATIN_API char *satin_installed_path (const char *path);

G_END_DECLS
