/* wrong-job.h - runs jobs of an application with arguments that only a damaged node sends
 *
 * A test includes this header, then the application's file with its tasks, and then has
 * "#undef main".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <string.h>
#include <satin/core.h>

/* The main function of the application, which the test does not call. */
#define main program_main
int program_main (int argc, char **argv);

static inline SatinWorkers *
make_one_worker (void)
{
  const SatinWorkersOptions options = { .struct_size = sizeof options, .n_workers = 1 };
  g_autoptr (GError) error = NULL;
  SatinWorkers *workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  return workers;
}

static inline void
assert_job_failed (gboolean is_well, const GError *error, const char *reason)
{
  g_assert_false (is_well);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
}

/* Runs a job of @TASK with the arguments that follow. The job must fail with an error whose message
 * contains @REASON. @RET: where its result would go */
#define ASSERT_REFUSED(WORKERS, REASON, RET, TASK, ...)                                            \
  do                                                                                               \
    {                                                                                              \
      g_autoptr (GError) error_ = NULL;                                                            \
      gboolean is_well_ = satin_run (WORKERS, RET, TASK, &error_, __VA_ARGS__);                    \
      assert_job_failed (is_well_, error_, REASON);                                                \
    }                                                                                              \
  while (FALSE)
