/* task.h - tasks: SATIN_TASK, SATIN_SPAWN, SATIN_SYNC
 *
 *   SATIN_TASK (fib, (long), (int, n))
 *   {
 *     gint64 a, b;
 *     if (n < 2)
 *       return n;
 *     SATIN_SPAWN (&a, fib, n - 1);
 *     SATIN_SPAWN (&b, fib, n - 2);
 *     SATIN_SYNC_OR_RETURN (0);
 *     return a + b;
 *   }
 *
 * A task is a function whose arguments and result are described like the fields of a record
 * (satin/base/record.h), so that a job can run on another node. It has no side effects outside
 * shared objects: the same arguments give the same result. It may run more than once when nodes are
 * lost.
 *
 * Arguments are passed by value. Strings, bytes and arrays are passed by reference: their memory
 * must stay valid and unchanged until the sync. Bytes and arrays are two arguments, a pointer and a
 * count. Arguments are encoded only when the job leaves the node. The spawner owns the memory that
 * pointers in a result point to, and frees it with satin_record_clear() or g_free(). A task
 * allocates it with g_malloc(). So a task never returns a pointer that is among its arguments; it
 * returns a copy.
 *
 * Use these macros inside a task only. A helper that spawns is a task itself.
 *
 * Sync before you return. A task whose last spawn has no sync after it fails with a message,
 * because its jobs would write into variables that are gone.
 *
 * Tasks may be written in C++ too, with C++17 or later. An exception must not leave a task. Pass
 * the memory of a container by pointer and count, as in C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* The macros here expand to code for which -Wpedantic and similar options warn. A program cannot
 * avoid that, so this turns the warnings off. */
#pragma GCC system_header

#include <satin/core/worker.h>

G_BEGIN_DECLS

/**
 * SATIN_TASK:
 * @NAME: the task's name, unique in the program
 * @RESULT: (KIND) for one value, (record, TYPE), or (void)
 * @...: (KIND, NAME) for each argument: at most 16, and at most 512 bytes in all
 *
 * Defines a task that only the rest of this file spawns. The body follows in braces.
 */
#define SATIN_TASK(NAME, RESULT, ...)                                                              \
  SATIN_TASK_TYPES (NAME, RESULT, __VA_ARGS__)                                                     \
  static SATIN_RESULT_TYPE (RESULT) NAME##_frame_ SATIN_FRAME_PARAMS (__VA_ARGS__);                \
  SATIN_TASK_RUN (NAME, RESULT, __VA_ARGS__)                                                       \
  SATIN_TASK_TABLE (static, NAME, RESULT, __VA_ARGS__)                                             \
  SATIN_TASK_SPAWN (NAME, RESULT, __VA_ARGS__)                                                     \
  SATIN_TASK_CALL (NAME, RESULT, __VA_ARGS__)                                                      \
  SATIN_TASK_BODY (static, NAME, RESULT, __VA_ARGS__)

/**
 * SATIN_TASK_DECLARE:
 *
 * Declares a task, with the same description as for SATIN_TASK. One file of the program defines it
 * with SATIN_TASK_DEFINE. The declaration stands in a header for all files that spawn the task, or
 * above tasks that spawn each other. C and C++ files may share it.
 *
 * Cost: a spawn costs as much as with SATIN_TASK.
 */
#define SATIN_TASK_DECLARE(NAME, RESULT, ...)                                                      \
  SATIN_TASK_TYPES (NAME, RESULT, __VA_ARGS__)                                                     \
  SATIN_EXTERN SATIN_RESULT_TYPE (RESULT) NAME##_frame_ SATIN_FRAME_PARAMS (__VA_ARGS__);          \
  SATIN_EXTERN SatinTask NAME##_task;                                                              \
  SATIN_EXTERN SatinTask NAME##_task_inlet_;                                                       \
  SATIN_EXTERN const SatinTask NAME##_task_typed_;                                                 \
  SATIN_TASK_SPAWN (NAME, RESULT, __VA_ARGS__)                                                     \
  SATIN_TASK_CALL (NAME, RESULT, __VA_ARGS__)

/**
 * SATIN_TASK_DEFINE:
 *
 * Defines a task that SATIN_TASK_DECLARE has declared with the same description. The body follows
 * in braces.
 */
