/* perfetto.h - a journal as a trace for Perfetto and chrome://tracing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>
#include <stdio.h>

/* Writes all events of the journal. The caller looks for errors of @file. */
void perfetto_write (SatinJournalReader *reader, FILE *file);
