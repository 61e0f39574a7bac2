/* bare.c - a plugin of any kind that has no parameters and lacks one operation
 *
 * Its other operations end the process, because nobody may call them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>
#include <satin/adapt/provision.h>
#include <satin/core/membership.h>
#include <satin/core/policy.h>
#include <satin/ft/filter.h>
#include <satin/net/registry.h>

#include <stdlib.h>

/* The compiler's command line defines KIND, the kind of the plugin, OPS, the type of its
 * operations, and LACKS, the missing operation. */
static OPS ops = { .struct_size = sizeof (OPS) };

static void
end_process (void)
{
  abort ();
}

__attribute__ ((constructor)) static void
fill_in (void)
{
  for (gsize at = sizeof (gsize); at < sizeof (OPS); at += sizeof (gpointer))
    if (at != G_STRUCT_OFFSET (OPS, LACKS))
      *(void (**) (void)) ((char *)&ops + at) = end_process;
}

static const char *const schemes[] = { "bare", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD, .kind = KIND,   .thread_model = SATIN_THREAD_ANY,
  .name = "bare",         .version = "1", .summary = "lacks an operation",
  .schemes = schemes,     .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
