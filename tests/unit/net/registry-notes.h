/* registry-notes.h - notes the events of a registry in words
 *
 * A note is a few words: "joined 2 id 2 at pipe:x", "over with error 13".
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
  gpointer registry;      /* %NULL after it is gone */
  GString *log;           /* (owned) */
  char *why;              /* (owned) (nullable): the error message of the event "over" */
  gboolean is_reporting;  /* answers the event "asked" at once with a report */
  gboolean is_abandoning; /* abandons the registry in its first event */
} RegistryNotes;

/* Events for a RegistryNotes, which is their user_data. */
extern const SatinRegistryEvents registry_notes_events;

void registry_notes_init (RegistryNotes *self, const SatinRegistryOps *ops);
void registry_notes_clear (RegistryNotes *self);
/* Sends a report with one figure. */
void registry_notes_report (RegistryNotes *self, gint64 value);
/* Returns: the notes since the last call, joined by "; "; valid until the next call */
const char *registry_notes_take (RegistryNotes *self);
