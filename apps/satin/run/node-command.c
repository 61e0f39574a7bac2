/* node-command.c - makes the command that starts a node: its program, parts and environment
 *
 * The parts of a node (SATIN_PARTS) contain the name of its machine, which only the provisioner
 * knows. A provisioner can put the name into arguments, but not into variables. So the parts are an
 * argument of a shell, which puts them into the environment of the node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "node-command.h"
#include "files.h"

#include <string.h>

/* A script for /bin/sh. Its arguments: the parts, the program, the program's arguments. */
static const char launcher[] =
    "SATIN_PARTS=$1; program=$2; here=${2%/*}; shift 2; export SATIN_PARTS; "
    "if [ -e \"$here/part-net.so\" ]; then "
    "SATIN_PLUGIN_PATH=$here; LD_LIBRARY_PATH=$here${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; "
    "export SATIN_PLUGIN_PATH LD_LIBRARY_PATH; fi; "
    "exec \"$program\" \"$@\"";

struct _RunStart
{
  SatinStart start;
  char **arguments; /* (owned) */
  char **variables; /* (owned) */
  char **files;     /* (owned) (nullable) */
};

char **
run_start_parts (const RunOptions *options, gboolean is_kept)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_autofree char *adapt = fleet_options_make_part (&options->fleet, is_kept);
  if (options->parts != NULL)
    g_strv_builder_addv (parts, (const char **)options->parts);
  if (adapt != NULL)
    g_strv_builder_add (parts, adapt);
  return g_strv_builder_end (parts);
}

NodeEnvironment
run_start_environment (const RunOptions *options, const char *hub_uri, gboolean has_secret,
                       char **parts)
{
  return (NodeEnvironment){ .hub_uri = hub_uri,
                            .registry = options->registry_plugin,
                            .registry_timeout = options->registry.timeout,
                            .cluster = "",
                            .has_secret = has_secret,
                            .is_insecure = options->is_insecure,
                            .gateways = options->gateways,
                            .n_workers = options->n_workers,
                            .policy = options->policy,
                            .parts = parts,
                            .has_no_recovery = options->has_no_recovery,
                            .is_hub_here =
                                options->hub_uri == NULL && options->registry.uri == NULL };
}

/* Behind a wrapper, the program may exist only in a container. Then it need not be copied, because
 * the container has it on the machines, too. */
static gboolean
is_program_here (const RunOptions *options)
{
  return g_file_test (options->program, G_FILE_TEST_EXISTS);
}

static char **
make_arguments (const RunOptions *options, const char *hub_uri, gboolean has_secret)
{
  g_auto (GStrv) parts = run_start_parts (options, FALSE);
  NodeEnvironment environment = run_start_environment (options, hub_uri, has_secret, parts);
  environment.cluster = "{cluster}";
  environment.host = "{machine}";
  g_autofree char *text = node_environment_parts (&environment);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_strv_builder_add_many (words, "/bin/sh", "-c", launcher, "satin-node", text,
                           is_program_here (options) ? "{program}" : options->program, NULL);
  g_strv_builder_addv (words, (const char **)options->arguments + 1);
  return g_strv_builder_end (words);
}

static void
add_variable (GStrvBuilder *variables, const char *name, const char *value)
{
  g_autofree char *variable = g_strdup_printf ("%s=%s", name, value);
  if (value != NULL)
    g_strv_builder_add (variables, variable);
}

/* Makes the environment of a node on a machine. If the user gave no number of workers, a node on
 * another host has a worker for each processor there. The search paths of this host are passed on,
 * because the machine may have the same folders. */
static char **
make_variables (const RunOptions *options)
{
  g_autoptr (GStrvBuilder) variables = g_strv_builder_new ();
  g_autofree char *workers = options->has_workers || options->fleet.is_local
                                 ? g_strdup_printf ("%d", options->n_workers)
                                 : NULL;
  add_variable (variables, "SATIN_WORKERS", workers);
  add_variable (variables, "SATIN_POLICY", options->policy);
  add_variable (variables, "SATIN_PLUGIN_PATH", g_getenv ("SATIN_PLUGIN_PATH"));
  add_variable (variables, "LD_LIBRARY_PATH", g_getenv ("LD_LIBRARY_PATH"));
  return g_strv_builder_end (variables);
}

static void
wipe (gpointer text)
{
  explicit_bzero (text, strlen (text));
  g_free (text);
}

/* Returns: (transfer full) (nullable): the secret as text. The provisioner keeps it for as long as
 * it may start machines. */
static GBytes *
make_secret (const SatinSecret *secret)
{
  char *text = secret != NULL ? satin_secret_to_text (secret) : NULL;
  return text != NULL ? g_bytes_new_with_free_func (text, strlen (text), wipe, text) : NULL;
}

RunStart *
run_start_new (const RunOptions *options, const char *hub_uri, const SatinSecret *secret,
               GError **error)
{
  g_autoptr (RunStart) self = g_new0 (RunStart, 1);
  gboolean is_here = is_program_here (options);
  if (!options->fleet.is_local && is_here)
    {
      self->files = run_files_find (options, error);
      if (self->files == NULL)
        return NULL;
    }
  self->arguments = make_arguments (options, hub_uri, secret != NULL);
  self->variables = make_variables (options);
  self->start = (SatinStart){ .struct_size = sizeof (SatinStart),
                              .arguments = (const char *const *)self->arguments,
                              .variables = (const char *const *)self->variables,
                              .program = is_here ? options->program : NULL,
                              .files = (const char *const *)self->files,
                              .wrap = options->wrap.wrap,
                              .before = options->wrap.before,
                              .secret = make_secret (secret) };
  return g_steal_pointer (&self);
}

const SatinStart *
run_start_get (const RunStart *self)
{
  return &self->start;
}

void
run_start_free (RunStart *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->arguments);
  g_strfreev (self->variables);
  g_strfreev (self->files);
  g_clear_pointer (&self->start.secret, g_bytes_unref);
  g_free (self);
}
