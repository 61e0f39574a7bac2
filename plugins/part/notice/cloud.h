/* cloud.h - what to ask the metadata server of a cloud, one question after the other
 *
 * A *cycle* is all questions that find out whether the machine will be taken away. Each question
 * comes after the answer to the question before; questions in brackets may be left out:
 *
 *   EC2      [token]    spot/instance-action   [events/recommendations/rebalance]
 *   GCP      preempted  maintenance-event
 *   Azure    [name]     scheduledevents
 *
 * A name is asked for when there is none. A token is asked for when there is none, or when half of
 * its lifetime has passed. The recommendation to rebalance is asked for only if the user wants
 * that. There is no I/O here: the caller sends the questions.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "answers.h"

G_BEGIN_DECLS

typedef enum
{
  CLOUD_EC2,
  CLOUD_GCP,
  CLOUD_AZURE,
  N_CLOUDS
} CloudKind;

/* The names of the clouds, as users write them; %NULL ends them. */
extern const char *const cloud_names[N_CLOUDS + 1];

/* Which cloud is asked, and how. */
typedef struct
{
  CloudKind kind;
  gint64 every_us;        /* how long a cycle lasts; the server may wait for that time */
  gboolean has_rebalance; /* EC2's recommendation to rebalance counts as a notice */
} CloudOptions;

typedef struct _Cloud Cloud;

/* A question. The strings are valid until the next call. */
typedef struct
{
  const char *method;
  const char *path;
  const char *header; /* "Name: value" */
  gint64 wait_us;     /* the server may wait this long before it answers */
} CloudQuestion;

/* @options: copied. Returns: (transfer full) */
Cloud *cloud_new (const CloudOptions *options);
/* @self: (nullable) */
void cloud_free (Cloud *self);
CloudKind cloud_get_kind (const Cloud *self);

/* Begins a cycle. */
void cloud_begin (Cloud *self);

/* Gets the next question of the cycle. Returns: %FALSE when the cycle is over without a notice */
gboolean cloud_next (Cloud *self, gint64 now_us, CloudQuestion *ret_question);

/**
 * cloud_take:
 * @now_us: time on the clock of cloud_next()
 * @status: of HTTP
 * @text: (array length=n_bytes): the answer
 *
 * Takes the answer to the last question. After %ANSWER_WRONG the cycle is over.
 */
AnswerKind cloud_take (Cloud *self, gint64 now_us, long status, const char *text, gsize n_bytes,
                       CloudNotice *ret_notice);

G_END_DECLS
