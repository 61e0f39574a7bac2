/* model.h - a good program, with which a student's is compared
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "remote.h"

/* Decides what a good program does after this event. */
void model_decide (const RemoteEvent *event, RemoteQuestion *ret_question);
