/* fleet.c - the options that say where the machines of a run come from, and how many
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet.h"
#include "command.h"
#include "node-environment.h"

#include <satin/adapt.h>

#define N_LEAST_DEFAULT 1
#define N_MOST_DEFAULT  16
#define PERIOD_DEFAULT  "30s"
#define PERIOD_MIN_US   ((gint64)100000)
#define PERIOD_MAX_US   ((gint64)G_USEC_PER_SEC * 86400)

static gboolean
check_without (const FleetOptions *self, GError **error)
{
  const char *given = self->adaptation != NULL           ? "--adapt"
                      : self->n_least != FLEET_NO_NUMBER ? "--min"
                      : self->n_most != FLEET_NO_NUMBER  ? "--max"
                      : self->period != NULL             ? "--period"
                                                         : NULL;
  return given == NULL
         || command_refuse (error, "run",
                            "%s is about machines that come and go: say with --provision where "
                            "they come from",
                            given);
}

/* Checks the name of the provisioner's plugin and its parameters. The plugin checks the rest when
 * it is opened. */
static gboolean
check_provision (FleetOptions *self, GError **error)
{
  SatinProvisionOps ops;
  g_autoptr (SatinParams) params = NULL;
  const SatinPlugin *plugin =
      satin_plugin_load_spec (SATIN_PLUGIN_PROVISION, self->provision, &params, error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_provision_required, &ops, sizeof ops, error))
    return FALSE;
  self->is_local = g_str_equal (satin_plugin_get_desc (plugin)->name, "local");
  self->is_allocation = g_str_equal (satin_plugin_get_desc (plugin)->name, "allocation");
  return TRUE;
}

/* The number of hosts of the allocation, if machines come from there; else 0. The plugin says what
 * is wrong if there is no allocation. */
static int
count_hosts (const FleetOptions *self)
{
  guint64 n;
  const char *text = g_getenv ("SLURM_JOB_NUM_NODES");
  return self->is_allocation && text != NULL
                 && g_ascii_string_to_unsigned (text, 10, 1, SATIN_PROVISION_MAX, &n, NULL)
             ? (int)n
             : 0;
}

static gboolean
check_numbers (FleetOptions *self, GError **error)
{
  int n_hosts = count_hosts (self);
  /* The user has all hosts of the allocation, so a run without adaptation uses all of them. */
  int n_default = n_hosts > 0 && self->adaptation == NULL ? n_hosts : N_LEAST_DEFAULT;
  if (self->n_least == FLEET_NO_NUMBER)
    self->n_least = self->n_most == FLEET_NO_NUMBER ? n_default : MIN (n_default, self->n_most);
  if (self->n_most == FLEET_NO_NUMBER)
    self->n_most = MAX (N_MOST_DEFAULT, self->n_least);
  if (self->n_least < 0 || self->n_least > SATIN_PROVISION_MAX)
    return command_refuse (error, "run", "--min wants a whole number from 0 to %d, not %d",
                           SATIN_PROVISION_MAX, self->n_least);
  if (self->n_most < 1 || self->n_most > SATIN_PROVISION_MAX)
    return command_refuse (error, "run", "--max wants a whole number from 1 to %d, not %d",
                           SATIN_PROVISION_MAX, self->n_most);
  if (n_hosts > 0 && self->n_least > n_hosts)
    return command_refuse (error, "run", "--min %d is more than the %d hosts of this allocation",
                           self->n_least, n_hosts);
  if (self->n_least > self->n_most)
    return command_refuse (error, "run", "--min %d is more than --max %d", self->n_least,
                           self->n_most);
  return TRUE;
}

static gboolean
check_adaptation (FleetOptions *self, GError **error)
{
  gint64 period_us = 0;
  if (self->adaptation == NULL)
    return self->period == NULL
           || command_refuse (error, "run", "--period is how often --adapt decides: give that too");
  if (self->period == NULL)
    self->period = g_strdup (PERIOD_DEFAULT);
  if (!satin_parse_duration (self->period, &period_us, error))
    {
      g_prefix_error (error, "--period: ");
      return FALSE;
    }
  if (period_us < PERIOD_MIN_US || period_us > PERIOD_MAX_US)
    return command_refuse (error, "run", "--period is from 100ms to 24h, not %s", self->period);
  SatinAdaptation *adaptation = satin_adaptation_open (self->adaptation, error);
  if (adaptation == NULL)
    {
      g_prefix_error (error, "--adapt=%s: ", self->adaptation);
      return FALSE;
    }
  satin_adaptation_close (adaptation);
  return TRUE;
}

gboolean
fleet_options_check (FleetOptions *self, gboolean is_import, GError **error)
{
  if (self->provision == NULL)
    return check_without (self, error);
  if (is_import)
    return command_refuse (
        error, "run",
        "--provision is for the command that holds the run: leave --hub and --registry out");
  return check_provision (self, error) && check_numbers (self, error)
         && check_adaptation (self, error);
}

char *
fleet_options_make_part (const FleetOptions *self, gboolean is_kept)
{
  if (self->adaptation == NULL)
    return NULL;
  GString *text = g_string_new ("adapt:");
  satin_params_append (text, "policy", self->adaptation);
  satin_params_append (text, "period", self->period);
  satin_params_append (text, "say", "changes");
  if (is_kept)
    satin_params_append (text, "kept", "yes");
  return g_string_free (text, FALSE);
}

void
fleet_options_clear (FleetOptions *self)
{
  g_free (self->provision);
  g_free (self->adaptation);
  g_free (self->period);
}
