/* net.h - all of libsatin-net
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/address.h>
#include <satin/net/secret.h>
#include <satin/net/transport.h>
#include <satin/net/wire.h>
#include <satin/net/link.h>
#include <satin/net/registry.h>
#include <satin/net/launcher.h>
#include <satin/net/hub.h>
#include <satin/net/net.h>
