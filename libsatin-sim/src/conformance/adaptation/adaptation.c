/* adaptation.c - the rules of an adaptation plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptation.h"

#include "grid.h"

/* The case of each rule that always holds. The other cases have watched these rules. If none of
 * those cases ran, this case lets the adaptation decide for some grids. */
static void
check_always (Case *c)
{
  if (c->watch->is_exercised)
    return;
  for (guint seed = 0; seed < c->n_seeds; seed++)
    {
      g_autoptr (Subject) subject = subject_new (c);
      g_autoptr (Grid) grid = grid_new (seed, 4, 20);
      for (guint period = 0; subject != NULL && period < 60; period++)
        grid_step (grid, subject, NULL);
    }
}

/* clang-format off */
static const Rule rules[] = {
  { "adaptation/open/it-opens-and-closes-again-and-again", adaptation_opens_again },
  { "adaptation/open/it-opens-with-each-default", adaptation_opens_with_defaults },
  { "adaptation/open/extreme-parameters-are-taken-or-refused-with-an-error", adaptation_takes_or_refuses_parameters },
  { "adaptation/open/handles-are-independent", adaptation_has_independent_handles },
  { "adaptation/close/nothing-is-left-allocated", adaptation_frees_all },
  { "adaptation/decide/the-same-figures-give-the-same-decisions", adaptation_decides_by_figures },
  { "adaptation/limits/no-nodes-are-no-trouble", adaptation_bears_no_nodes },
  { "adaptation/limits/nodes-that-do-not-count-are-no-trouble", adaptation_bears_nodes_that_do_not_count },
  { "adaptation/limits/figures-of-zero-are-no-trouble", adaptation_bears_zeros },
  { "adaptation/limits/extreme-figures-are-no-trouble", adaptation_bears_extremes },
  { "adaptation/limits/any-figures-are-no-trouble", adaptation_bears_any_figures },
  { "adaptation/limits/many-nodes-are-no-trouble", adaptation_bears_many_nodes },
  { "adaptation/memory/what-was-saved-is-taken", adaptation_passes_memory_on },
  { "adaptation/memory/another-handle-goes-on-with-it", adaptation_goes_on_with_memory },
  { "adaptation/memory/random-bytes-are-refused", adaptation_refuses_random_memory },
  { "adaptation/memory/refused-bytes-change-nothing", adaptation_keeps_memory_when_it_refuses },
  { "adaptation/memory/a-refusal-says-what-is-wrong-with-the-bytes", adaptation_refuses_memory_with_an_error },
  { RULE_CLUSTER, check_always },
  { RULE_EMPTY, check_always },
  { RULE_OFFERED, check_always },
  { RULE_MOST, check_always },
  { RULE_LEAST, check_always },
  { RULE_MEMBER, check_always },
  { RULE_KEPT, check_always },
  { RULE_TWICE, check_always },
  { RULE_REASON, check_always },
  { RULE_SHOWN, check_always },
  { RULE_MEMORY, check_always },
};
/* clang-format on */

const Suite conformance_adaptation = { SATIN_PLUGIN_ADAPTATION, rules, G_N_ELEMENTS (rules) };
