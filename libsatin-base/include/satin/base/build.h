/* build.h - which build of a program a process runs
 *
 * Two nodes whose programs have the same name and the same tasks may still compute different
 * results. The build tells them apart: "x86-64:" and 32 hexadecimal digits, a digest of the
 * GNU build ids that the linker wrote into the program and into its libraries. Builds for
 * different machines cannot be compared, so a run has one build for each kind of machine. The
 * builds of a run are one text, with a space between two: "arm64:... x86-64:...".
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/* Of one build, as text. */
#define SATIN_BUILD_MAX_BYTES ((gsize)64)
/* Of the builds of a run: at most so many kinds of machines. */
#define SATIN_BUILDS_MAX ((gsize)16)

/**
 * satin_build_get:
 *
 * The build of this process: of the executable, of the libraries of Satin that it is linked with,
 * and of its other libraries that do not lie in the system's folders (/lib, /usr/lib). A file
 * without a build id counts with a digest of its bytes. Plugins do not count.
 *
 * Returns: (transfer none) (nullable): lives as long as the process; %NULL when this system cannot
 *   tell
 */
SATIN_API const char *satin_build_get (void);

/* Whether @build, as it came from outside, has the form of a build. */
SATIN_API gboolean satin_build_is_valid (const char *build);

/**
 * satin_builds_find:
 * @builds: (nullable): the builds of a run
 * @build: (nullable): of a node; %NULL or "": not known
 *
 * Looks up the build that the run has for the machine of @build.
 *
 * Returns: (transfer full) (nullable): a build; %NULL when the run has none for that machine
 */
SATIN_API char *satin_builds_find (const char *builds, const char *build);

/**
 * satin_builds_allow:
 * @builds: (nullable): the builds of a run
 * @build: (nullable): of a node; %NULL or "": not known
 *
 * Returns: %FALSE when the run has another build for the machine of @build
 */
SATIN_API gboolean satin_builds_allow (const char *builds, const char *build);

/**
 * satin_builds_add:
 * @builds: (nullable): the builds of a run
 * @build: (nullable): a valid build that they allow; %NULL or "": not known
 *
 * Returns: (transfer full): @builds with @build, which is added once; without it when there are
 *   %SATIN_BUILDS_MAX
 */
SATIN_API char *satin_builds_add (const char *builds, const char *build);

G_END_DECLS
