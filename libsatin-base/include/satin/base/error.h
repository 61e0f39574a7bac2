/* error.h - one error domain for all of Satin
 *
 * A code exists only where a caller, a test or an exit status distinguishes it from other codes.
 * The message says in words what went wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * SatinErrorCode:
 * @SATIN_ERROR_INVALID: an argument, option or parameter is wrong
 * @SATIN_ERROR_NOT_FOUND: a named thing (file, plugin, program, node) does not exist
 * @SATIN_ERROR_FORMAT: bytes from outside do not have the right form
 * @SATIN_ERROR_TRUNCATED: bytes from outside end too early
 * @SATIN_ERROR_LIMIT: a size, count or depth is above its limit
 * @SATIN_ERROR_PROGRAM: the other side runs another program, or another build of it
 * @SATIN_ERROR_SECRET: the other side has another cluster secret, a key was refused, or a file with
 *   a secret cannot be used safely
 * @SATIN_ERROR_PROTOCOL: the other side speaks another protocol version
 * @SATIN_ERROR_ABI: a plugin was built for another ABI
 * @SATIN_ERROR_ADDRESS_IN_USE: a port or socket path is taken
 * @SATIN_ERROR_UNREACHABLE: nobody answers at an address
 * @SATIN_ERROR_TIMEOUT: a deadline passed
 * @SATIN_ERROR_CLOSED: the other side closed the connection
 * @SATIN_ERROR_FENCED: this node was declared dead and must leave
 * @SATIN_ERROR_NODE_LOST: a node died and its work cannot be recovered
 * @SATIN_ERROR_JOB: a job failed, or a command that Satin started failed
 * @SATIN_ERROR_CANCELLED: the caller closed or stopped the operation
 * @SATIN_ERROR_IO: the operating system refused
 * @SATIN_ERROR_STOPPED: the run was stopped on request, and can continue from its checkpoint
 * @SATIN_ERROR_ABORTED: nobody wants the job's result any more
 *
 * The codes that a caller can branch on. The list grows at its end only.
 */
typedef enum
{
  SATIN_ERROR_INVALID,
  SATIN_ERROR_NOT_FOUND,
  SATIN_ERROR_FORMAT,
  SATIN_ERROR_TRUNCATED,
  SATIN_ERROR_LIMIT,
  SATIN_ERROR_PROGRAM,
  SATIN_ERROR_SECRET,
  SATIN_ERROR_PROTOCOL,
  SATIN_ERROR_ABI,
  SATIN_ERROR_ADDRESS_IN_USE,
  SATIN_ERROR_UNREACHABLE,
  SATIN_ERROR_TIMEOUT,
  SATIN_ERROR_CLOSED,
  SATIN_ERROR_FENCED,
  SATIN_ERROR_NODE_LOST,
  SATIN_ERROR_JOB,
  SATIN_ERROR_CANCELLED,
  SATIN_ERROR_IO,
  SATIN_ERROR_STOPPED,
  SATIN_ERROR_ABORTED,
} SatinErrorCode;

/* The error domain of Satin. Its codes are SatinErrorCode. */
#define SATIN_ERROR (satin_error_quark ())

/* The quark behind %SATIN_ERROR. Threads: any. */
SATIN_API GQuark satin_error_quark (void);

/**
 * satin_error_exit_status:
 * @error: an error of any domain
 *
 * Returns the exit status of a program that ends with @error: that of its code for %SATIN_ERROR, 1
 * for other domains and unknown codes. %NULL is a programming error: the status is 1 then.
 *
 * Threads: any. Cost: O(1).
 *
 * Returns: an exit status in [1, 127]
 */
SATIN_API int satin_error_exit_status (const GError *error);

/**
 * satin_error_code_exit_status:
 * @code: a code of %SATIN_ERROR
 *
 * Returns the exit status of a program that ends with an error of that code: 2 for
 * %SATIN_ERROR_INVALID, as shells do for wrong usage, and 10 + code for all others. docs/errors.md
 * has the table. A number that is no code is a programming error: the status is 1 then.
 *
 * Threads: any. Cost: O(1).
 *
 * Returns: an exit status in [2, 127]; 1 after a programming error
 */
SATIN_API int satin_error_code_exit_status (SatinErrorCode code);

G_END_DECLS
