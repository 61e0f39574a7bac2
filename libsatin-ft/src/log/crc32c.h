/* crc32c.h - the check sum of checkpoints
 *
 * CRC-32C, polynomial 0x1edc6f41, reflected, as in iSCSI (RFC 3720) and ext4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Continues @sum, which is 0 at the beginning, over more bytes: crc32c (crc32c (0, a), b) is the
 * sum of a followed by b. */
guint32 crc32c (guint32 sum, const guint8 *bytes, gsize n_bytes);
