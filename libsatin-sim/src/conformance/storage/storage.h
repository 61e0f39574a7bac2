/* storage.h - what the rules of a storage plugin are checked with
 *
 * All files that the suite makes have names that begin with STORAGE_PREFIX; what is left of them is
 * removed before and after each case, and other files in the folder are not touched. The bytes of a
 * file are a pattern, so that those of another place or another file are noticed.
 *
 * Each operation of a Storage that this header calls "expects" breaks the rule when it fails. None
 * takes longer than a minute: a watchdog interrupts it then, and that breaks the rule, too.
 *
 * Threads: one for each Storage, but for storage_interrupt.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

#include <satin/ft/filter.h>

/* clang-format off */
#define STORAGE_PREFIX "conformance."
/* clang-format on */

typedef struct _StorageWatchdog StorageWatchdog;

/* One handle of the plugin under test. */
typedef struct
{
  Case *c;
  SatinStorage *opened; /* (owned) (nullable): %NULL when it is closed */
  SatinStorageOps ops;  /* of @opened */
  gpointer handle;      /* of @opened */
  guint can;
  StorageWatchdog *watchdog; /* (owned) */
} Storage;

/* Where the case's files lie: the URI given, or one in memory. %NULL when one has to be given. */
const char *storage_uri (const Case *c);
/* Whether the plugin declares the parameter @key. */
gboolean storage_has_param (const Case *c, const char *key);

/* Opens a handle as given to the suite, with more assignments (nullable) separated by spaces.
 * %FALSE, and a broken rule, when it does not open. */
gboolean storage_open (Storage *self, Case *c, const char *assignments);
/* Opens a handle whose call number @call, counted from 1, goes wrong as @key says: "fail-call",
 * "hang-call" or "crash-call". That is the plugin's own parameter when it declares it, as only the
 * plugin can let its storage lose power; else the filter "fault" does it. @seed: of what is random
 * there. %FALSE, and a broken rule, when it does not open. */
gboolean storage_open_faulty (Storage *self, Case *c, const char *key, guint call, guint seed);
/* Opens one and removes what cases left; every rule begins and ends so. */
gboolean storage_begin (Storage *self, Case *c);
void storage_end (Storage *self);
/* Closes the handle; the files stay. Harmless when it is closed. */
void storage_close (Storage *self);
/* Closes and opens, so that only what is kept is there. */
gboolean storage_reopen (Storage *self);
/* Skips the rule when the plugin cannot. Value: whether it can */
gboolean storage_needs (Storage *self, SatinStorageCan can);

/* @n_bytes of the pattern @seed from @offset. Returns: (transfer full) */
guint8 *storage_pattern (guint seed, guint64 offset, gsize n_bytes);

/* The rule: @is_done with no error, or not @is_done with one. Takes *@error. */
gboolean storage_expect_done (Case *c, gboolean is_done, GError **error, const char *what);
/* The rule: refused with @code. Takes *@error. */
gboolean storage_expect_refused (Case *c, gboolean is_done, GError **error, SatinErrorCode code,
                                 const char *what);
/* The rule: an operation that failed has an error, of Satin's domain. */
gboolean storage_expect_error (Case *c, const GError *error, const char *what);

/* Expects that @n_bytes of the pattern go to the end of the file, which is @offset long. */
gboolean storage_append (Storage *self, const char *name, guint seed, guint64 offset,
                         gsize n_bytes);
gboolean storage_sync (Storage *self, const char *name);
/* Expects a new file of so many bytes, made sure. */
gboolean storage_write (Storage *self, const char *name, guint seed, gsize n_bytes);
/* Expects that the file has exactly these bytes, by read and by list. */
gboolean storage_expect_file (Storage *self, const char *name, guint seed, guint64 n_bytes);
gboolean storage_expect_absent (Storage *self, const char *name);
/* Expects to read the first @n_bytes, whatever follows. */
gboolean storage_expect_bytes (Storage *self, const char *name, guint seed, guint64 n_bytes);
/* The file's length as list tells it, -1 when it does not; expects that list works and
 * tells of each file once. */
gint64 storage_length (Storage *self, const char *name);
gboolean storage_replace (Storage *self, const char *from, const char *to);
gboolean storage_remove (Storage *self, const char *name);

/* Ends a running operation; from any thread. */
void storage_interrupt (Storage *self);

/* The rules, each in the file of what it is about. */
#define STORAGE_RULE(name) void storage_rule_##name (Case *c)
/* open.c */
STORAGE_RULE (open_other_scheme);
STORAGE_RULE (open_any_thread);
STORAGE_RULE (open_can_is_constant);
STORAGE_RULE (names_valid);
STORAGE_RULE (names_invalid);
/* append.c */
STORAGE_RULE (append_one_byte);
STORAGE_RULE (append_in_order);
STORAGE_RULE (append_by_turns);
STORAGE_RULE (append_largest);
STORAGE_RULE (append_wrong_offset);
STORAGE_RULE (read_ranges);
STORAGE_RULE (read_end);
STORAGE_RULE (read_missing);
/* folder.c */
STORAGE_RULE (list_each_once);
STORAGE_RULE (list_many);
STORAGE_RULE (replace_existing);
STORAGE_RULE (replace_nothing);
STORAGE_RULE (replace_missing);
STORAGE_RULE (remove_gone);
STORAGE_RULE (remove_missing);
STORAGE_RULE (remove_again);
/* atomic.c */
STORAGE_RULE (replace_atomic);
/* keep.c */
STORAGE_RULE (keep_synced);
STORAGE_RULE (keep_replaced);
STORAGE_RULE (keep_unsynced);
STORAGE_RULE (keep_other_handle_sees);
STORAGE_RULE (keep_other_handle_appends);
STORAGE_RULE (keep_leaves_nothing);
/* interrupt.c */
STORAGE_RULE (interrupt_running);
STORAGE_RULE (interrupt_idle);
/* fault.c */
STORAGE_RULE (fault_each_call);
STORAGE_RULE (fault_again);
STORAGE_RULE (fault_no_room);
/* crash.c */
STORAGE_RULE (crash_synced);
STORAGE_RULE (crash_end);
STORAGE_RULE (crash_goes_on);
STORAGE_RULE (crash_replace);
