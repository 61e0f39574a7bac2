/* type.h - types of shared objects: a state, and methods that change it
 *
 *   SATIN_OBJECT_TYPE (tour, (long, length), (array_int, cities))
 *
 *   SATIN_METHOD (tour, improve, (long, length), (array_int, cities))
 *   {
 *     if (length >= state->length)
 *       return;
 *     state->length = length;
 *     SATIN_SET_ARRAY (state, cities, cities, n_cities);
 *   }
 *
 * A type is described like a record (satin/base/record.h), so that a replica can travel. A method
 * is described like a task, so that a call can travel. A method is applied to every replica, and
 * depends only on the state and its arguments. Calls that other nodes made may come late, twice, in
 * another order, or not at all. So replicas agree only when all methods move the state in one
 * direction, whatever their order: to the larger of two values, to the union, to the latest value.
 *
 * A state owns the memory that its pointers point to: a method that changes a pointer frees the old
 * memory with g_free() and copies the new content with g_memdup2(), or uses SATIN_SET_ARRAY.
 *
 * When several files use a type, a header declares it with SATIN_OBJECT_TYPE_DECLARE and
 * SATIN_METHOD_DECLARE, and one file defines it.
 *
 * Threads: any; types are constant once main has begun. The functions of a type run on the thread
 * that needs the object. A function that changes a state runs alone on that state. Several
 * functions that only read a state, such as pack and get_version, may run on it at the same time.
 * For a type @is_in_place, all functions may run at the same time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* A program cannot avoid what these macros expand to, so -Wpedantic and similar warnings are
 * silent. */
#pragma GCC system_header

#include <satin/core/task.h>

G_BEGIN_DECLS

typedef struct _SatinMethod SatinMethod;
typedef struct _SatinObjectType SatinObjectType;

/* The largest size of a method's arguments, as a structure. */
#define SATIN_METHOD_ARGS_MAX_BYTES 512

/**
 * SatinMethod:
 * @name: unique in its type
 * @args: describes the arguments
 * @apply: changes the state. Arguments may come from other nodes: invalid ones change nothing
 * @type: the type to which the method belongs
 * @next: the type's next method, by name
 *
 * A method of a type, made by SATIN_METHOD.
 */
struct _SatinMethod
{
  const char *name;
  const SatinRecord *args;
  void (*apply) (gpointer state, gconstpointer args);
  const SatinObjectType *type;
  SatinMethod *next;
};

/**
 * SatinObjectType:
 * @name: unique in the program
 * @record: describes the form in which a state travels, and the initial value of an object
 * @state_bytes: size of the state in memory
 * @is_in_place: there is one state, which methods change while others read it. The type's functions
 *   and the readers of states use atomics. For states that are too expensive to copy
 * @n_kept: a node keeps only this number of objects of the type, the newest; 0: all. Older objects
 *   are emptied; an emptied object is fetched again when a job from another node needs it. For
 *   programs that make a new object, which never changes, in each step; not for a type @is_in_place
 * @is_checkpointed: a checkpoint contains the objects of the type that SATIN_NEW made. A run that
 *   continues from the checkpoint has them again. Not for a type @is_in_place or with @n_kept
 * @unpack: (nullable): makes a state from a record, which may come from another node. @ret_state is
 *   zeroed; on failure, @unpack itself frees what it has put there
 * @pack: (nullable): makes the record that travels. @ret_record is zeroed; the caller clears it
 * @copy: (nullable): makes an equal, independent state in the zeroed @ret_state
 * @clear: (nullable): frees what the state owns
 * @get_version: (nullable): gives a state's version: a number, 0 or more, that never decreases;
 *   jobs can wait for it. Default: 0
 * @merge: (nullable): merges the replica @other into @state. Default: @other replaces @state unless
 *   its version is lower; a type @is_in_place ignores @other
 * @prepare: (nullable): runs before a method that this node calls. It reads the newest state and
 *   may change plain fields of @args. @origin is this node's number, which is unique. Returns
 *   %FALSE when the call would change nothing; the call is skipped then
 * @combine: (nullable): combines two calls of a method that wait to be sent, first @args and then
 *   @later: it changes @args, which owns what its pointers point to, into one call that replaces
 *   both. Returns %FALSE, with @args unchanged, when it cannot
 * @methods: the type's methods, by name
 * @next: the program's next type, by name
 *
 * A type of shared objects, made by SATIN_OBJECT_TYPE. The state of a type without @unpack is the
 * record's structure. A type with @unpack has @pack, @copy and @clear too.
 */
