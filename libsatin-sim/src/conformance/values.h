/* values.h - parameters of a plugin with their defaults, and with extreme values
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "private.h"

/* Tries the plugin with @params. @given: a text for people: the tried parameter as "key=value", or
 * "no parameters" */
typedef void (*ValuesFunc) (Case *c, const char *given, const SatinParams *params);

/* First calls @func without any parameter, unless the plugin needs some. Then calls @func for each
 * parameter that has a default, with the user's parameters and this default. */
void values_each_default (Case *c, ValuesFunc func);
/* Calls @func for each parameter that is not a text, with each extreme value of its type and the
 * user's parameters. Values that satin_params_parse() refuses are left out. */
void values_each_extreme (Case *c, ValuesFunc func);
