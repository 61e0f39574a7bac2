/* script.h - makes the shell script of a job
 *
 * The script finds out the machine's name, opens the secret and becomes the command (exec). So a
 * signal to the job's script reaches the command, and when the command ends, the job ends.
 * script_make() is a pure function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

/**
 * ScriptPlace:
 * @folder: the folder with the jobs' files: secrets, and complaints (what the commands print to
 *   standard error)
 * @serial: number of the submission; its files are secret-SERIAL-INDEX and complaint-SERIAL-INDEX
 * @program: (nullable): the program's path on the nodes
 * @numbers: (nullable) (element-type guint64): the numbers of the submission's machines; %NULL when
 *   the command needs none
 * @has_complaint: the command's standard error goes to its complaint file
 *
 * The paths and options that the script gets.
 */
typedef struct
{
  const char *folder;
  guint serial;
  const char *program;
  const GArray *numbers;
  gboolean has_complaint;
} ScriptPlace;

/* Returns: (transfer full): a script for /bin/sh */
char *script_make (const SatinStart *start, const ScriptPlace *place);

/* Returns: (transfer full): the machine name of job @id on @node */
char *script_machine_name (const char *id, const char *node);