struct _SatinObjectType
{
  const char *name;
  const SatinRecord *record;
  gsize state_bytes;
  gboolean is_in_place;
  guint n_kept;
  gboolean is_checkpointed;
  gboolean (*unpack) (gconstpointer record, gpointer ret_state, GError **error);
  void (*pack) (gconstpointer state, gpointer ret_record);
  void (*copy) (gconstpointer state, gpointer ret_state);
  void (*clear) (gpointer state);
  gint64 (*get_version) (gconstpointer state);
  void (*merge) (gpointer state, gconstpointer other);
  gboolean (*prepare) (const SatinMethod *method, gconstpointer state, gint64 origin,
                       gpointer args);
  gboolean (*combine) (const SatinMethod *method, gpointer args, gconstpointer later);
  SatinMethod *methods;
  SatinObjectType *next;
};

/**
 * SATIN_OBJECT_TYPE:
 * @TYPE: the name of the type, unique in the program
 * @...: (KIND, NAME) fields of the state, at most 16
 *
 * Defines a type. The structure of its state, TYPE_state, has these fields.
 */
#define SATIN_OBJECT_TYPE(TYPE, ...)                                                               \
  SATIN_OBJECT_TYPE_DECLARE (TYPE, __VA_ARGS__)                                                    \
  SATIN_OBJECT_TYPE_DEFINE (TYPE)

/* Declares a type like SATIN_OBJECT_TYPE. SATIN_OBJECT_TYPE_DEFINE follows in this file or another.
 */
#define SATIN_OBJECT_TYPE_DECLARE(TYPE, ...)                                                       \
  SATIN_OBJECT_PACKED (TYPE, __VA_ARGS__)                                                          \
  typedef TYPE##_packed TYPE##_state;

/**
 * SATIN_OBJECT_PACKED:
 *
 * Declares the record of a type whose state is a different structure. The caller declares that
 * structure, TYPE_state, and uses SATIN_OBJECT_TYPE_DEFINE with at least unpack, pack, copy and
 * clear.
 */
