/* registry-notes.h - what a registry tells its host, noted as lines of words
 *
 * A note is a line of words: "joined 2 id 2 at pipe:x", "over with error 13".
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/registry.h>

typedef struct
{
  const SatinRegistryOps *ops;
  gpointer registry;      /* %NULL when it is gone */
  GString *log;           /* (owned) */
  char *why;              /* (owned) (nullable): what over said */
  gboolean is_reporting;  /* answers at once when it is asked */
  gboolean is_abandoning; /* abandons the registry in its first event */
} RegistryNotes;

/* With the notes as user data. */
extern const SatinRegistryEvents registry_notes_events;

void registry_notes_init (RegistryNotes *self, const SatinRegistryOps *ops);
void registry_notes_clear (RegistryNotes *self);
/* One figure. */
void registry_notes_report (RegistryNotes *self, gint64 value);
/* Returns: what was told since the last call, joined by "; ", valid until the next */
const char *registry_notes_take (RegistryNotes *self);
