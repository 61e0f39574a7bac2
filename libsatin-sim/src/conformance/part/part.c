/* part.c - the rules of a part
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "part.h"

/* The case of each rule that always holds. The other cases have watched these rules. If none of
 * those cases ran, this case runs the part once alone and once with other nodes. */
static void
check_always (Case *c)
{
  if (c->watch->is_exercised)
    return;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Scene) scene = scene_begin (c);
      if (scene == NULL)
        return;
      scene_pass (scene);
      if (i > 0 && !scene_is_provider (scene))
        scene_meet (scene);
      scene_pass (scene);
    }
}

/* clang-format off */
static const Rule rules[] = {
  { "part/start/it-starts-and-stops-again-and-again", part_starts_again },
  { "part/start/it-starts-with-each-default", part_starts_with_defaults },
  { "part/start/extreme-parameters-are-taken-or-refused-with-an-error", part_takes_or_refuses_parameters },
  { "part/start/two-nodes-of-a-process-may-have-it", part_serves_two_nodes },
  { "part/meet/others-may-be-there-already", part_meets_others_that_are_there },
  { "part/meet/others-may-come-later", part_meets_others_later },
  { "part/meet/nodes-may-come-and-go", part_bears_nodes_that_come_and_go },
  { "part/meet/masters-may-change", part_bears_masters_that_change },
  { "part/meet/bytes-of-a-node-are-no-trouble", part_bears_any_bytes },
  { "part/meet/unknown-words-are-no-trouble", part_bears_any_words },
  { "part/meet/the-run-may-end", part_bears_the_end_of_the_run },
  { "part/figures/names-are-the-same-on-all-nodes", part_names_figures_alike },
  { "part/figures/each-has-a-name-of-its-own", part_names_figures_once },
  { RULE_WAIT_WORDS, part_waits_with_words },
  { RULE_WAIT_TIME, part_waits_with_words },
  { RULE_WAIT_DEADLINE, part_waits_with_words },
  { "part/stop/no-descriptor-is-left", part_closes_descriptors },
  { "part/stop/no-thread-is-left", part_ends_threads },
  { "part/stop/nothing-is-left-allocated", part_frees_all },
  { RULE_INSIDE, check_always },
  { RULE_DONE, check_always },
  { RULE_CALLS, check_always },
  { RULE_FUNCTIONS, check_always },
  { RULE_WITHDRAWN, check_always },
  { RULE_MESSAGES, check_always },
};
/* clang-format on */

const Suite conformance_part = { SATIN_PLUGIN_PART, rules, G_N_ELEMENTS (rules) };
