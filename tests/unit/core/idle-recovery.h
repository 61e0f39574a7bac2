/* idle-recovery.h - a part that recovers nothing, operation by operation
 *
 * It knows of no job, wants nothing and waits for nothing. A test that needs a part copies the
 * table and replaces what it is about.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/recovery.h>

/* Its hints are any pointer, which nobody frees. */
extern const SatinRecoveryOps idle_recovery_ops;