#define SATIN_OBJECT_PACKED(TYPE, ...)                                                             \
  typedef struct                                                                                   \
  {                                                                                                \
    SATIN_EACH (SATIN_MEMBER, , __VA_ARGS__)                                                       \
  } TYPE##_packed;                                                                                 \
  SATIN_RECORD_TABLE (TYPE##_packed, TYPE, __VA_ARGS__)                                            \
  SATIN_API SatinObjectType TYPE##_type;

/**
 * SATIN_OBJECT_TYPE_DEFINE:
 * @...: further members of #SatinObjectType, in their order: .get_version = f, .merge = g
 *
 * Defines a declared type.
 */
#define SATIN_OBJECT_TYPE_DEFINE(TYPE, ...)                                                        \
  SatinObjectType TYPE##_type = { .name = #TYPE,                                                   \
                                  .record = &TYPE##_record,                                        \
                                  .state_bytes =                                                   \
                                      sizeof (TYPE##_state) __VA_OPT__ (, ) __VA_ARGS__ };         \
  __attribute__ ((constructor)) static void TYPE##_register_type_ (void)                           \
  {                                                                                                \
    satin_object_type_register (&TYPE##_type);                                                     \
  }

/**
 * SATIN_METHOD:
 * @TYPE: a declared or defined type
 * @NAME: unique in the type
 * @...: (KIND, NAME) arguments, at most 16
 *
 * Defines a method. The body of the method follows in braces. It can use TYPE_state *state, and the
 * arguments by their names.
 */
#define SATIN_METHOD(TYPE, NAME, ...)                                                              \
  SATIN_METHOD_DECLARE (TYPE, NAME, __VA_ARGS__)                                                   \
  SATIN_METHOD_BODY (TYPE, NAME, __VA_ARGS__)

/* Declares a method. SATIN_METHOD_BODY follows in this file or another. */
#define SATIN_METHOD_DECLARE(TYPE, NAME, ...)                                                      \
  typedef struct                                                                                   \
  {                                                                                                \
    SATIN_EACH (SATIN_MEMBER, , __VA_ARGS__)                                                       \
  } TYPE##_##NAME##_args;                                                                          \
  SATIN_RECORD_TABLE (TYPE##_##NAME##_args, TYPE##_##NAME##_args, __VA_ARGS__)                     \
  G_STATIC_ASSERT (sizeof (TYPE##_##NAME##_args) <= SATIN_METHOD_ARGS_MAX_BYTES);                  \
  SATIN_API SatinMethod TYPE##_##NAME##_method;

/* Defines a method that SATIN_METHOD_DECLARE declared. Its body follows in braces. */
#define SATIN_METHOD_BODY(TYPE, NAME, ...)                                                         \
  static void TYPE##_##NAME##_body_ (                                                              \
      TYPE##_state *state G_GNUC_UNUSED SATIN_EACH (SATIN_PARAM, , __VA_ARGS__));                  \
  static void TYPE##_##NAME##_apply_ (gpointer state_, gconstpointer args_)                        \
  {                                                                                                \
    const TYPE##_##NAME##_args *arguments_ G_GNUC_UNUSED = (const TYPE##_##NAME##_args *)args_;    \
    TYPE##_##NAME##_body_ (                                                                        \
        (TYPE##_state *)state_ SATIN_EACH (SATIN_PASS, arguments_->, __VA_ARGS__));                \
  }                                                                                                \
  SatinMethod TYPE##_##NAME##_method = { #NAME, &TYPE##_##NAME##_args_record,                      \
                                         TYPE##_##NAME##_apply_, &TYPE##_type, NULL };             \
  __attribute__ ((constructor)) static void TYPE##_##NAME##_register_method_ (void)                \
  {                                                                                                \
    satin_object_type_add_method (&TYPE##_type, &TYPE##_##NAME##_method);                          \
  }                                                                                                \
  static void TYPE##_##NAME##_body_ (                                                              \
      TYPE##_state *state G_GNUC_UNUSED SATIN_EACH (SATIN_PARAM, , __VA_ARGS__))

/**
 * SATIN_SET_ARRAY:
 * @STATE: a state
 * @FIELD: a field of kind bytes or an array of numbers
 * @VALUES: (array length=N): the new content
 * @N: the number of values
 *
 * In a method: copies the new array into the field and frees the old one.
 */
#define SATIN_SET_ARRAY(STATE, FIELD, VALUES, N)                                                   \
  do                                                                                               \
    {                                                                                              \
      gpointer old_ = (gpointer)(STATE)->FIELD;                                                    \
      (STATE)->n_##FIELD = (N);                                                                    \
      (STATE)->FIELD = (__typeof__ ((STATE)->FIELD))g_memdup2 (                                    \
          VALUES, (STATE)->n_##FIELD * sizeof *(STATE)->FIELD);                                    \
      g_free (old_);                                                                               \
    }                                                                                              \
  while (0)

/* Implements SATIN_OBJECT_TYPE. Threads: before main. */
SATIN_API void satin_object_type_register (SatinObjectType *type);
/* Implements SATIN_METHOD. Threads: before main. */
SATIN_API void satin_object_type_add_method (SatinObjectType *type, SatinMethod *method);

/* Finds the type named @name in the program. Returns: (nullable). Threads: any. */
SATIN_API const SatinObjectType *satin_object_type_find (const char *name);

/* Finds the method named @name of the type. Returns: (nullable). Threads: any. */
SATIN_API const SatinMethod *satin_object_type_find_method (const SatinObjectType *type,
                                                            const char *name);

G_END_DECLS
