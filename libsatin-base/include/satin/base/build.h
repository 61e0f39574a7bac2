/* build.h - which build of a program a process runs
 *
 * Two nodes whose programs have the same name and the same tasks may still compute different
 * results. The build tells such programs apart. A build is a text: the kind of machine, a colon and
 * 32 hexadecimal digits, "x86-64:...". The digits are a digest of the GNU build ids that the linker
 * wrote into the program and into its libraries. Builds for different kinds of machines cannot be
 * compared, so a run has one build for each kind. The builds of a run are one text, with a space
 * between two: "arm64:... x86-64:...".
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/* The longest build, as text without its final 0. */
#define SATIN_BUILD_MAX_BYTES ((gsize)64)
/* The largest number of builds of a run, one for each kind of machine. */
#define SATIN_BUILDS_MAX ((gsize)16)

/**
 * satin_build_get:
 *
 * Returns the build of this process. The build covers the executable, the libraries of Satin that
 * the executable is linked with, and its other libraries. It does not cover other libraries in the
 * folders of the system (/lib, /usr/lib), nor, wherever they are, the libraries that Satin itself
 * needs, such as the C library and GLib. A file without a build id counts with a digest of its
 * bytes. Plugins do not count if the first call comes before any is loaded, as in satin_main().
 *
 * Returns: (transfer none) (nullable): lives as long as the process; %NULL when this system cannot
 *   tell
 */
SATIN_API const char *satin_build_get (void);

/* Whether @build, which may come from outside, has the form of a build: two words of letters,
 * digits and dashes with a colon between them, not longer than SATIN_BUILD_MAX_BYTES. */
SATIN_API gboolean satin_build_is_valid (const char *build);

/**
 * satin_builds_find:
 * @builds: (nullable): the builds of a run
 * @build: (nullable): the build of a node; %NULL or "" when it is not known
 *
 * Finds the build that the run has for the kind of machine in @build.
 *
 * Returns: (transfer full) (nullable): a build; %NULL when the run has none for that kind, or when
 *   @build is not known
 */
SATIN_API char *satin_builds_find (const char *builds, const char *build);

/**
 * satin_builds_allow:
 * @builds: (nullable): the builds of a run
 * @build: (nullable): the build of a node; %NULL or "" when it is not known
 *
 * Decides whether a node may join a run with these builds.
 *
 * Returns: %FALSE when the run has another build for the same kind of machine
 */
SATIN_API gboolean satin_builds_allow (const char *builds, const char *build);

/**
 * satin_builds_add:
 * @builds: (nullable): the builds of a run
 * @build: (nullable): a valid build that they allow; %NULL or "" when it is not known
 *
 * Adds a build to those of a run, unless the build is among them already, or the run has
 * %SATIN_BUILDS_MAX builds.
 *
 * Returns: (transfer full): the builds; "" when there are none
 */
SATIN_API char *satin_builds_add (const char *builds, const char *build);

G_END_DECLS
