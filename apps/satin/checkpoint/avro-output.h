/* avro-output.h - writes results into Avro object container files: one file for each task
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint-program.h>

/* A file that is being written. */
typedef struct _AvroOutput AvroOutput;

/* The path of the file of a task. Returns: (transfer full) */
char *avro_output_path (const char *folder, const char *task);

/* Begins the file of a task. Until avro_output_finish() its name ends in ".satin-part". @task,
 * @arguments and @result: (borrowed): outlive the output. @row_max_bytes: the most bytes that
 * arguments, result and place of a row take. Returns: (transfer full) (nullable): %NULL with @error
 */
AvroOutput *avro_output_new (const char *folder, const char *task, const SatinRecord *arguments,
                             const SatinRecord *result, gsize row_max_bytes, GError **error);
/* Adds a row. @place: the path to the job from the root. @result: the result, encoded.
 * @ret_is_valid: (out): FALSE when @result is not of the task's type; then no row is added.
 * Returns: %FALSE with @error of the file */
gboolean avro_output_add (AvroOutput *self, const SatinCheckpointStored *stored, GBytes *place,
                          GBytes *result, gboolean *ret_is_valid, GError **error);
/* Completes the file, and gives it its name. Returns: %FALSE with @error */
gboolean avro_output_finish (AvroOutput *self, GError **error);
/* Frees the output, and removes a file that is not complete. @self: (nullable) */
void avro_output_free (AvroOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AvroOutput, avro_output_free)
