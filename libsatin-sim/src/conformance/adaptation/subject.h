/* subject.h - an adaptation under test, to which a case shows a census for each period
 *
 * Each decision is checked against the rules that always hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

#include <satin/adapt/adaptation.h>

#define RULE_CLUSTER "adaptation/always/asks-name-clusters-of-the-census"
#define RULE_EMPTY   "adaptation/always/each-ask-is-for-a-machine-or-more"
#define RULE_OFFERED "adaptation/always/no-more-is-asked-for-than-is-offered"
#define RULE_MOST    "adaptation/always/the-run-does-not-grow-above-its-greatest-size"
#define RULE_LEAST   "adaptation/always/the-run-does-not-shrink-below-its-least-size"
#define RULE_MEMBER  "adaptation/always/only-members-are-removed"
#define RULE_KEPT    "adaptation/always/nodes-that-must-stay-are-not-removed"
#define RULE_TWICE   "adaptation/always/a-node-is-removed-once"
#define RULE_REASON  "adaptation/always/each-removal-has-a-reason"
#define RULE_SHOWN   "adaptation/always/what-it-is-shown-stays-as-it-is"
#define RULE_MEMORY  "adaptation/always/the-memory-stays-small"

/* An open adaptation. */
typedef struct
{
  Case *c; /* (borrowed) */
  SatinAdaptationOps ops;
  gpointer handle; /* (owned): the handle of the adaptation */
} Subject;

/* Opens the adaptation with the user's parameters. Returns: (transfer full) (nullable): %NULL when
 * it does not open, which breaks the rule of @c */
Subject *subject_new (Case *c);
/* Opens the adaptation with @params, which it may refuse. Returns: (transfer full) (nullable):
 * %NULL with @error when it refuses; a faulty adaptation leaves @error unset */
Subject *subject_try (Case *c, const SatinParams *params, GError **error);
void subject_free (Subject *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Subject, subject_free)

/* Shows @census to the adaptation and checks its decision. @ret_decision: initialised and empty.
 * Returns: %FALSE when the decision breaks a rule that always holds and was not broken before */
gboolean subject_decide (Subject *self, const SatinCensus *census, SatinDecision *ret_decision);
/* Like subject_decide(), for a case that does not need the decision. */
gboolean subject_show (Subject *self, const SatinCensus *census);
/* Returns: (transfer full) (nullable): the memory of the adaptation; %NULL when it has none */
GBytes *subject_save (Subject *self);
/* Whether the adaptation can save and load a memory. Otherwise marks the case as skipped. */
gboolean subject_has_memory (Subject *self);

/* Appends the decision to @text, so that decisions can be compared. */
void decision_append (const SatinDecision *decision, GString *text);
