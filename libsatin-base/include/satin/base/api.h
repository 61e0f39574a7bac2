/* api.h - the marks that every public function carries
 *
 * All symbols are hidden unless a header gives them SATIN_API.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

#define SATIN_API __attribute__ ((visibility ("default"))) extern
