/* base.h - the headers of libsatin-base that most code needs
 *
 * libsatin-base/README.md lists the others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>
#include <satin/base/atomic.h>
#include <satin/base/build.h>
#include <satin/base/error.h>
#include <satin/base/params.h>
#include <satin/base/json.h>
#include <satin/base/loop.h>
#include <satin/base/peers.h>
#include <satin/base/run.h>
#include <satin/base/plugin.h>
#include <satin/base/node.h>
#include <satin/base/record.h>
