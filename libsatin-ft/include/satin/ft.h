/* ft.h - all of libsatin-ft but satin/ft/checkpoint-program.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint.h>
#include <satin/ft/filter.h>
#include <satin/ft/folder-lease.h>
#include <satin/ft/recovery.h>
#include <satin/ft/storage.h>
