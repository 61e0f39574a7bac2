/* private.h - what the files of an adapter share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/adaptation.h>
#include <satin/adapt/adapter.h>
#include <satin/core/measure.h>

#include "fleet/messages.h"

/* The most nodes in a report, and the most workers of a node. */
#define ADAPT_MAX_NODES   16384
#define ADAPT_MAX_WORKERS 1024

typedef enum
{
  ADAPT_FIGURES = 1,
  ADAPT_PLAN,
} AdaptKind;

/* clang-format off */
/* The figures of a node since its last report. @idle, @overdue_near and @overdue_far are shares of
 * that time, in thousandths. A *sample* is an encoded job with which nodes measure their speed. */
SATIN_RECORD (AdaptFigures,
              (long, node), (boolean, is_kept), (boolean, is_new),
              (int, n_workers), (int, idle), (int, overdue_near), (int, overdue_far),
              (int, load), /* share of the processors that its workers got while busy, in
                            * thousandths */
              (long, sample), (long, sample_us)) /* the id of the sample with which its speed was
               * measured, and the processor time that it took;
               * 0: not known */
/* @memory: the memory of the adaptation plugin, which was saved in @term. Only a new coordinator
 *   gets it. */
SATIN_RECORD (AdaptReport,
              (array_record, nodes, AdaptFigures), (bytes, sample), /* a sample from one of these
                                                                     * nodes, if the coordinator
                                                                     * wants one */
              (long, term), (long, number), (bytes, memory))
SATIN_RECORD (AdaptPlan,
              (long, term), (long, number), (long, next_us), /* time until the period ends */
              (long, sample_id), (bytes, sample), /* the sample to measure with; empty if the
                                                   * receiver has it */
              (boolean, wants_sample), (bytes, memory))
/* clang-format on */

/* This node's own figures since its beginning. */
typedef struct
{
  gint64 n_workers, busy_us, idle_us, cpu_us, overdue_near_us, overdue_far_us;
} AdaptSums;

/* What the coordinator knows of a node: its last figures, and when they came. */
typedef struct
{
  AdaptFigures figures;
  gint64 told_us;
} AdaptNode;

/* A node that reports through this node, and the id of the sample that it has measured with. */
typedef struct
{
  SatinNodeId id;
  gint64 told_us;
  gint64 sample;
  gboolean is_first; /* the first node of its cluster, which keeps the memory */
} AdaptChild;

struct _SatinAdapter
{
  SatinLoop *loop;       /* (borrowed) */
  SatinWorkers *workers; /* (borrowed) (nullable) */
  SatinAdapterOptions options;
  const SatinAdapterHost *host; /* (borrowed) */
  gpointer host_data;
  SatinPeers *peers; /* (borrowed) (nullable) */
  SatinRun *run;     /* (borrowed) (nullable) */
  guint change_id, events_id;
  SatinTimerId timer; /* the end of this node's period */
  /* reporting */
  gint64 told_us;   /* when this node last reported, or began to count; 0: never */
  AdaptSums last;   /* the sums at that time */
  double load;      /* share of the processors that this node's workers got; 1: there is no other
                     * load */
  GBytes *sample;   /* (owned) (nullable) the sample to measure with */
  gint64 sample_id; /* hash of @sample; 0: none */
  gboolean is_sample_wanted;
  SatinMeasurement *measurement; /* (owned) (nullable) */
  gint64 measuring_id, measured_id, measured_cpu_us, measured_at_us;
  double measured_load;
  /* gathering */
  GArray *gathered; /* (owned) of AdaptFigures that will be passed on */
  GBytes *found;    /* (owned) (nullable) a sample that will be passed on */
  GArray *children; /* (owned) of AdaptChild */
  gint64 term, number;
  GBytes *memory;     /* (owned) (nullable) the memory of the adaptation plugin */
  gint64 memory_term; /* the term in which it was saved */
  gint64 next_us;     /* when the coordinator's period ends, by this node's clock; 0: unknown */
  /* coordinating */
  SatinAdaptation *adaptation; /* (owned) (nullable) open while this node is the coordinator */
  GHashTable *nodes;           /* (owned) (nullable) from SatinNodeId to (owned) AdaptNode; %NULL:
                                * not the coordinator */
  gint64 asked;                /* number of the last ask in this term */
  gint64 began_us;             /* when this node became the coordinator */
  SatinTimerId state_timer;    /* the deadline for the fleet's answer */
  /* figures */
  gint64 n_periods, n_messages, n_asked, n_removed, n_benchmarks, benchmark_us;
  double efficiency;
};

/* adapter.c */
gboolean adapter_is_coordinator (const SatinAdapter *self);
void adapter_set_timer (SatinAdapter *self);
void adapter_send (SatinAdapter *self, SatinNodeId to, AdaptKind kind, const SatinRecord *record,
                   gconstpointer data);

/* report.c */
/* Makes the figures count from now on. Called when this node first knows of a master: before that,
 * the node had no work. */
void adapter_count_from_now (SatinAdapter *self);
/* Reads this node's figures since its last report. */
void adapter_read (SatinAdapter *self, AdaptFigures *ret_figures);
void adapter_set_sample (SatinAdapter *self, GBytes *sample);
/* Begins to measure this node's speed, if that is necessary and does not take too much of its
 * time. */
void adapter_measure (SatinAdapter *self);

/* gather.c */
SatinNodeId adapter_find_first (const SatinAdapter *self);
void adapter_tell (SatinAdapter *self);
void adapter_on_report (SatinAdapter *self, SatinNodeId from, const AdaptReport *report);
void adapter_on_plan (SatinAdapter *self, SatinNodeId from, const AdaptPlan *plan);
void adapter_send_plan (SatinAdapter *self, AdaptChild *child);
void adapter_plan_all (SatinAdapter *self);

/* coordinate.c */
void adapter_begin_term (SatinAdapter *self);
void adapter_end_term (SatinAdapter *self);
void adapter_take_figures (SatinAdapter *self, const AdaptFigures *figures);
void adapter_take_memory (SatinAdapter *self, const AdaptReport *report);
void adapter_end_period (SatinAdapter *self);
void adapter_on_state (SatinAdapter *self, const FleetState *state);
