/* storage.c - a plugin that stores nothing, for the tests of the plugin host
 *
 * It is built many times. Some builds are right. In the others, macros make one thing or two wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/plugin.h>

#ifndef ABI
#  define ABI SATIN_PLUGIN_ABI
#endif
#ifndef KIND
#  define KIND SATIN_PLUGIN_STORAGE
#endif
#ifndef THREAD_MODEL
#  define THREAD_MODEL SATIN_THREAD_ONE
#endif
#ifndef STRUCT_SIZE
#  define STRUCT_SIZE sizeof (plugin)
#endif
#ifndef NAME
#  define NAME FILE_NAME
#endif
#ifndef VERSION
#  define VERSION "1.2.3"
#endif
#ifndef SUMMARY
#  define SUMMARY "stores nothing"
#endif
#ifndef SCHEMES
#  define SCHEMES
#endif
#ifndef DEFAULT
#  define DEFAULT "64M"
#endif
#ifndef PARAMS
#  define PARAMS params
#endif
#ifndef OPS
#  define OPS &ops
#endif

/* The operations that the test knows; plugins may have fewer or more. */
typedef struct
{
  gsize struct_size;
  int (*first) (void);
#ifndef HAS_SMALL_OPS
  int (*second) (void);
  int (*third) (void);
#endif
} Ops;

static int
answer (void)
{
  return 42;
}

__attribute__ ((unused)) static const Ops ops = {
#ifdef HAS_GARBAGE_OPS
  .struct_size = 3,
#else
  .struct_size = sizeof (Ops),
#endif
  .first = answer,
#if !defined HAS_SMALL_OPS && !defined HAS_NO_SECOND
  .second = answer,
#endif
#ifndef HAS_SMALL_OPS
  .third = answer,
#endif
};

__attribute__ ((unused)) static const SatinParam params[] = {
  { "cache", SATIN_PARAM_SIZE, DEFAULT, "how much to keep" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static const char *const schemes[] = { SCHEMES NULL };

/* A descriptor of a later version begins with the fields that this version knows. */
typedef struct
{
  SatinPluginDesc desc;
#ifdef HAS_MORE_FIELDS
  const char *more[4];
#endif
} Plugin;

__attribute__ ((unused)) static const Plugin plugin = {
  .desc = {
    .struct_size = STRUCT_SIZE,
    .abi = ABI,
    .kind = KIND,
    .thread_model = THREAD_MODEL,
    .name = NAME,
    .version = VERSION,
    .summary = SUMMARY,
    .author = "the tests",
    .schemes = schemes,
    .params = PARAMS,
    .ops = OPS,
  },
};

#ifdef HAS_NO_DESC
#  define DESC *(const SatinPluginDesc *)NULL
#else
#  define DESC plugin.desc
#endif

#ifndef HAS_NO_SYMBOL
SATIN_PLUGIN_EXPORT (DESC)
#endif
