/* abi.c - whether a plugin that was built against earlier headers of this ABI still fits
 *
 * Sizes and places are those of the first version of ABI 2. When a case fails do not change the
 * number here, but give the structure back its form, or raise SATIN_PLUGIN_ABI and begin anew.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>
#include <satin/base/peers.h>
#include <satin/base/run.h>
#include <satin/core/policy.h>
#include <satin/ft/storage.h>
#include <satin/net/registry.h>

typedef struct
{
  const char *name;
  gsize now;
  gsize first; /* in the first version of this ABI, where a pointer has 8 bytes */
} Measure;

#define SIZE(type, first)                                                                          \
  {                                                                                                \
#    type, sizeof(type), first                                                                     \
  }
#define PLACE(type, field, first)                                                                  \
  {                                                                                                \
#    type "." #    field, G_STRUCT_OFFSET(type, field), first                                      \
  }

/* They lie in arrays, or the plugin fills them in without their size. */
static const Measure fixed[] = {
  SIZE (SatinPeer, 32),       SIZE (SatinVictim, 64),       SIZE (SatinMember, 48),
  SIZE (SatinParam, 32),      SIZE (SatinRunEvents, 24),    SIZE (SatinListenEvents, 8),
  SIZE (SatinLinkEvents, 32), SIZE (SatinStealHistory, 16), SIZE (SatinWait, 32),
};

/* They grow at the end: the last field of the first version stays where it was. */
static const Measure growing[] = {
  PLACE (SatinPluginDesc, ops, 72),
  PLACE (SatinView, death_signal, 64),
  PLACE (SatinPeersOps, remove_change_func, 48),
  PLACE (SatinRunOps, leaving, 48),
  PLACE (SatinPartOps, waits, 32),
  PLACE (SatinPolicyOps, balance, 32),
  PLACE (SatinStealSituation, now_us, 128),
  PLACE (SatinStealChoice, n_jobs, 28),
  PLACE (SatinRegistryContext, pid, 64),
  PLACE (SatinRegistryEvents, killed, 104),
  PLACE (SatinRegistryOps, leaving, 88),
  PLACE (SatinTransportContext, is_insecure, 24),
  PLACE (SatinTransportOps, drop, 80),
  PLACE (SatinStorageOps, interrupt, 80),
};

static void
check (const Measure *measures, guint n)
{
  if (sizeof (gpointer) != 8)
    {
      g_test_skip ("pointers do not have 8 bytes");
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      if (measures[i].now == measures[i].first)
        continue;
      g_test_message ("%s is %" G_GSIZE_FORMAT ", was %" G_GSIZE_FORMAT, measures[i].name,
                      measures[i].now, measures[i].first);
      g_test_fail ();
    }
}

static void
test_what_lies_in_arrays_has_its_size (void)
{
  check (fixed, G_N_ELEMENTS (fixed));
}

static void
test_what_grows_has_its_fields_in_place (void)
{
  check (growing, G_N_ELEMENTS (growing));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (SATIN_PLUGIN_ABI, ==, 2);
  g_test_add_func ("/abi/what-lies-in-arrays-has-its-size", test_what_lies_in_arrays_has_its_size);
  g_test_add_func ("/abi/what-grows-has-its-fields-in-place",
                   test_what_grows_has_its_fields_in_place);
  return g_test_run ();
}
