/* storage.h - the tools that check the rules of a storage plugin
 *
 * The names of all files that the suite makes begin with STORAGE_PREFIX. Such files are removed
 * before and after each case; other files in the folder are not touched. The bytes of a file are a
 * pattern, so that bytes from another place or another file are noticed.
 *
 * If a function below "expects" something and finds it otherwise, the rule of the case is broken.
 * When a case has used a handle for a minute, a watchdog interrupts the handle's operations; that
 * breaks the rule, too.
 *
 * Threads: one for each Storage, except for storage_interrupt().
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
  SatinStorage *opened; /* (owned) (nullable): %NULL while it is closed */
  SatinStorageOps ops;  /* of @opened */
  gpointer handle;      /* of @opened */
  guint can;
  StorageWatchdog *watchdog; /* (owned) */
} Storage;

/* The URI of the folder for the case's files: the parameter "uri", else a folder in memory if the
 * plugin has one. %NULL when the user has to give a URI. */
const char *storage_uri (const Case *c);
/* Whether the plugin declares the parameter @key. */
gboolean storage_has_param (const Case *c, const char *key);

/* Opens a handle with the given parameters, and more assignments (nullable) separated by spaces.
 * Returns %FALSE, and breaks the rule, when the plugin does not open. */
gboolean storage_open (Storage *self, Case *c, const char *assignments);
/* Opens a handle whose call number @call, counted from 1, goes wrong as @key says: "fail-call",
 * "hang-call" or "crash-call". If the plugin declares a parameter @key, the plugin gets it.
 * Otherwise the filter "fault" is put before the plugin; then "crash-call" makes the writer die,
 * and the storage keeps its power. @seed: for random choices of the plugin or filter. Returns
 * %FALSE, and breaks the rule, when the plugin or the filter does not open. */
gboolean storage_open_faulty (Storage *self, Case *c, const char *key, guint call, guint seed);
/* Opens a handle and removes files that earlier cases left. Most rules begin with storage_begin()
 * and end with storage_end(), which removes the files of the case and closes the handle. */
gboolean storage_begin (Storage *self, Case *c);
void storage_end (Storage *self);
/* Closes the handle; the files stay. Does nothing when the handle is closed already. */
void storage_close (Storage *self);
/* Closes the handle and opens a new one, which sees only what outlives a handle. */
gboolean storage_reopen (Storage *self);
/* Skips the case when the storage lacks the ability @can. Returns: whether the storage has @can */
gboolean storage_needs (Storage *self, SatinStorageCan can);

/* @n_bytes of the pattern @seed, beginning at @offset. Returns: (transfer full) */
guint8 *storage_pattern (guint seed, guint64 offset, gsize n_bytes);

/* Expects success, without an error. Frees *@error. */
gboolean storage_expect_done (Case *c, gboolean is_done, GError **error, const char *what);
/* Expects a failure with @code. Frees *@error. */
gboolean storage_expect_refused (Case *c, gboolean is_done, GError **error, SatinErrorCode code,
                                 const char *what);
/* Expects that a failed operation has set an error of Satin's domain. */
gboolean storage_expect_error (Case *c, const GError *error, const char *what);

/* Expects that @n_bytes of the pattern can be appended to the file, which is @offset bytes long. */
gboolean storage_append (Storage *self, const char *name, guint seed, guint64 offset,
                         gsize n_bytes);
gboolean storage_sync (Storage *self, const char *name);
/* Expects that a new file of @n_bytes can be written and synced. */
gboolean storage_write (Storage *self, const char *name, guint seed, gsize n_bytes);
/* Expects that list reports the file with exactly @n_bytes, and that read gets @n_bytes of the
 * pattern @seed. */
gboolean storage_expect_file (Storage *self, const char *name, guint seed, guint64 n_bytes);
gboolean storage_expect_absent (Storage *self, const char *name);
/* Expects that the first @n_bytes of the file are those of the pattern @seed; more bytes may
 * follow. */
gboolean storage_expect_bytes (Storage *self, const char *name, guint seed, guint64 n_bytes);
/* Returns: the length of the file as list reports it, -1 when the file is not there. Expects that
 * list works and reports the file at most once. */
gint64 storage_length (Storage *self, const char *name);
gboolean storage_replace (Storage *self, const char *from, const char *to);
gboolean storage_remove (Storage *self, const char *name);

/* Interrupts a running operation. Threads: any. */
void storage_interrupt (Storage *self);

/* The rules. Each is in the file of its topic. */
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
