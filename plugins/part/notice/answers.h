/* answers.h - reads the answers of the metadata servers of EC2, GCP and Azure
 *
 * Each function depends on its arguments only. An answer may come from anywhere, and may have any
 * bytes.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The longest answer that is read, in bytes. */
#define ANSWERS_MAX_BYTES ((gsize)64 << 10)

/**
 * CloudNotice:
 * @cause: who takes the machine away and why, for people
 * @at_us: when, microseconds since 1970 in UTC; 0 when the cloud does not say it
 * @left_us: if @at_us is 0, how much time is left at least after the notice
 *
 * The notice that this machine will be taken away.
 */
typedef struct
{
  char cause[64];
  gint64 at_us;
  gint64 left_us;
} CloudNotice;

typedef enum
{
  ANSWER_NOTHING, /* the machine stays */
  ANSWER_NOTICE,  /* it will be taken away: see the CloudNotice */
  ANSWER_WRONG,   /* the answer makes no sense */
} AnswerKind;

/* @ret_notice is untouched unless the result is %ANSWER_NOTICE, here and below. @text:
 * (array length=n_bytes): the document spot/instance-action */
AnswerKind answers_read_ec2_action (const char *text, gsize n_bytes, CloudNotice *ret_notice);
/* @text: the document events/recommendations/rebalance */
AnswerKind answers_read_ec2_rebalance (const char *text, gsize n_bytes, CloudNotice *ret_notice);
/* @text: the value of instance/preempted */
AnswerKind answers_read_gcp_preempted (const char *text, gsize n_bytes, CloudNotice *ret_notice);
/* @text: the value of instance/maintenance-event */
AnswerKind answers_read_gcp_maintenance (const char *text, gsize n_bytes, CloudNotice *ret_notice);
/* @text: the document scheduledevents. @machine: the name of this machine. The event that comes
 * first counts. */
AnswerKind answers_read_azure_events (const char *text, gsize n_bytes, const char *machine,
                                      CloudNotice *ret_notice);

/* Reads a token or a name: visible ASCII characters, spaces around them are skipped. Returns:
 * (transfer full) (nullable): %NULL when @text is anything else, or longer than @max_bytes */
char *answers_read_word (const char *text, gsize n_bytes, gsize max_bytes);

G_END_DECLS
