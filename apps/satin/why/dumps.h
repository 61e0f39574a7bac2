/* dumps.h - all that the nodes of a run say of themselves, as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "chain.h"

G_BEGIN_DECLS

/* Appends the dump of a process of this machine, which did not answer the hub. */
typedef void (*DumpsLocalFunc) (GString *out, gint64 pid);

/**
 * dumps_append:
 * @chain: the chain that why_chain_find() found in @run
 * @local: (nullable): asks silent nodes of this machine themselves; %NULL: they are only named
 *
 * Appends what the run waits for, and then jobs, waits and figures of each member.
 */
void dumps_append (GString *out, const WhyRun *run, const WhyChain *chain, DumpsLocalFunc local);

G_END_DECLS
