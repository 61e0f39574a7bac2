/* launched.c - whether srun, mpirun or the like has started this command several times
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "launched.h"

/* Beginnings of the names of the variables that say which of several processes this process is.
 * Variables about the whole allocation stay, so that a node can use srun. */
static const char *const own_variables[] = {
  "PMIX_",         "PMI_",           "OMPI_COMM_WORLD_", "OMPI_MCA_orte_", "OMPI_MCA_ess",
  "OMPI_MCA_pmix", "SLURM_STEP_",    "SLURM_STEPID",     "SLURM_PROCID",   "SLURM_LOCALID",
  "SLURM_NODEID",  "SLURM_TASK_PID", "SLURM_GTIDS",      "SLURM_PMI",
};

/* Returns: whether the environment variable @name is a number that fits 32 bits */
static gboolean
read_number (const char *name, guint64 *ret_number)
{
  const char *text = g_getenv (name);
  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, ret_number, NULL);
}

/* In a Slurm allocation, mpirun starts its daemons with srun, so its processes have the variables
 * of both. The variables of mpirun are read first. */
const char *
launched_find (void)
{
  guint64 n;
  gboolean is_slurm =
      g_getenv ("SLURM_STEP_ID") != NULL && read_number ("SLURM_STEP_NUM_TASKS", &n);
  gboolean has_pmix = g_getenv ("PMIX_NAMESPACE") != NULL && g_getenv ("PMIX_RANK") != NULL;
  gboolean is_pmix_of_slurm =
      has_pmix && is_slurm && g_str_has_prefix (g_getenv ("PMIX_NAMESPACE"), "slurm.");
  guint64 n_mpi;
  if (read_number ("OMPI_COMM_WORLD_SIZE", &n_mpi))
    return n_mpi > 1 ? "pmix" : NULL;
  if (is_pmix_of_slurm)
    return n > 1 ? "pmix" : NULL;
  if (has_pmix)
    return "pmix";
  return is_slurm && n > 1 ? "slurm" : NULL;
}

const char *
launched_find_other (const char *launcher)
{
  const char *name = g_getenv ("PMIX_NAMESPACE");
  gboolean is_slurm = name != NULL && g_str_has_prefix (name, "slurm.");
  return is_slurm && g_str_equal (launcher, "pmix") ? "slurm" : NULL;
}

static gboolean
is_own (const char *variable)
{
  for (gsize i = 0; i < G_N_ELEMENTS (own_variables); i++)
    if (g_str_has_prefix (variable, own_variables[i]))
      return TRUE;
  return FALSE;
}

char **
launched_forget (char **variables)
{
  gsize n_kept = 0;
  if (launched_find () == NULL)
    return variables;
  for (char **variable = variables; *variable != NULL; variable++)
    if (is_own (*variable))
      g_free (*variable);
    else
      variables[n_kept++] = *variable;
  variables[n_kept] = NULL;
  return variables;
}
