/* error.h - one error domain for all of Satin
 *
 * A code exists only where a caller, a test or an exit status tells it from
 * the others; what went wrong in words is in the message.
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
 * @SATIN_ERROR_FORMAT: bytes from outside are not what they should be
 * @SATIN_ERROR_TRUNCATED: bytes from outside end too early
 * @SATIN_ERROR_LIMIT: a size, count or depth is over its bound
 * @SATIN_ERROR_PROGRAM: the other side runs another program or build of it
 * @SATIN_ERROR_SECRET: the other side has another cluster secret, or a key is refused
 * @SATIN_ERROR_PROTOCOL: the other side speaks another protocol version
 * @SATIN_ERROR_ABI: a plugin was built for another ABI
 * @SATIN_ERROR_ADDRESS_IN_USE: a port or socket path is taken
 * @SATIN_ERROR_UNREACHABLE: nobody answers at an address
 * @SATIN_ERROR_TIMEOUT: a deadline passed
 * @SATIN_ERROR_CLOSED: the other side went away
 * @SATIN_ERROR_FENCED: this node was declared dead and must leave
 * @SATIN_ERROR_NODE_LOST: a node died and its work cannot be recovered
 * @SATIN_ERROR_JOB: a job failed
 * @SATIN_ERROR_CANCELLED: the caller closed or stopped it
 * @SATIN_ERROR_IO: the operating system refused
 * @SATIN_ERROR_STOPPED: the run was stopped as somebody asked, and can go on from its checkpoint
 * @SATIN_ERROR_ABORTED: nobody wants the job's result any more
 *
 * What a caller can branch on. Grows at the end only.
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

/* The error domain of Satin; its codes are SatinErrorCode. */
#define SATIN_ERROR (satin_error_quark ())

/* Behind %SATIN_ERROR. Threads: any. */
SATIN_API GQuark satin_error_quark (void);

/**
 * satin_error_exit_status:
 * @error: an error of any domain
 *
 * The exit status of a program that ends with @error: that of its code, or 1 for other domains than
 * %SATIN_ERROR. It is never 0. To call it with %NULL is a programming error: the status is 1 then.
 *
 * Threads: any. Cost: O(1).
 *
 * Returns: an exit status in [1, 127]
 */
SATIN_API int satin_error_exit_status (const GError *error);

/**
 * satin_error_code_exit_status:
 * @code: of %SATIN_ERROR
 *
 * The exit status of a program that ends with an error of that code: 2 for %SATIN_ERROR_INVALID, as
 * shells do for wrong usage, 10 + code for the others. docs/errors.md has the table.
 *
 * Threads: any. Cost: O(1).
 *
 * Returns: an exit status in [2, 127]
 */
SATIN_API int satin_error_code_exit_status (SatinErrorCode code);

G_END_DECLS
