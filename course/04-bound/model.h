/* model.h - a good program, with which the student's program is compared
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "remote.h"

/* Decides what a good program does after this event. */
void model_decide (const RemoteEvent *event, RemoteQuestion *ret_question);
