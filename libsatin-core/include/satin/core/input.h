/* input.h - the files that a program reads, named to the run
 *
 * A checkpoint belongs to a program, its arguments and its inputs. In the root job, before the
 * first spawn, a program names each file that its results depend on. satin_input_read() reads a
 * file and names it; satin_input_add() names bytes that the program has read itself. Another run
 * continues from the checkpoint only if the inputs that it names are the same. A job on another
 * node may name inputs too: they must be inputs of the root job.
 *
 * Without a checkpoint nothing is compared.
 *
 * Threads: any; only a call on a worker names an input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* The size of an input's digest, which is SHA-256. */
#define SATIN_INPUT_DIGEST_BYTES 32
/* The longest name of an input, without its final 0. */
#define SATIN_INPUT_NAME_MAX_BYTES ((gsize)1024)

/**
 * satin_input_add:
 * @name: the input's name in messages, such as a file's name as the user gave it: 1 to
 *   %SATIN_INPUT_NAME_MAX_BYTES bytes
 * @bytes: (array length=n_bytes): the bytes of the input
 * @n_bytes: 0 or more
 * @error: %SATIN_ERROR_INVALID when the checkpoint was made with another input of that name;
 *   %SATIN_ERROR_LIMIT when the name is too long, or when there are too many inputs;
 *   %SATIN_ERROR_CLOSED when the run is over
 *
 * Names an input and waits until the checkpoint's coordinator has compared it: one round trip. If
 * an input is refused on the master, the root job fails with @error, even if its body goes on.
 *
 * Returns: %TRUE when the job may use the input; %FALSE with @error set
 */
SATIN_API gboolean satin_input_add (const char *name, gconstpointer bytes, gsize n_bytes,
                                    GError **error);

/**
 * satin_input_read:
 * @path: the file's path
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file, %SATIN_ERROR_IO when it cannot be
 *   read; else as for satin_input_add()
 *
 * Reads a file and names it by its path.
 *
 * Returns: (transfer full) (nullable): its bytes; %NULL with @error set
 */
SATIN_API GBytes *satin_input_read (const char *path, GError **error);

G_END_DECLS
