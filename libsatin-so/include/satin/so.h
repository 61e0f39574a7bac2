/* so.h - all of libsatin-so
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so/type.h>
#include <satin/so/objects.h>
#include <satin/so/replicas.h>
#include <satin/so/share.h>

/* The types that come with the library. */
#include <satin/so/array.h>
#include <satin/so/bound.h>
#include <satin/so/cache.h>
#include <satin/so/counter.h>
#include <satin/so/set.h>
