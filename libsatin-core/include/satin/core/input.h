/* input.h - what a program reads, named to the run
 *
 * A checkpoint belongs to a program, its arguments and its inputs. A program names each file that
 * its results depend on, in the root job before the first spawn: with satin_input_read(), which
 * reads it, or with satin_input_add(). Another run goes on from the checkpoint only when the inputs
 * that it names are the same. A job on another node may name inputs too: they must be those of the
 * root job.
 *
 * Without a checkpoint nothing is compared.
 *
 * Threads: any; on a worker for an effect.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* Of a digest of an input: SHA-256. */
#define SATIN_INPUT_DIGEST_BYTES 32
/* Of an input's name. */
#define SATIN_INPUT_NAME_MAX_BYTES ((gsize)1024)

/**
 * satin_input_add:
 * @name: what messages call it, a file's name as the user gave it: 1 byte to
 *   %SATIN_INPUT_NAME_MAX_BYTES
 * @bytes: (array length=n_bytes): what was read
 * @n_bytes: 0 is possible
 * @error: %SATIN_ERROR_INVALID when the checkpoint was made with another input of that name;
 *   %SATIN_ERROR_LIMIT when the name is too long, or when there are too many inputs;
 *   %SATIN_ERROR_CLOSED when the run is over
 *
 * Names an input, and waits until the checkpoint's coordinator has compared it: one round trip. A
 * root job whose input differs fails with @error, even if it goes on.
 *
 * Returns: %FALSE with @error: the job must not use the input
 */
SATIN_API gboolean satin_input_add (const char *name, gconstpointer bytes, gsize n_bytes,
                                    GError **error);

/**
 * satin_input_read:
 * @path: of a file
 * @error: %SATIN_ERROR_NOT_FOUND when there is none, %SATIN_ERROR_IO when it cannot be read; else
 *   as for satin_input_add()
 *
 * Reads a file and names it by its path.
 *
 * Returns: (transfer full) (nullable): its bytes; %NULL with @error
 */
SATIN_API GBytes *satin_input_read (const char *path, GError **error);

G_END_DECLS
