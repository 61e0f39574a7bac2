/* storage.c - the suite of storage plugins: its rules in the order they are checked
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

/* clang-format off */
static const Rule rules[] = {
  { "storage/open/uri-of-another-scheme-is-refused", storage_rule_open_other_scheme },
  { "storage/open/any-thread-may-call", storage_rule_open_any_thread },
  { "storage/open/what-it-can-is-constant", storage_rule_open_can_is_constant },
  { "storage/names/valid-ones-are-kept-apart", storage_rule_names_valid },
  { "storage/names/others-are-refused", storage_rule_names_invalid },
  { "storage/append/one-byte-makes-a-file", storage_rule_append_one_byte },
  { "storage/append/bytes-stay-in-order-and-unchanged", storage_rule_append_in_order },
  { "storage/append/files-grow-by-turns", storage_rule_append_by_turns },
  { "storage/append/largest-block-fits", storage_rule_append_largest },
  { "storage/append/wrong-offset-is-refused-and-changes-nothing", storage_rule_append_wrong_offset },
  { "storage/read/any-range-is-exact", storage_rule_read_ranges },
  { "storage/read/ends-where-the-file-ends", storage_rule_read_end },
  { "storage/read/missing-file-is-not-found", storage_rule_read_missing },
  { "storage/list/tells-each-file-once-with-its-size", storage_rule_list_each_once },
  { "storage/list/tells-of-many-files", storage_rule_list_many },
  { "storage/replace/puts-the-new-file-in-place-of-the-old", storage_rule_replace_existing },
  { "storage/replace/needs-no-old-file", storage_rule_replace_nothing },
  { "storage/replace/missing-file-is-not-found-and-the-old-stays", storage_rule_replace_missing },
  { "storage/replace/reader-sees-old-or-new", storage_rule_replace_atomic },
  { "storage/remove/file-is-gone", storage_rule_remove_gone },
  { "storage/remove/missing-file-is-no-error", storage_rule_remove_missing },
  { "storage/remove/name-can-be-used-again", storage_rule_remove_again },
  { "storage/keep/synced-bytes-outlive-the-handle", storage_rule_keep_synced },
  { "storage/keep/replaced-file-outlives-the-handle", storage_rule_keep_replaced },
  { "storage/keep/lost-end-is-absent-not-wrong", storage_rule_keep_unsynced },
  { "storage/keep/another-handle-sees-what-is-synced", storage_rule_keep_other_handle_sees },
  { "storage/keep/another-handle-appends-where-the-file-ends", storage_rule_keep_other_handle_appends },
  { "storage/keep/leaves-no-files-of-its-own", storage_rule_keep_leaves_nothing },
  { "storage/interrupt/running-call-times-out", storage_rule_interrupt_running },
  { "storage/interrupt/handle-can-be-used-afterwards", storage_rule_interrupt_idle },
  { "storage/fault/failed-call-keeps-what-was-promised", storage_rule_fault_each_call },
  { "storage/fault/failed-call-can-be-made-again", storage_rule_fault_again },
  { "storage/fault/no-room-is-a-limit", storage_rule_fault_no_room },
  { "storage/crash/synced-bytes-stay", storage_rule_crash_synced },
  { "storage/crash/lost-end-is-absent-not-wrong", storage_rule_crash_end },
  { "storage/crash/appending-goes-on-where-the-file-ends", storage_rule_crash_goes_on },
  { "storage/crash/replace-is-all-or-nothing", storage_rule_crash_replace },
};
/* clang-format on */

static gboolean
check (const Case *common, GError **error)
{
  if (storage_uri (common) != NULL)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "the storage %s needs a folder: give uri=...",
               satin_plugin_get_desc (common->plugin)->name);
  return FALSE;
}

const Suite conformance_storage = {
  .kind = SATIN_PLUGIN_STORAGE,
  .rules = rules,
  .n_rules = G_N_ELEMENTS (rules),
  .check = check,
};
