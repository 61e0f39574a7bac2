/* script.h - the script of a job: finds out where it runs, takes the secret, becomes the command
 *
 * A pure function of what is to run. The script becomes the command (exec), so that a signal to the
 * job's script is one to the command, and what is left of the job goes with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

/**
 * ScriptPlace:
 * @folder: where the secrets and the complaints of its jobs lie
 * @serial: of the submission: its files are secret-SERIAL-INDEX and complaint-SERIAL-INDEX
 * @program: (nullable): where the program lies there
 * @has_complaint: what the command writes on standard error goes to the file for that
 *
 * What the script must know of this side.
 */
typedef struct
{
  const char *folder;
  guint serial;
  const char *program;
  gboolean has_complaint;
} ScriptPlace;

/* Returns: (transfer full): for /bin/sh */
char *script_make (const SatinStart *start, const ScriptPlace *place);

/* Returns: (transfer full): the name of a machine: of the job with that @id, on @node */
char *script_machine_name (const char *id, const char *node);
