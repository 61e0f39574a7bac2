/* perfetto.h - a journal as a trace for Perfetto and chrome://tracing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>
#include <stdio.h>

/* Writes the events that @reader has not read yet. The caller checks @file with ferror(). */
void perfetto_write (SatinJournalReader *reader, FILE *file);
