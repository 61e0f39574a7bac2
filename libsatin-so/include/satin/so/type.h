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
 * A type is described like a record (satin/base/record.h), so that a replica can travel, and a
 * method like a task, so that a call of it can. A method is applied to every replica. It depends on
 * nothing but the state and its arguments; and as what others do may come late, twice, in another
 * order or not at all, replicas agree only when a method makes a state *better* in some order that
 * all of them know: the larger of two, the union, what was written later.
 *
 * What pointers in a state point to is owned by it: g_free() the old, g_memdup2() the new.
 *
 * A type that is used in several files is declared in a header with SATIN_OBJECT_TYPE_DECLARE and
 * SATIN_METHOD_DECLARE, and defined in one of them.
 *
 * Threads: any; types are constant once main has begun. A function of a type runs where an object
 * is needed, with no more than one at a time for one state, except for a type @is_in_place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* What the macros here expand to is no program's fault: -Wpedantic and the like are silent about
 * it. */
#pragma GCC system_header

#include <satin/core/task.h>

G_BEGIN_DECLS

typedef struct _SatinMethod SatinMethod;
typedef struct _SatinObjectType SatinObjectType;

/* Of one call of a method, as a structure. */
#define SATIN_METHOD_ARGS_MAX_BYTES 512

/**
 * SatinMethod:
 * @name: unique in its type
 * @args: what the arguments look like
 * @apply: changes the state. Arguments may come from other nodes: what makes no sense in this state
 *   changes nothing
 * @type: what it is a method of
 * @next: of the type's methods, by name
 *
 * Made by SATIN_METHOD.
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
 * @record: what travels, and what a new object is made from
 * @state_bytes: size of the state in memory
 * @is_in_place: there is one state, which methods change beside those who read it: the type's
 *   functions, and what reads states, use atomics. For states too dear to copy
 * @n_kept: so many objects of the type are kept on a node, the newest; 0: all. Older ones are
 *   emptied, and come again when a job of another node needs them. For the states of an iteration,
 *   each an object of its own that nobody changes; not for a type @is_in_place
 * @is_checkpointed: a checkpoint has the objects of the type that were made by their names, and
 * they are there again when a run goes on from it; not for a type @is_in_place or with @n_kept
 * @unpack: (nullable): a state from what travelled, maybe from another node; @ret_state comes
 *   zeroed, and is cleared by nobody on failure
 * @pack: (nullable): what is to travel; @ret_record comes zeroed and is cleared by the caller
 * @copy: (nullable): a state of its own that is equal, into zeroed @ret_state
 * @clear: (nullable): frees what the state owns
 * @get_version: (nullable): 0 or more, and never less after a change: what jobs wait for. Default:
 * 0
 * @merge: (nullable): a replica came: takes over what @other has and @state has not. Default:
 *   @other replaces @state unless its version is lower
 * @prepare: (nullable): a method is about to be called here: looks at the newest state, and may
 *   change plain fields of @args. @origin is this node's number, which no other has. Returns %FALSE
 *   when the call would change nothing: then there is none
 * @combine: (nullable): two calls of a method wait to be sent, @args and then @later: makes @args
 * one that does for both, and owns what its pointers point to. Returns %FALSE when it cannot
 * @methods: by name
 * @next: of the program's types, by name
 *
 * Made by SATIN_OBJECT_TYPE. A type without @unpack has the record's structure as its state; one
 * with it has @pack, @copy and @clear too.
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
 * @TYPE: its name, unique in the program
 * @...: (KIND, NAME) fields of the state, at most 16
 *
 * Defines a type whose state, TYPE_state, is a structure of these fields.
 */
#define SATIN_OBJECT_TYPE(TYPE, ...)                                                               \
  SATIN_OBJECT_TYPE_DECLARE (TYPE, __VA_ARGS__)                                                    \
  SATIN_OBJECT_TYPE_DEFINE (TYPE)

/* Declares such a type: SATIN_OBJECT_TYPE_DEFINE comes later, in this file or another. */
#define SATIN_OBJECT_TYPE_DECLARE(TYPE, ...)                                                       \
  SATIN_OBJECT_PACKED (TYPE, __VA_ARGS__)                                                          \
  typedef TYPE##_packed TYPE##_state;

/**
 * SATIN_OBJECT_PACKED:
 *
 * Declares what travels of a type whose state is another structure, TYPE_state, to be declared by
 * hand; then SATIN_OBJECT_TYPE_DEFINE with at least unpack, pack, copy and clear.
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
 * Defines a type that was declared.
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
 * @TYPE: a type that was declared or defined
 * @NAME: unique in the type
 * @...: (KIND, NAME) arguments, at most 16
 *
 * Defines a method; its body follows in braces and has TYPE_state *state and the arguments by
 * value.
 */
#define SATIN_METHOD(TYPE, NAME, ...)                                                              \
  SATIN_METHOD_DECLARE (TYPE, NAME, __VA_ARGS__)                                                   \
  SATIN_METHOD_BODY (TYPE, NAME, __VA_ARGS__)

/* Declares a method, whose SATIN_METHOD_BODY comes later, in this file or another. */
#define SATIN_METHOD_DECLARE(TYPE, NAME, ...)                                                      \
  typedef struct                                                                                   \
  {                                                                                                \
    SATIN_EACH (SATIN_MEMBER, , __VA_ARGS__)                                                       \
  } TYPE##_##NAME##_args;                                                                          \
  SATIN_RECORD_TABLE (TYPE##_##NAME##_args, TYPE##_##NAME##_args, __VA_ARGS__)                     \
  G_STATIC_ASSERT (sizeof (TYPE##_##NAME##_args) <= SATIN_METHOD_ARGS_MAX_BYTES);                  \
  SATIN_API SatinMethod TYPE##_##NAME##_method;

/* The body of a method that SATIN_METHOD_DECLARE declared follows in braces. */
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
 * @FIELD: its field of kind bytes or an array of numbers
 * @VALUES: (array length=N): what it is to be from now on
 * @N: how many
 *
 * In a method: frees the old array and copies the new one.
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

/* Behind SATIN_OBJECT_TYPE and SATIN_METHOD. Threads: before main. */
SATIN_API void satin_object_type_register (SatinObjectType *type);
/* Behind SATIN_METHOD. Threads: before main. */
SATIN_API void satin_object_type_add_method (SatinObjectType *type, SatinMethod *method);

/* The program's type of that name, (nullable). Threads: any. */
SATIN_API const SatinObjectType *satin_object_type_find (const char *name);

/* The type's method of that name, (nullable). Threads: any. */
SATIN_API const SatinMethod *satin_object_type_find_method (const SatinObjectType *type,
                                                            const char *name);

G_END_DECLS
