/* adapt.h - all of libsatin-adapt
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/adaptation.h>
#include <satin/adapt/adapter.h>
#include <satin/adapt/census.h>
#include <satin/adapt/command.h>
#include <satin/adapt/fleet.h>
#include <satin/adapt/leases.h>
#include <satin/adapt/provision.h>
#include <satin/adapt/wrap.h>
