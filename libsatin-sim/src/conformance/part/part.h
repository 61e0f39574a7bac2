/* part.h - the rules of parts, by file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "scene.h"

/* start.c */
void part_starts_again (Case *c);
void part_starts_with_defaults (Case *c);
void part_takes_or_refuses_parameters (Case *c);
void part_serves_two_nodes (Case *c);
void part_closes_descriptors (Case *c);
void part_ends_threads (Case *c);
void part_frees_all (Case *c);

/* meet.c */
void part_meets_others_that_are_there (Case *c);
void part_meets_others_later (Case *c);
void part_bears_nodes_that_come_and_go (Case *c);
void part_bears_masters_that_change (Case *c);
void part_bears_any_bytes (Case *c);
void part_bears_any_words (Case *c);
void part_bears_the_end_of_the_run (Case *c);
void part_names_figures_alike (Case *c);
void part_names_figures_once (Case *c);
void part_waits_with_words (Case *c);
