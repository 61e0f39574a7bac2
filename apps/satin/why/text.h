/* text.h - what a run waits for, as text and as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "chain.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): lines, each with an end of line */
char *why_format (const WhyRun *run, const WhyChain *chain);

/* The end of the chain in one sentence, for a line on the terminal: "the run waits for task hang
 * (13) on node 3, whose worker 2 has run it for 93 s". Returns: (transfer full) */
char *why_summarize (const WhyChain *chain);

/* Returns: (transfer full) */
JsonNode *why_to_json (const WhyRun *run, const WhyChain *chain);

G_END_DECLS
