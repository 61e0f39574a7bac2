/* idle-recovery.h - a part that recovers nothing: each operation does nothing
 *
 * It knows no job, wants no result and waits for nothing. A test that needs a part copies the table
 * and replaces the operations that it tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/recovery.h>

/* Hints may be any pointer; nothing frees them. */
extern const SatinRecoveryOps idle_recovery_ops;
