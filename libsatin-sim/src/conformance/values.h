/* values.h - parameters of a plugin with their defaults, and with extreme values
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "private.h"

/* Tries the plugin with @params. @given: what was given, in words */
typedef void (*ValuesFunc) (Case *c, const char *given, const SatinParams *params);

/* Calls @func without any parameter, unless the plugin needs some; and then for each parameter with
 * a default, with the user's parameters and this default. */
void values_each_default (Case *c, ValuesFunc func);
/* Calls @func for each parameter that is not a text and for the extreme values of its type, with
 * the user's other parameters. Values that the host refuses are left out. */
void values_each_extreme (Case *c, ValuesFunc func);
