/* dimacs.h - graphs in the DIMACS format for cliques and colourings, as text
 *
 *   c a comment
 *   p edge VERTICES EDGES     "col" in some files, for "edge"
 *   e 3 17                    an edge, with vertices from 1
 *
 * The number of edges is not compared with the edges that follow, because in some collections it is
 * wrong or counts each edge twice. An edge may be there twice.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "graph.h"

G_BEGIN_DECLS

#define DIMACS_MAX_BYTES (256 << 20) /* of a file */

/**
 * dimacs_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @ret_graph: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @text is not a graph, with file name, line and what was expected
 *
 * Returns: %TRUE on success
 */
gboolean dimacs_read (const char *file, const char *text, gsize n_text, Graph *ret_graph,
                      GError **error);

G_END_DECLS
