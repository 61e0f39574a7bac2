/* launched.h - whether srun, mpirun or the like has started this command several times
 *
 * Threads: the main thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* Finds out whether this process is one of several that were started together: a task of an srun
 * with more than one task, or a process of an mpirun with more than one process. Another launcher
 * with PMIx does not say how many processes there are, so its processes count as several. An
 * allocation alone is not enough. Returns: (nullable): the launcher plugin to use */
const char *launched_find (void);

/* The launcher plugin that may take the place of @launcher, if @launcher is not installed. Returns:
 * (nullable) */
const char *launched_find_other (const char *launcher);

/* Removes the variables by which a launcher tells a process which of several it is. A node must not
 * have them, because a program that the node starts is not one of several. Removes nothing if
 * launched_find() finds no launcher. @variables: (transfer full). Returns: (transfer full) */
char **launched_forget (char **variables);

G_END_DECLS
