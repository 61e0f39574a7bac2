/* adaptation.h - the rules of adaptations, by file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

/* contract.c */
void adaptation_opens_again (Case *c);
void adaptation_opens_with_defaults (Case *c);
void adaptation_takes_or_refuses_parameters (Case *c);
void adaptation_has_independent_handles (Case *c);
void adaptation_decides_by_figures (Case *c);
void adaptation_frees_all (Case *c);

/* limits.c */
void adaptation_bears_no_nodes (Case *c);
void adaptation_bears_nodes_that_do_not_count (Case *c);
void adaptation_bears_zeros (Case *c);
void adaptation_bears_extremes (Case *c);
void adaptation_bears_any_figures (Case *c);
void adaptation_bears_many_nodes (Case *c);

/* memory.c */
void adaptation_passes_memory_on (Case *c);
void adaptation_goes_on_with_memory (Case *c);
void adaptation_refuses_random_memory (Case *c);
void adaptation_keeps_memory_when_it_refuses (Case *c);
void adaptation_refuses_memory_with_an_error (Case *c);
