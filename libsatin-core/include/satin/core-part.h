/* core-part.h - what authors of parts, policies and worlds include
 *
 * It has everything that a program sees, and the interfaces between libsatin-core and the plugins
 * that are loaded beside it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>
#include <satin/core/object-store.h>
#include <satin/core/measure.h>
#include <satin/core/membership.h>
#include <satin/core/policy.h>
#include <satin/core/recovery.h>
#include <satin/core/threads.h>
