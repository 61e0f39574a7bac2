/* abi.c - tests that plugins built against earlier headers of this ABI still fit
 *
 * The sizes and places are those of the first version of ABI 4. When a case fails, do not change
 * the number here: restore the structure's form, or raise SATIN_PLUGIN_ABI and start with new
 * numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>
#include <satin/adapt/leases.h>
#include <satin/adapt/provision.h>
#include <satin/base/node.h>
#include <satin/base/peers.h>
#include <satin/base/run.h>
#include <satin/core/inspect.h>
#include <satin/core/policy.h>
#include <satin/ft/storage.h>
#include <satin/net/registry.h>

typedef struct
{
  const char *name;
  gsize now;
  gsize first; /* in the first version of this ABI, with pointers of 8 bytes */
} Measure;

#define SIZE(type, first)                                                                          \
  {                                                                                                \
#    type, sizeof(type), first                                                                     \
  }
#define PLACE(type, field, first)                                                                  \
  {                                                                                                \
#    type "." #    field, G_STRUCT_OFFSET(type, field), first                                      \
  }

/* These structures are elements of arrays, or do not contain their own size. So they may not
 * grow. */
static const Measure fixed[] = {
  SIZE (SatinPeer, 32),     SIZE (SatinVictim, 64), SIZE (SatinMember, 48),
  SIZE (SatinParam, 32),    SIZE (SatinWait, 32),   SIZE (SatinStealHistory, 16),
  SIZE (SatinMachine, 24),  SIZE (SatinOffer, 24),  SIZE (SatinLeaseLimits, 24),
  SIZE (SatinDecision, 16), SIZE (SatinRemoval, 8), SIZE (SatinAsk, 8),
  SIZE (SatinHoldings, 24), SIZE (SatinJobRef, 16), SIZE (SatinProgram, 56),
};

/* These structures may grow at the end: the last field of the first version must stay in its
 * place. */
static const Measure growing[] = {
  PLACE (SatinPluginDesc, ops, 72),
  PLACE (SatinView, gone_cluster, 72),
  PLACE (SatinPeersOps, meet, 56),
  PLACE (SatinRunEvents, over, 24),
  PLACE (SatinRunOps, leaving, 48),
  PLACE (SatinPartOps, waits, 32),
  PLACE (SatinPolicyOps, balance, 32),
  PLACE (SatinStealSituation, now_us, 128),
  PLACE (SatinStealChoice, n_jobs, 28),
  PLACE (SatinRegistryContext, is_insecure, 80),
  PLACE (SatinRegistryEvents, killed, 112),
  PLACE (SatinRegistryOps, leaving, 88),
  PLACE (SatinListenEvents, accepted, 8),
  PLACE (SatinLinkEvents, down, 32),
  PLACE (SatinTransportContext, is_insecure, 24),
  PLACE (SatinTransportOps, drop, 80),
  PLACE (SatinStorageOps, interrupt, 80),
  PLACE (SatinStart, secret, 40),
  PLACE (SatinLeaseOps, stop, 16),
  PLACE (SatinProvisionHost, ended, 32),
  PLACE (SatinProvisionOps, close, 56),
  PLACE (SatinAdaptationOps, load, 40),
  PLACE (SatinEntry, argv, 32),
  PLACE (SatinWorkersOptions, thread_ops, 40),
  PLACE (SatinMembershipEvents, over, 24),
  PLACE (SatinWorldOps, run, 8),
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
  g_assert_cmpint (SATIN_PLUGIN_ABI, ==, 4);
  g_test_add_func ("/abi/what-lies-in-arrays-has-its-size", test_what_lies_in_arrays_has_its_size);
  g_test_add_func ("/abi/what-grows-has-its-fields-in-place",
                   test_what_grows_has_its_fields_in_place);
  return g_test_run ();
}
