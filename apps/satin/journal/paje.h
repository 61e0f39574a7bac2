/* paje.h - a journal as a trace in the Paje format, which ViTE shows
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>
#include <stdio.h>

/* Writes the events that @reader has not read yet. The caller checks @file with ferror(). */
void paje_write (SatinJournalReader *reader, FILE *file);
