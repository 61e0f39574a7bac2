/* metg-mpi.c - the farm of metg-satin.c with MPI, for comparison: metg-mpi JOBS STEPS CHUNK ROLE
 *
 * Rank 0 has all jobs, and the other ranks ask it for them. An answer has at most CHUNK jobs, and
 * no more than a fair share of what is left, so that all ranks end together. A rank has two
 * requests on the way: while it works on one answer, the next one travels. ROLE says what rank 0
 * does beside answering: "waits" (nothing) or "works" (it runs jobs of its own, and answers between
 * two of them).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metg-work.h"

#define N_AHEAD 2 /* requests of a rank that are on the way at a time */

enum
{
  TAG_REQUEST, /* one uint64_t: the sum of the results that the rank has and did not send yet */
  TAG_ANSWER,  /* two ints: the first job, and how many; 0 of them: no job is left */
};

typedef struct
{
  int n_jobs, n_steps, chunk, n_ranks;
  int next;      /* the first job that nobody has yet */
  int n_waiting; /* requests of other ranks that will still come */
  uint64_t sum;
} Farm;

/* Takes jobs for one answer. Returns: how many; 0 if none is left */
static int
take (Farm *farm)
{
  int n = (farm->n_jobs - farm->next) / (N_AHEAD * farm->n_ranks);
  if (n > farm->chunk)
    n = farm->chunk;
  if (n < 1 && farm->next < farm->n_jobs)
    n = 1;
  farm->next += n;
  return n;
}

static void
answer_one (Farm *farm)
{
  uint64_t sum;
  MPI_Status status;
  MPI_Recv (&sum, 1, MPI_UINT64_T, MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &status);
  farm->sum += sum;
  int first = farm->next;
  int answer[2] = { first, take (farm) };
  if (answer[1] == 0)
    farm->n_waiting--;
  MPI_Send (answer, 2, MPI_INT, status.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD);
}

static int
is_asked (void)
{
  int is_there;
  MPI_Iprobe (MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  return is_there;
}

static void
serve (Farm *farm, int is_working)
{
  while (farm->n_waiting > 0 || farm->next < farm->n_jobs)
    if (farm->n_waiting > 0 && (!is_working || farm->next == farm->n_jobs || is_asked ()))
      answer_one (farm);
    else
      farm->sum += metg_work (farm->next++, farm->n_steps);
}

static void
work (int n_steps)
{
  uint64_t sum = 0;
  for (int i = 0; i < N_AHEAD; i++)
    MPI_Send (&sum, 1, MPI_UINT64_T, 0, TAG_REQUEST, MPI_COMM_WORLD);
  for (int n_left = N_AHEAD; n_left > 0;)
    {
      int answer[2];
      MPI_Recv (answer, 2, MPI_INT, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum = 0;
      for (int i = 0; i < answer[1]; i++)
        sum += metg_work (answer[0] + i, n_steps);
      if (answer[1] == 0)
        n_left--;
      else
        MPI_Send (&sum, 1, MPI_UINT64_T, 0, TAG_REQUEST, MPI_COMM_WORLD);
    }
}

/* Returns: 0 when an argument is missing or out of range */
static int
read_arguments (int argc, char **argv, Farm *farm, int *is_working)
{
  if (argc != 5)
    return 0;
  farm->n_jobs = atoi (argv[1]);
  farm->n_steps = atoi (argv[2]);
  farm->chunk = atoi (argv[3]);
  *is_working = strcmp (argv[4], "works") == 0;
  return farm->n_jobs >= 1 && farm->n_jobs <= METG_MAX_JOBS && farm->n_steps >= 0
         && farm->n_steps <= METG_MAX_STEPS && farm->chunk >= 1
         && (*is_working || strcmp (argv[4], "waits") == 0);
}

int
main (int argc, char **argv)
{
  int rank, is_working, is_right;
  Farm farm = { 0 };
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &farm.n_ranks);
  is_right = read_arguments (argc, argv, &farm, &is_working);
  if (!is_right || farm.n_ranks < 2)
    {
      if (rank == 0)
        fprintf (stderr, "metg-mpi: give JOBS STEPS CHUNK works|waits, and two ranks or more\n");
      MPI_Finalize ();
      return 2;
    }
  farm.n_waiting = N_AHEAD * (farm.n_ranks - 1);
  MPI_Barrier (MPI_COMM_WORLD);
  double started_s = MPI_Wtime ();
  if (rank == 0)
    serve (&farm, is_working);
  else
    work (farm.n_steps);
  if (rank == 0)
    {
      printf ("sum %016llx\n", (unsigned long long)farm.sum);
      fprintf (stderr, "metg-mpi: %.6f s\n", MPI_Wtime () - started_s);
    }
  MPI_Finalize ();
  return 0;
}