#define SATIN_TASK_DEFINE(NAME, RESULT, ...)                                                       \
  SATIN_TASK_RUN (NAME, RESULT, __VA_ARGS__)                                                       \
  SATIN_TASK_TABLE (, NAME, RESULT, __VA_ARGS__)                                                   \
  SATIN_TASK_BODY (, NAME, RESULT, __VA_ARGS__)

/**
 * SATIN_SPAWN:
 * @RET: where the result goes, valid until the sync. %NULL if, and only if, the task has no result
 * @NAME: the task
 * @...: its arguments
 *
 * Makes a job that may run in parallel. Its result is undefined before the next SATIN_SYNC of this
 * frame.
 *
 * Cost: about a nanosecond. A frame may spawn any number of jobs before a sync.
 */
#define SATIN_SPAWN(RET, NAME, ...)                                                                \
  (SATIN_CHECK_RET (RET, NAME), (*satin_last_) = SATIN_SMALL_TASK (NAME),                          \
   (*satin_run_last_) = SATIN_SMALL_RUN (NAME),                                                    \
   (void)((*satin_top_) =                                                                          \
              NAME##_spawn_ (satin_worker_, (*satin_top_), RET __VA_OPT__ (, ) __VA_ARGS__)))

/**
 * SATIN_SYNC:
 *
 * Waits for all jobs that this frame has spawned. Jobs that nobody took run here.
 *
 * Returns: %TRUE when no job failed. %FALSE when a job failed: the place for its result is
 *   untouched or has the value that its body returned, and the error goes on to this frame's
 *   spawner. Also %FALSE when this frame's own job was aborted (inlet.h): nobody wants its result
 *   then
 */
#define SATIN_SYNC()                                                                               \
  (satin_frame_sync (satin_worker_, satin_base_, (*satin_top_), (*satin_last_),                    \
                     (*satin_run_last_)),                                                          \
   (*satin_top_) = satin_base_, satin_frame_went_well (satin_worker_, satin_base_))

/**
 * SATIN_SYNC_OR_RETURN:
 * @...: the value that the frame returns when SATIN_SYNC is %FALSE: nobody reads it. Nothing in a
 *   task without result
 *
 * SATIN_SYNC for most tasks: after it all results are there. A failure ends the frame and goes on
 * to its spawner.
 */
#define SATIN_SYNC_OR_RETURN(...)                                                                  \
  do                                                                                               \
    {                                                                                              \
      if (!SATIN_SYNC ())                                                                          \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
  while (FALSE)

/**
 * SATIN_SYNC_ERROR:
 * @ERROR: (out): a GError **: the first failure, which goes no further
 *
 * Like SATIN_SYNC, with the same return value, for a frame that handles the failure of its
 * children.
 */
#define SATIN_SYNC_ERROR(ERROR)                                                                    \
  (satin_frame_sync (satin_worker_, satin_base_, (*satin_top_), (*satin_last_),                    \
                     (*satin_run_last_)),                                                          \
   (*satin_top_) = satin_base_, satin_worker_take_error (satin_worker_, satin_base_, ERROR))

/* Calls a task as a plain function, without making a job. */
#define SATIN_CALL(NAME, ...) NAME##_call_ (satin_worker_, (*satin_top_)__VA_OPT__ (, ) __VA_ARGS__)

/**
 * SATIN_SPAWN_TYPED:
 * @NAME: a task whose result is at most 40 bytes
 * @...: its arguments
 *
 * The typed last-in-first-out form, for jobs so small that a nanosecond counts. SATIN_SYNC_TYPED of
 * the same task returns the results, the newest first; call it once for each spawn. These children
 * do not stay in the frontier: after a crash they are computed again. A failure goes to the next
 * SATIN_SYNC of this frame, or else of a frame below it on the stack.
 */
#define SATIN_SPAWN_TYPED(NAME, ...)                                                               \
  ((void)G_STATIC_ASSERT_EXPR (sizeof (NAME##_result) <= SATIN_SLOT_ARGS_BYTES),                   \
   NAME##_spawn_typed_ (satin_worker_, (*satin_top_)__VA_OPT__ (, ) __VA_ARGS__),                  \
   (void)(*satin_top_)++)

/* Returns the result of the newest job from SATIN_SPAWN_TYPED that was not synced yet. */
#define SATIN_SYNC_TYPED(NAME) ((*satin_top_)--, NAME##_sync_typed_ (satin_worker_, (*satin_top_)))

/**
 * satin_fail:
 * @ERROR: (transfer full): the reason; it keeps its domain and code wherever the job runs
 *
 * Makes the running job fail, but does not return from the task: sync the jobs that were spawned,
 * and then return any value. The message gets a prefix with the task and arguments of the job that
 * fails first. A failure of the root job itself gets no prefix.
 */
#define satin_fail(ERROR)                                                                          \
  satin_worker_fail (satin_worker_, (*satin_top_), satin_task_, satin_args_, ERROR)

/* Says that the running job takes @NS nanoseconds more, in a run in simulated time. Elsewhere it
 * only costs a function call. */
#define satin_charge(NS) satin_worker_charge (satin_worker_, NS)

/* The time on this node's monotonic clock, microseconds. In a simulated run the clock is simulated.
 * A job that runs again sees another time, so no result may depend on it. */
#define satin_now_us() satin_worker_now_us (satin_worker_)

/* Whether the running job was spawned on this node. Do not ask in a typed job: such a job may get
 * the answer for the job that spawned it. */
#define satin_is_local() satin_worker_is_local (satin_worker_, satin_base_)

/* ---- what the macros are made of; nothing below is for use by hand ---- */
/* clang-format off */

#define SATIN_KIND_void() VOID, void, SATIN_FIELD_INT, FALSE, NULL
#define SATIN_MEMBER_VOID(X, name, ...)
#define SATIN_ROW_VOID(X, name, ...)

#define SATIN_PARAM(X, f) SATIN_FIELD_AS (SATIN_PARAM, X, SATIN_STRIP f)
#define SATIN_PARAM_VALUE(X, name, ctype, ...) , ctype name
#define SATIN_PARAM_SPAN(X, name, ctype, ...) , const ctype *name, gsize n_##name G_GNUC_UNUSED

#define SATIN_PASS(X, f) SATIN_FIELD_AS (SATIN_PASS, X, SATIN_STRIP f)
#define SATIN_PASS_VALUE(X, name, ...) , X name
#define SATIN_PASS_SPAN(X, name, ...) , X name, X n_##name

#define SATIN_FILL(X, f) SATIN_FIELD_AS (SATIN_FILL, X, SATIN_STRIP f)
#define SATIN_FILL_VALUE(X, name, ...) X name = name;
#define SATIN_FILL_SPAN(X, name, ...) X name = name; X n_##name = n_##name;

/* SATIN_RESULT_AS (OP, X, (kind...)) is OP_VALUE, OP_VOID or OP_SPAN (X, value, C type, ...). */
#define SATIN_RESULT_FIELD(...) SATIN_RESULT_FIELD1 (__VA_ARGS__)
#define SATIN_RESULT_FIELD1(kind, ...) kind, value __VA_OPT__ (, ) __VA_ARGS__
#define SATIN_RESULT_AS(OP, X, RESULT) SATIN_FIELD_AS (OP, X, SATIN_RESULT_FIELD RESULT)
#define SATIN_RESULT_TYPE(RESULT) SATIN_RESULT_AS (SATIN_RESULT_TYPE, , RESULT)
#define SATIN_RESULT_TYPE_VALUE(X, name, ctype, ...) ctype
/* A result of bytes or an array is not legal. The macros for it compile, so that only
 * SATIN_TASK_TYPES reports it. */
#define SATIN_RESULT_TYPE_SPAN(X, name, ctype, ...) const ctype *
#define SATIN_ASSIGN_SPAN(X, name, ctype, ...) *(const ctype **)(X) =
#define SATIN_RETURN_SPAN(X, name, ctype, ...) return X;
#define SATIN_RETURN_VOID_CALL_SPAN(X, ...)
#define SATIN_LOAD_SPAN(X, name, ctype, ...) return *(const ctype **)(X);
#define SATIN_KEEP_SPAN(X, name, ctype, ...) const ctype *ret_ = X;
#define SATIN_IS_SPAN_VALUE(X, ...) 0
#define SATIN_IS_SPAN_VOID(X, ...) 0
#define SATIN_IS_SPAN_SPAN(X, ...) 1
#define SATIN_RESULT_TYPE_VOID(X, name, ctype, ...) void
#define SATIN_ASSIGN_VALUE(X, name, ctype, ...) *(ctype *)(X) =
#define SATIN_ASSIGN_VOID(X, name, ctype, ...)
#define SATIN_RETURN_VALUE(X, name, ctype, ...) return X;
#define SATIN_RETURN_VOID(X, name, ctype, ...)
#define SATIN_LOAD_VALUE(X, name, ctype, ...) return *(ctype *)(X);
#define SATIN_LOAD_VOID(X, name, ctype, ...) return;

/* %NULL as the place of a result is an error. In C++ it selects a deleted function. */
#define SATIN_TAKES_VALUE(X, ...) __attribute__ ((nonnull (3)))
#define SATIN_TAKES_SPAN(X, ...)
#define SATIN_TAKES_VOID(X, ...)
#ifdef __cplusplus
#define SATIN_CHECK_RET(RET, NAME) ((void)0)
#define SATIN_REFUSE_VALUE(NAME, ...)                                                              \
  static inline SatinSlot *NAME##_spawn_ (SatinWorker *, SatinSlot *, decltype (nullptr), ...) = delete; \
  static inline SatinSlot *NAME##_spawn_inlet_ (SatinWorker *, SatinSlot *, decltype (nullptr), ...) = delete;
#else
#define SATIN_CHECK_RET(RET, NAME)                                                                 \
  ((void)sizeof (struct { int NULL_cannot_take_the_result                                          \
                          : __builtin_types_compatible_p (NAME##_value, void)                      \
                                    || !__builtin_types_compatible_p (__typeof__ (RET), void *)    \
                                ? 1 : -1; }))
#define SATIN_REFUSE_VALUE(NAME, ...)
#endif
#define SATIN_REFUSE_SPAN(NAME, ...)
#define SATIN_REFUSE_VOID(NAME, ...)
#define SATIN_KEEP_VALUE(X, name, ctype, ...) ctype ret_ = X;
#define SATIN_KEEP_VOID(X, name, ctype, ...) X;
#define SATIN_FRAME_PARAMS(...) (SatinWorker *worker_, SatinSlot *base_ SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))

/* A body is a part of its frame's function, which compares the head at the end with the head at the
 * beginning. Where a sync comes last the compiler sees that both are equal, and comparing costs
 * nothing. */
#define SATIN_INSIDE inline __attribute__ ((always_inline))
#define SATIN_BODY_PARAMS(...)                                                                     \
  (SatinWorker *satin_worker_ G_GNUC_UNUSED, SatinSlot *const satin_base_ G_GNUC_UNUSED,           \
   SatinSlot **const satin_top_ G_GNUC_UNUSED, const SatinTask **const satin_last_ G_GNUC_UNUSED,  \
   SatinRunFunc *const satin_run_last_ G_GNUC_UNUSED,                                              \
   const SatinTask *const satin_task_ G_GNUC_UNUSED,                                               \
   gconstpointer const satin_args_ G_GNUC_UNUSED SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))
#define SATIN_TASK_BODY(LINKAGE, NAME, RESULT, ...)                                                \
  static SATIN_INSIDE SATIN_RESULT_TYPE (RESULT) NAME##_body_ SATIN_BODY_PARAMS (__VA_ARGS__);     \
  LINKAGE SATIN_RESULT_TYPE (RESULT) NAME##_frame_ SATIN_FRAME_PARAMS (__VA_ARGS__)                \
  {                                                                                                \
    SatinSlot *top_ = base_;                                                                       \
    const SatinTask *last_ = SATIN_SMALL_TASK (NAME);                                              \
    SatinRunFunc run_last_ = SATIN_SMALL_RUN (NAME);                                               \
    NAME##_args args_ G_GNUC_UNUSED;                                                               \
    SATIN_EACH (SATIN_FILL, args_., __VA_ARGS__)                                                   \
    SATIN_RESULT_AS (SATIN_KEEP, NAME##_body_ (worker_, base_, &top_, &last_, &run_last_, &NAME##_task, \
                                               &args_ SATIN_EACH (SATIN_PASS, , __VA_ARGS__)), RESULT)    \
    if (G_UNLIKELY (top_ != base_))                                                                \
      satin_frame_left (worker_, base_, top_, "task " #NAME);                                   \
    SATIN_RESULT_AS (SATIN_RETURN, ret_, RESULT)                                                   \
  }                                                                                                \
  static SATIN_INSIDE SATIN_RESULT_TYPE (RESULT) NAME##_body_ SATIN_BODY_PARAMS (__VA_ARGS__)

/* Lets C++ files, too, name symbols that a C file may define. */
#ifdef __cplusplus
#define SATIN_EXTERN extern "C"
#else
#define SATIN_EXTERN extern
#endif

#define SATIN_TASK_TYPES(NAME, RESULT, ...)                                                        \
  typedef struct { SATIN_EACH (SATIN_MEMBER, , __VA_ARGS__) } NAME##_args;                         \
  typedef struct { SATIN_RESULT_AS (SATIN_MEMBER, , RESULT) } NAME##_result;                       \
  typedef SATIN_RESULT_TYPE (RESULT) NAME##_value;                                                 \
  SATIN_STATIC_ASSERT (sizeof (NAME##_args) <= SATIN_ARGS_MAX_BYTES,                               \
                       "task " #NAME ": the arguments take more than 512 bytes: pass them by an array or a record in an object"); \
  SATIN_STATIC_ASSERT (!(SATIN_RESULT_AS (SATIN_IS_SPAN, , RESULT)),                               \
                       "task " #NAME ": a result cannot be an array or bytes: use a record that has the array as a field");
#define SATIN_RESULT_TUPLE(...) (SATIN_RESULT_FIELD1 (__VA_ARGS__))

#define SATIN_TASK_RUN(NAME, RESULT, ...)                                                          \
  static __attribute__ ((noinline)) void NAME##_run_ (SatinWorker *worker_, SatinSlot *slot_, SatinSlot *head_) \
  {                                                                                                \
    NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_args (slot_, sizeof (NAME##_args)); \
    SATIN_RESULT_AS (SATIN_ASSIGN, slot_->result, RESULT)                                          \
    NAME##_frame_ (worker_, head_ SATIN_EACH (SATIN_PASS, args_->, __VA_ARGS__));            \
  }                                                                                                \
  static void NAME##_run_inlet_ (SatinWorker *worker_, SatinSlot *slot_, SatinSlot *head_)         \
  {                                                                                                \
    NAME##_run_ (worker_, slot_, head_);                                                           \
    satin_child_ended (worker_, slot_, head_, satin_slot_hearer (worker_, slot_, sizeof (NAME##_args))); \
  }                                                                                                \
  static void NAME##_run_typed_ (SatinWorker *worker_, SatinSlot *slot_, SatinSlot *head_)         \
  {                                                                                                \
    NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_args (slot_, sizeof (NAME##_args)); \
    SATIN_RESULT_AS (SATIN_ASSIGN, satin_slot_args (slot_, 0), RESULT)                             \
    NAME##_frame_ (worker_, head_ SATIN_EACH (SATIN_PASS, args_->, __VA_ARGS__));            \
  }

/* GCC divides a function whose address is taken. It moves the beginning of that function, up to an
 * early return, to where the function is called. So a small task that ends at once costs no call in
 * the sync of its spawner. */
#define SATIN_TAKE_ADDRESS(FUNCTION) __asm__ volatile ("" : : "r"(FUNCTION))

/* C++ cannot declare a static object before it defines it, so each form gets its @twin at run
 * time. */
#define SATIN_TASK_TABLE(LINKAGE, NAME, RESULT, ...)                                               \
  SATIN_RECORD_TABLE (NAME##_args, NAME##_args, __VA_ARGS__)                                       \
  SATIN_RECORD_TABLE (NAME##_result, NAME##_result, SATIN_RESULT_TUPLE RESULT)                     \
  LINKAGE SatinTask NAME##_task = SATIN_TASK_FORM (NAME, NAME##_run_, FALSE, FALSE, FALSE, NULL, &NAME##_task); \
  static const SatinTask NAME##_task_exported_                                                         \
      = SATIN_TASK_FORM (NAME, satin_run_exported, FALSE, TRUE, FALSE, &NAME##_task, &NAME##_task);    \
  LINKAGE const SatinTask NAME##_task_typed_ G_GNUC_UNUSED                                          \
      = SATIN_TASK_FORM (NAME, NAME##_run_typed_, TRUE, FALSE, FALSE, NULL, &NAME##_task_typed_);  \
  LINKAGE SatinTask NAME##_task_inlet_                                                              \
      = SATIN_TASK_FORM (NAME, NAME##_run_inlet_, FALSE, FALSE, TRUE, NULL, &NAME##_task);           \
  static const SatinTask NAME##_task_inlet_exported_                                                   \
      = SATIN_TASK_FORM (NAME, satin_run_inlet_exported, FALSE, TRUE, TRUE, &NAME##_task_inlet_, &NAME##_task); \
  __attribute__ ((constructor)) static void NAME##_register_ (void)                                \
  {                                                                                                \
    NAME##_task.twin = &NAME##_task_exported_;                                                         \
    NAME##_task_inlet_.twin = &NAME##_task_inlet_exported_;                                            \
    if (SATIN_IS_SMALL (NAME))                                                                     \
      SATIN_TAKE_ADDRESS (NAME##_frame_);                                                          \
    satin_task_register (&NAME##_task, sizeof (SatinTask), SATIN_PROGRAM_ABI);                     \
  }
#define SATIN_TASK_FORM(NAME, RUN, IS_TYPED, IS_EXPORTED, HAS_INLET, TWIN, PLAIN)                      \
  { RUN, #NAME, &NAME##_args_record, &NAME##_result_record, IS_TYPED, IS_EXPORTED, HAS_INLET, TWIN, PLAIN, NULL, NULL, &NAME##_task, __FILE__, 0 }

/* Some tasks are small: their arguments and result fit into registers. A sync calls the frame of a
 * small task directly. */
#define SATIN_IS_SMALL(NAME) (sizeof (NAME##_args) <= 32 && sizeof (NAME##_result) <= 8)
#define SATIN_SMALL_TASK(NAME) (SATIN_IS_SMALL (NAME) ? &NAME##_task : NULL)
#define SATIN_SMALL_RUN(NAME) (SATIN_IS_SMALL (NAME) ? NAME##_run_small_ : NULL)

#define SATIN_TASK_SPAWN(NAME, RESULT, ...)                                                        \
  static inline G_GNUC_UNUSED void NAME##_run_small_ (SatinWorker *worker_, SatinSlot *slot_, SatinSlot *head_)\
  {                                                                                                \
    NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_args (slot_, sizeof (NAME##_args));\
    SATIN_RESULT_AS (SATIN_ASSIGN, slot_->result, RESULT)                                          \
    NAME##_frame_ (worker_, head_ SATIN_EACH (SATIN_PASS, args_->, __VA_ARGS__));                  \
  }                                                                                                \
  SATIN_RESULT_AS (SATIN_REFUSE, NAME, RESULT)                                                     \
  SATIN_RESULT_AS (SATIN_TAKES, , RESULT) static inline G_GNUC_UNUSED SatinSlot *NAME##_spawn_ (                                           \
      SatinWorker *worker_, SatinSlot *slot_, SATIN_RESULT_TYPE (RESULT) *ret_ SATIN_EACH (SATIN_PARAM, , __VA_ARGS__)) \
  {                                                                                                \
    if (G_LIKELY (slot_ < SATIN_LOAD_RELAXED (&worker_->limit)))                                   \
      {                                                                                            \
        NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_take_args (worker_, slot_, sizeof (NAME##_args)); \
        SATIN_EACH (SATIN_FILL, args_->, __VA_ARGS__)                                              \
        slot_->result = ret_;                                                                      \
        slot_->task = (guintptr)&NAME##_task;                                                      \
        return slot_ + 1;                                                                          \
      }                                                                                            \
    NAME##_args args_;                                                                             \
    SATIN_EACH (SATIN_FILL, args_., __VA_ARGS__)                                                   \
    return satin_spawn_slow (worker_, slot_, &NAME##_task, &args_, ret_);                          \
  }                                                                                                \
  SATIN_RESULT_AS (SATIN_TAKES, , RESULT) static inline G_GNUC_UNUSED SatinSlot *NAME##_spawn_inlet_ (                                     \
      SatinWorker *worker_, SatinSlot *slot_, SATIN_RESULT_TYPE (RESULT) *ret_,                    \
      SatinHearer hearer_ SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))                          \
  {                                                                                                \
    if (G_LIKELY (slot_ < SATIN_LOAD_RELAXED (&worker_->limit)))                                   \
      {                                                                                            \
        NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_take_args (worker_, slot_, sizeof (NAME##_args)); \
        SATIN_EACH (SATIN_FILL, args_->, __VA_ARGS__)                                              \
        *satin_slot_hearer (worker_, slot_, sizeof (NAME##_args)) = hearer_;                       \
        slot_->result = ret_;                                                                      \
        slot_->task = (guintptr)&NAME##_task_inlet_;                                               \
        return slot_ + 1;                                                                          \
      }                                                                                            \
    NAME##_args args_;                                                                             \
    SATIN_EACH (SATIN_FILL, args_., __VA_ARGS__)                                                   \
    return satin_spawn_inlet_slow (worker_, slot_, &NAME##_task_inlet_, &args_, ret_, hearer_);    \
  }                                                                                                \
  static inline G_GNUC_UNUSED void NAME##_spawn_typed_ (                                           \
      SatinWorker *worker_, SatinSlot *slot_ SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))              \
  {                                                                                                \
    if (G_LIKELY (slot_ < SATIN_LOAD_RELAXED (&worker_->limit)))                                   \
      {                                                                                            \
        NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_take_args (worker_, slot_, sizeof (NAME##_args)); \
        SATIN_EACH (SATIN_FILL, args_->, __VA_ARGS__)                                              \
        slot_->task = (guintptr)&NAME##_task_typed_;                                               \
      }                                                                                            \
    else                                                                                           \
      {                                                                                            \
        NAME##_args args_;                                                                         \
        SATIN_EACH (SATIN_FILL, args_., __VA_ARGS__)                                               \
        satin_typed_spawn_slow (worker_, slot_, &NAME##_task_typed_, &args_);                      \
      }                                                                                            \
  }

#define SATIN_TASK_CALL(NAME, RESULT, ...)                                                         \
  static inline G_GNUC_UNUSED SATIN_RESULT_TYPE (RESULT) NAME##_call_ (                            \
      SatinWorker *worker_, SatinSlot *head_ SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))              \
  {                                                                                                \
    SATIN_RESULT_AS (SATIN_RETURN, NAME##_frame_ (worker_, head_ SATIN_EACH (SATIN_PASS, , __VA_ARGS__)), RESULT) \
    SATIN_RESULT_AS (SATIN_RETURN_VOID_CALL, NAME##_frame_ (worker_, head_ SATIN_EACH (SATIN_PASS, , __VA_ARGS__)), RESULT) \
  }                                                                                                \
  static inline G_GNUC_UNUSED SATIN_RESULT_TYPE (RESULT) NAME##_sync_typed_ (SatinWorker *worker_, SatinSlot *slot_) \
  {                                                                                                \
    SatinSlot *done_;                                                                              \
    if (G_UNLIKELY (slot_ < SATIN_LOAD_RELAXED (&worker_->join))                                   \
        && (done_ = satin_typed_sync_slow (worker_, slot_)) != NULL)                               \
      { SATIN_RESULT_AS (SATIN_LOAD, satin_slot_args (done_, 0), RESULT) }                         \
    NAME##_args *args_ G_GNUC_UNUSED = (NAME##_args *)satin_slot_args (slot_, sizeof (NAME##_args)); \
    SATIN_RESULT_AS (SATIN_RETURN, NAME##_frame_ (worker_, slot_ SATIN_EACH (SATIN_PASS, args_->, __VA_ARGS__)), RESULT) \
    SATIN_RESULT_AS (SATIN_RETURN_VOID_CALL, NAME##_frame_ (worker_, slot_ SATIN_EACH (SATIN_PASS, args_->, __VA_ARGS__)), RESULT) \
  }
#define SATIN_RETURN_VOID_CALL_VALUE(X, ...)
#define SATIN_RETURN_VOID_CALL_VOID(X, ...) X;

/* clang-format on */

G_END_DECLS
