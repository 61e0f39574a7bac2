/* node-environment.c - sets the environment variables that make a program a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "node-environment.h"
#include "launched.h"

#include <string.h>

/* Whether the caller gave the part @name, with or without parameters. */
static gboolean
is_given (const NodeEnvironment *self, const char *name)
{
  for (char **part = self->parts; part != NULL && *part != NULL; part++)
    if (g_str_has_prefix (*part, name) && strchr (":", (*part)[strlen (name)]) != NULL)
      return TRUE;
  return FALSE;
}

char *
node_environment_parts (const NodeEnvironment *self)
{
  GString *net = g_string_new ("net:");
  GString *others = g_string_new (NULL);

  satin_params_append (net, "hub", self->hub_uri);
  if (self->registry != NULL)
    satin_params_append (net, "registry", self->registry);
  if (self->registry_timeout != NULL)
    satin_params_append (net, "registry-timeout", self->registry_timeout);
  if (*self->cluster != '\0')
    satin_params_append (net, "cluster", self->cluster);
  if (self->host != NULL)
    satin_params_append (net, "host", self->host);
  if (self->has_secret)
    satin_params_append (net, "secret-fd", G_STRINGIFY (NODE_SECRET_FD));
  if (self->is_insecure)
    satin_params_append (net, "insecure", "yes");
  if (self->gateways != NULL)
    {
      g_autofree char *gateways = g_strjoinv (" ", self->gateways);
      satin_params_append (net, "gateway", gateways);
    }
  for (char **part = self->parts; part != NULL && *part != NULL; part++)
    if (g_str_has_prefix (*part, "net:"))
      g_string_append_printf (net, ",%s", *part + strlen ("net:"));
    else if (!g_str_equal (*part, "net"))
      g_string_append_printf (others, ";%s", *part);
  if (!self->has_no_recovery && !is_given (self, "ft"))
    g_string_append (others, ";ft");
  if (!is_given (self, "so"))
    g_string_append (others, ";so");
  g_string_append (net, others->str);
  g_string_free (others, TRUE);
  return g_string_free (net, FALSE);
}

char **
node_environment_make (const NodeEnvironment *self)
{
  g_autofree char *parts = node_environment_parts (self);
  char **variables =
      g_environ_setenv (launched_forget (g_get_environ ()), "SATIN_PARTS", parts, TRUE);
  if (self->n_workers > 0)
    {
      g_autofree char *workers = g_strdup_printf ("%d", self->n_workers);
      variables = g_environ_setenv (variables, "SATIN_WORKERS", workers, TRUE);
    }
  if (self->policy != NULL)
    variables = g_environ_setenv (variables, "SATIN_POLICY", self->policy, TRUE);
  if (self->is_hub_here)
    variables = g_environ_setenv (variables, "SATIN_HUB_IS_HERE", "1", TRUE);
  return variables;
}
