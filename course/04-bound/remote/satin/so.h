/* so.h - shared objects, for the tests: see core.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>
