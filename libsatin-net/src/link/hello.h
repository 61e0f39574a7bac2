/* hello.h - makes, reads and judges the hello that begins a link
 *
 *   offset  size  type    order   meaning
 *   0       4     bytes           "SATN"
 *   4       2     uint16  little  protocol version, SATIN_PROTOCOL_VERSION
 *   6       n     record          SatinHello
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/link.h>

G_BEGIN_DECLS

/* Encodes @identity. Returns: (transfer full): the payload of a hello */
GBytes *satin_hello_to_bytes (const SatinIdentity *identity);

/**
 * satin_hello_read:
 * @ret_hello: (out): the decoded hello; clear it with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @payload is not from a Satin peer; %SATIN_ERROR_PROTOCOL for
 *   another version (the message names both); else as for satin_record_decode()
 */
gboolean satin_hello_read (GBytes *payload, SatinHello *ret_hello, GError **error);

/**
 * satin_hello_judge:
 * @error: %SATIN_ERROR_FORMAT for an impossible role, node, run, digest or build. With both values
 *   in the message: %SATIN_ERROR_PROTOCOL for another record format; %SATIN_ERROR_PROGRAM for
 *   another program or build; %SATIN_ERROR_INVALID for another run
 *
 * Whether a process with this @identity can communicate with the sender of @hello.
 */
gboolean satin_hello_judge (const SatinHello *hello, const SatinIdentity *identity, GError **error);

G_END_DECLS
