/* paje.h - a journal as a trace in the Paje format, which ViTE shows
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>
#include <stdio.h>

/* Writes all events that are left in a journal. Errors of the file can be found with ferror(). */
void paje_write (SatinJournalReader *reader, FILE *file);
