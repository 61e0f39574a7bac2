/* test-app-results.c - the applications' programs: known answers in every mode, and errors
 *
 * SATIN_TEST_APPS is the folder of the programs, SATIN_TEST_SOURCES the folder of their sources.
 * Slow cases run with -m slow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <glib.h>

/**
 * Run:
 * @status: exit status
 * @out: (owned): output on stdout
 * @err: (owned): output on stderr
 */
typedef struct
{
  int status;
  char *out;
  char *err;
} Run;

static void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Runs @line, a program's name and its arguments, with @workers threads in the folder of the
 * sources. */
static Run
run_app (const char *line, const char *workers)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "SATIN_WORKERS", workers, TRUE);
  g_autofree char *path = g_build_filename (g_getenv ("SATIN_TEST_APPS"), words[0], words[0], NULL);
  g_autoptr (GError) error = NULL;
  Run run = { 0 };
  int wait_status = 0;
  g_free (words[0]);
  words[0] = g_steal_pointer (&path);
  g_spawn_sync (g_getenv ("SATIN_TEST_SOURCES"), words, environment, G_SPAWN_DEFAULT, NULL, NULL,
                &run.out, &run.err, &wait_status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (wait_status, &error))
    {
      /* Anything but an exit status is a crash. */
      g_assert_cmpint (error->domain, ==, G_SPAWN_EXIT_ERROR);
      run.status = error->code;
    }
  return run;
}

/* A search whose answer is known. @is_slow: it takes a minute or more with a sanitizer. */
typedef struct
{
  const char *line;
  const char *answer;
  gboolean is_slow;
} Search;

static const Search searches[] = {
  { "fib 0", "fib(0) = 0\n", FALSE },
  { "fib 1", "fib(1) = 1\n", FALSE },
  { "fib 27", "fib(27) = 196418\n", FALSE },
  { "fib 27 --typed", "fib(27) = 196418\n", FALSE },
  { "fib 27 --call", "fib(27) = 196418\n", FALSE },
  { "fib 27 --threshold 10", "fib(27) = 196418\n", FALSE },
  { "fib 27 --threshold 50", "fib(27) = 196418\n", FALSE },
  { "fib 38", "fib(38) = 39088169\n", TRUE },
  { "nqueens 1", "nqueens(1) = 1\n", FALSE },
  { "nqueens 2", "nqueens(2) = 0\n", FALSE },
  { "nqueens 3", "nqueens(3) = 0\n", FALSE },
  { "nqueens 4", "nqueens(4) = 2\n", FALSE },
  { "nqueens 5", "nqueens(5) = 10\n", FALSE },
  { "nqueens 6", "nqueens(6) = 4\n", FALSE },
  { "nqueens 7", "nqueens(7) = 40\n", FALSE },
  { "nqueens 8", "nqueens(8) = 92\n", FALSE },
  { "nqueens 9", "nqueens(9) = 352\n", FALSE },
  { "nqueens 10", "nqueens(10) = 724\n", FALSE },
  { "nqueens 11", "nqueens(11) = 2680\n", FALSE },
  { "nqueens 12", "nqueens(12) = 14200\n", FALSE },
  { "nqueens 10 --threshold 0", "nqueens(10) = 724\n", FALSE },
  { "nqueens 10 --threshold 1", "nqueens(10) = 724\n", FALSE },
  { "nqueens 10 --threshold 99", "nqueens(10) = 724\n", FALSE },
  { "nqueens 13", "nqueens(13) = 73712\n", TRUE },
  { "nqueens 14", "nqueens(14) = 365596\n", TRUE },
  { "nqueens 15", "nqueens(15) = 2279184\n", TRUE },
  { "nqueens 16", "nqueens(16) = 14772512\n", TRUE },
  { "sat --generate pigeon:6 --budget 100", "s UNSATISFIABLE\n", FALSE },
  { "sat --generate pigeon:7", "s UNSATISFIABLE\n", FALSE },
  { "sat --generate factor:1000003 --budget 100", "s UNSATISFIABLE\n", FALSE },
  { "sat --generate factor:1018081 --budget 100", "s SATISFIABLE\n", FALSE },
  { "sat --generate parity:30,1 --budget 100 --share 0", "s UNSATISFIABLE\n", FALSE },
  { "sat --generate uniform:150,640,3,1 --budget 100", "s SATISFIABLE\n", FALSE },
  { "sat --generate pigeon:6 --budget 100 --clauses 0", "s UNSATISFIABLE\n", FALSE },
  { "sat --generate uniform:150,700,3,1 --budget 100 --clauses 20", "s UNSATISFIABLE\n", FALSE },
  { "sat --generate pigeon:9", "s UNSATISFIABLE\n", TRUE },
  { "semigroups 0", "semigroups(0) = 1\n", FALSE },
  { "semigroups 1", "semigroups(1) = 1\n", FALSE },
  { "semigroups 2", "semigroups(2) = 2\n", FALSE },
  { "semigroups 3", "semigroups(3) = 4\n", FALSE },
  { "semigroups 4", "semigroups(4) = 7\n", FALSE },
  { "semigroups 5", "semigroups(5) = 12\n", FALSE },
  { "semigroups 6", "semigroups(6) = 23\n", FALSE },
  { "semigroups 7", "semigroups(7) = 39\n", FALSE },
  { "semigroups 12", "semigroups(12) = 592\n", FALSE },
  { "semigroups 20 --grain 1", "semigroups(20) = 37396\n", FALSE },
  { "semigroups 25 --grain 100", "semigroups(25) = 467224\n", FALSE },
  { "semigroups 30", "semigroups(30) = 5646773\n", FALSE },
  { "semigroups 35", "semigroups(35) = 66687201\n", TRUE },
  { "semigroups 40", "semigroups(40) = 774614284\n", TRUE },
  { "polycubes 1", "polycubes(1, 3 dimensions) = 1\n", FALSE },
  { "polycubes 2", "polycubes(2, 3 dimensions) = 3\n", FALSE },
  { "polycubes 3", "polycubes(3, 3 dimensions) = 15\n", FALSE },
  { "polycubes 4", "polycubes(4, 3 dimensions) = 86\n", FALSE },
  { "polycubes 8 --grain 1", "polycubes(8, 3 dimensions) = 162913\n", FALSE },
  { "polycubes 9 --grain 100", "polycubes(9, 3 dimensions) = 1152870\n", FALSE },
  { "polycubes 10", "polycubes(10, 3 dimensions) = 8294738\n", FALSE },
  { "polycubes 1 --dimensions 2", "polycubes(1, 2 dimensions) = 1\n", FALSE },
  { "polycubes 13 --dimensions 2", "polycubes(13, 2 dimensions) = 1903890\n", FALSE },
  { "polycubes 12", "polycubes(12, 3 dimensions) = 446205905\n", TRUE },
  { "polycubes 13", "polycubes(13, 3 dimensions) = 3322769321\n", TRUE },
  { "awari 0",
    "awari: up to 0 stones, 1 positions, 0 won, 1 drawn, 0 lost, digest 6e340b9cffb37a98\n",
    FALSE },
  { "awari 8 --grain 100",
    "awari: up to 8 stones, 125970 positions, 61284 won, 14606 drawn, 50080 lost, digest "
    "315b881fa8a4d64d\n",
    FALSE },
  { "awari 1 --values --grain 1",
    "awari: up to 1 stones, 13 positions, 5 won, 1 drawn, 7 lost, digest 18aa59761eeffc59\n"
    "value 1: 5 positions\nvalue 0: 1 positions\nvalue -1: 7 positions\n",
    FALSE },
  { "awari 0,0,0,0,1,2,0,1,2,0,0,0",
    "awari: 0,0,0,0,1,2,0,1,2,0,0,0, value -2, moves - - - - -6 -2\n", FALSE },
  { "awari 1,1,1,1,1,2,4,2,3,0,0,0",
    "awari: 1,1,1,1,1,2,4,2,3,0,0,0, value 0, moves -1 -1 -2 -2 -2 0\n", TRUE },
  { "grammar grammar/examples/tomita-1.txt --automaton",
    "grammar: tomita-1.txt, 63 strings, 6 accepted, smallest automaton 2 states\n"
    "state 0 accepts: 1 0\nstate 1 rejects: 1 1\n",
    FALSE },
  { "grammar grammar/examples/tomita-2.txt --grain 1",
    "grammar: tomita-2.txt, 63 strings, 3 accepted, smallest automaton 3 states\n", FALSE },
  { "grammar grammar/examples/tomita-3.txt --grain 1",
    "grammar: tomita-3.txt, 63 strings, 40 accepted, smallest automaton 5 states\n", FALSE },
  { "grammar grammar/examples/tomita-5.txt --grain 1",
    "grammar: tomita-5.txt, 63 strings, 11 accepted, smallest automaton 4 states\n", FALSE },
  { "grammar grammar/examples/tomita-7.txt --grain 1",
    "grammar: tomita-7.txt, 63 strings, 56 accepted, smallest automaton 5 states\n", FALSE },
  { "grammar --generate 2,12,150",
    "grammar: 2,12,150, 150 strings, 109 accepted, smallest automaton 8 states\n", FALSE },
  { "grammar --generate 1,12,100",
    "grammar: 1,12,100, 100 strings, 44 accepted, smallest automaton 11 states\n", TRUE },
  { "maxclique maxclique/graphs/petersen.clq",
    "maxclique: petersen.clq, 10 vertices, 15 edges, largest clique 2\n", FALSE },
  { "maxclique maxclique/graphs/johnson8-2-4.clq --grain 1",
    "maxclique: johnson8-2-4.clq, 28 vertices, 210 edges, largest clique 4\n", FALSE },
  { "maxclique --generate hamming:6,4 --grain 1 --alone",
    "maxclique: hamming:6,4, 64 vertices, 704 edges, largest clique 4\n", FALSE },
  { "maxclique --generate hamming:8,4 --grain 100",
    "maxclique: hamming:8,4, 256 vertices, 20864 edges, largest clique 16\n", FALSE },
  { "maxclique --generate johnson:16,2,4 --grain 10000",
    "maxclique: johnson:16,2,4, 120 vertices, 5460 edges, largest clique 8\n", FALSE },
  { "maxclique --generate keller:4",
    "maxclique: keller:4, 171 vertices, 9435 edges, largest clique 11\n", FALSE },
  { "maxclique --generate mann:9 --grain 2",
    "maxclique: mann:9, 45 vertices, 918 edges, largest clique 16\n", FALSE },
  { "maxclique --generate mann:27",
    "maxclique: mann:27, 378 vertices, 70551 edges, largest clique 126\n", FALSE },
  { "maxclique --generate c-fat:200,5 --alone --grain 100",
    "maxclique: c-fat:200,5, 200 vertices, 8473 edges, largest clique 58\n", FALSE },
  { "maxclique --generate brock:200,17,65,1 --clique",
    "maxclique: brock:200,17,65,1, 200 vertices, 13107 edges, largest clique 17\n"
    "clique: 13 33 34 48 67 68 80 89 96 108 112 139 161 170 173 176 190\n",
    FALSE },
  { "maxclique --generate brock:200,21,75,1",
    "maxclique: brock:200,21,75,1, 200 vertices, 15074 edges, largest clique 21\n", TRUE },
  { "maxclique --generate hamming:10,2",
    "maxclique: hamming:10,2, 1024 vertices, 518656 edges, largest clique 512\n", TRUE },
  { "ida 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "ida: 0 moves, 1 shortest solutions\n", FALSE },
  { "ida korf:12", "ida: 45 moves, 1 shortest solutions\n", FALSE },
  { "ida korf:42 --threshold 0", "ida: 42 moves, 1 shortest solutions\n", FALSE },
  { "ida korf:55 --threshold 99", "ida: 41 moves, 2 shortest solutions\n", FALSE },
  { "ida korf:79", "ida: 42 moves, 1 shortest solutions\n", FALSE },
  { "ida korf:85", "ida: 44 moves, 2 shortest solutions\n", FALSE },
  { "ida korf:2", "ida: 55 moves, 17 shortest solutions\n", TRUE },
  { "integrate chirp --to 20", "integrate: chirp from 0 to 20 = 0.762648169, exact 0.762648169\n",
    FALSE },
  { "integrate chirp --threshold 0",
    "integrate: chirp from 0 to 100 = 0.976077684, exact 0.976077684\n", FALSE },
  { "integrate root --from -1 --to 2 --threshold 30",
    "integrate: root from -1 to 2 = 2.55228475, exact 2.55228475\n", FALSE },
  { "integrate peak --from -1000 --to 1000",
    "integrate: peak from -1000 to 1000 = 0.00314159065, exact 0.00314159065\n", FALSE },
  { "integrate peak --from -300 --to 500",
    "integrate: peak from -300 to 500 = 0.00314158732, exact 0.00314158732\n", FALSE },
  { "strassen 1", "strassen: 1 x 1, whole entries, leaf 64, digest af5570f5a1810b7a, checked\n",
    FALSE },
  { "strassen 100 --leaf 5 --seed 3",
    "strassen: 100 x 100, whole entries, leaf 5, digest b2bd76190c94b5c7, checked\n", FALSE },
  { "strassen 256 --leaf 2048",
    "strassen: 256 x 256, whole entries, leaf 2048, digest 36ff11c539ed4d97, checked\n", FALSE },
  { "strassen 256 --leaf 16",
    "strassen: 256 x 256, whole entries, leaf 16, digest 36ff11c539ed4d97, checked\n", FALSE },
  { "strassen 192 --leaf 24 --real",
    "strassen: 192 x 192, real entries, leaf 24, digest 8fd9214aa0f8590e, checked\n", FALSE },
  { "strassen 1024",
    "strassen: 1024 x 1024, whole entries, leaf 64, digest ba8fb7da376df3d6, checked\n", TRUE },
  { "fft 1", "fft: random, 1 numbers, digest 4a3f63e285591001, error 0.0e+00, and back 0.0e+00\n",
    FALSE },
  { "fft 4096 --leaf 1",
    "fft: random, 4096 numbers, digest be4295eb26035353, error 0.0e+00, and back 4.2e-16\n",
    FALSE },
  { "fft 65536",
    "fft: random, 65536 numbers, digest e5051639a82e54e7, error 0.0e+00, and back 6.1e-16\n",
    FALSE },
  { "fft 65536 --leaf 4194304",
    "fft: random, 65536 numbers, digest e5051639a82e54e7, error 0.0e+00, and back 6.1e-16\n",
    FALSE },
  { "fft 32768 --signal delta --leaf 100",
    "fft: delta, 32768 numbers, digest 9bc11753cdc71594, error 0.0e+00, and back 0.0e+00\n",
    FALSE },
  { "fft 32768 --signal wave --leaf 512 --rounds 3",
    "fft: wave, 32768 numbers, digest 5a8f6f4f1c9da64b, error 1.0e-15, and back 9.8e-16\n", FALSE },
  { "align align/proteins/families.fasta --best 2",
    "align: families.fasta, 24 proteins, 276 local alignments, sum of scores 15889\n"
    "455 family3a family3d\n"
    "449 family3a family3b\n",
    FALSE },
  { "align align/proteins/families.fasta --global --best 1 --grain 1",
    "align: families.fasta, 24 proteins, 276 global alignments, sum of scores -532\n"
    "449 family3a family3b\n",
    FALSE },
  { "align --generate 1",
    "align: generated 1 of 200, 1 proteins, 0 local alignments, sum of scores 0\n", FALSE },
  { "align --generate 30 --length 40 --seed 2 --open 0 --extend 3 --best 0 --grain 5000",
    "align: generated 30 of 40, 30 proteins, 435 local alignments, sum of scores 17798\n", FALSE },
  { "uts T1", "uts: 4130071 nodes, depth 10, 3305118 leaves\n", FALSE },
  { "uts T3", "uts: 4112897 nodes, depth 1572, 3599034 leaves\n", FALSE },
  { "uts -t 1 -a 3 -d 10 -b 4 -r 19", "uts: 4130071 nodes, depth 10, 3305118 leaves\n", FALSE },
  { "uts -t 3 -b 3 -d 9 T3", "uts: 29524 nodes, depth 9, 19683 leaves\n", FALSE },
  { "knapsack knapsack/instances/p07.txt", "knapsack: 15 items, capacity 750, value 1458\n",
    FALSE },
  { "knapsack knapsack/instances/p08.txt --grain 1",
    "knapsack: 24 items, capacity 6404180, value 13549094\n", FALSE },
  { "knapsack knapsack/instances/strong40.txt --grain 100",
    "knapsack: 40 items, capacity 10601, value 13394\n", FALSE },
  { "knapsack knapsack/instances/strong40.txt --grain 100 --alone",
    "knapsack: 40 items, capacity 10601, value 13394\n", FALSE },
  { "knapsack --generate 20 --grain 100", "knapsack: 20 items, capacity 5161, value 5160\n",
    FALSE },
  { "knapsack --generate 1 --kind weak --range 1", "knapsack: 1 items, capacity 0, value 0\n",
    FALSE },
  { "knapsack --generate 28", "knapsack: 28 items, capacity 7243, value 7242\n", TRUE },
  { "setcover setcover/instances/steiner9.txt --grain 1", "setcover: 12 rows, 9 columns, cost 5\n",
    FALSE },
  { "setcover setcover/instances/steiner15.txt", "setcover: 35 rows, 15 columns, cost 7\n", FALSE },
  { "setcover setcover/instances/steiner27.txt --grain 50",
    "setcover: 117 rows, 27 columns, cost 18\n", FALSE },
  { "setcover setcover/instances/steiner27.txt --grain 50 --alone",
    "setcover: 117 rows, 27 columns, cost 18\n", FALSE },
  { "setcover --generate 1x1 --max-cost 1", "setcover: 1 rows, 1 columns, cost 1\n", FALSE },
  { "setcover --generate 100x300 --grain 100", "setcover: 100 rows, 300 columns, cost 81\n",
    FALSE },
  { "setcover --generate 80x200 --max-cost 1", "setcover: 80 rows, 200 columns, cost 10\n", TRUE },
  { "primefactors 1", "primefactors: 1 = 1\n", FALSE },
  { "primefactors 9007199254740991 --grain 100",
    "primefactors: 9007199254740991 = 6361 * 69431 * 20394401\n", FALSE },
  { "primefactors 72064497289185547 --grain 10000000",
    "primefactors: 72064497289185547 = 268447807 * 268448821\n", FALSE },
  { "primefactors primefactors/instances/smooth.txt --grain 1",
    "primefactors: 1 = 1\n"
    "primefactors: 4611686018427387904 = 2^62\n"
    "primefactors: 4052555153018976267 = 3^39\n"
    "primefactors: 3909821048582988049 = 7^22\n"
    "primefactors: 2432902008176640000 = 2^18 * 3^8 * 5^4 * 7^2 * 11 * 13 * 17 * 19\n"
    "primefactors: 897612484786617600 = 2^8 * 3^4 * 5^2 * 7^2 * 11 * 13 * 17 * 19 * 23 * 29 * 31 "
    "* 37\n"
    "primefactors: 6746328388800 = 2^6 * 3^4 * 5^2 * 7^2 * 11 * 13 * 17 * 19 * 23\n",
    FALSE },
  { "primefactors 1..100000 --grain 10000",
    "primefactors: 1..100000: 9592 primes, 343614 prime factors\n", FALSE },
  { "primefactors 9007199254740990..9007199254740992 --grain 10000",
    "primefactors: 9007199254740990..9007199254740992: 0 primes, 64 prime factors\n", FALSE },
  { "primefactors 9223372036854775783", "primefactors: 9223372036854775783 = 9223372036854775783\n",
    TRUE },
  { "barnes-hut --bodies 500 --iterations 3 --grain 32",
    "barnes-hut: 500 bodies, 3 iterations, energy -0.255389182, drift 0.000192, "
    "digest 7f016547df677487\n",
    FALSE },
  { "barnes-hut --bodies 500 --iterations 3 --grain 32 --send-trees",
    "barnes-hut: 500 bodies, 3 iterations, energy -0.255389182, drift 0.000192, "
    "digest 7f016547df677487\n",
    FALSE },
  { "barnes-hut --bodies 100 --seed -3 --iterations 2 --direct --grain 32",
    "barnes-hut: 100 bodies, 2 iterations, energy -0.18822296, drift -0.000103, "
    "digest 7c4f1f947037e394\n",
    FALSE },
  { "barnes-hut --bodies 1 --iterations 0",
    "barnes-hut: 1 bodies, 0 iterations, energy 0, drift 0, digest 29294b7b64b48923\n", FALSE },
  { "barnes-hut barnes-hut/bodies/figure-eight.txt --softening 0 --dt 0.00632591398 "
    "--iterations 1000",
    "barnes-hut: 3 bodies, 1000 iterations, energy -1.28714199, drift -1.54e-09, "
    "digest 47c5ae31c17819f9\n",
    FALSE },
  { "locusroute locusroute/circuits/small.txt --batch 3 --grain 1",
    "locusroute: small.txt, 10 wires, 13 segments, 4 channels, 12 columns\n"
    "iteration 1: height 15, crowding 79\n"
    "iteration 2: height 16, crowding 79\n"
    "iteration 3: height 14, crowding 71\n"
    "iteration 4: height 15, crowding 71\n",
    FALSE },
  { "locusroute",
    "locusroute: bnrE, 420 wires, 611 segments, 10 channels, 341 columns\n"
    "iteration 1: height 174, crowding 161109\n"
    "iteration 2: height 163, crowding 159544\n"
    "iteration 3: height 160, crowding 159240\n"
    "iteration 4: height 160, crowding 158983\n",
    FALSE },
  { "locusroute --circuit MDC --iterations 2 --batch 64 --grain 3 --seed 5",
    "locusroute: MDC, 575 wires, 798 segments, 12 channels, 429 columns\n"
    "iteration 1: height 221, crowding 361438\n"
    "iteration 2: height 223, crowding 369005\n",
    FALSE },
  { "othello othello/positions/ffo-1-19.obf --grain 9",
    "othello(ffo-1-19.obf:3) = +18, g8\n"
    "othello(ffo-1-19.obf:4) = +10, a4\n"
    "othello(ffo-1-19.obf:5) = +2, d1\n"
    "othello(ffo-1-19.obf:6) = +0, a5\n"
    "othello(ffo-1-19.obf:7) = +32, g8\n"
    "othello(ffo-1-19.obf:8) = +14, a1\n"
    "othello(ffo-1-19.obf:9) = +8, a6\n"
    "othello(ffo-1-19.obf:10) = +8, e1\n"
    "othello(ffo-1-19.obf:11) = -8, a4\n"
    "othello(ffo-1-19.obf:12) = +10, b2\n"
    "othello(ffo-1-19.obf:13) = +30, b3\n"
    "othello(ffo-1-19.obf:14) = -8, b7\n"
    "othello(ffo-1-19.obf:15) = +14, b7\n"
    "othello(ffo-1-19.obf:16) = +18, a3\n"
    "othello(ffo-1-19.obf:17) = +4, g3\n"
    "othello(ffo-1-19.obf:18) = +24, f8\n"
    "othello(ffo-1-19.obf:19) = +8, f8\n"
    "othello(ffo-1-19.obf:20) = -2, g2\n"
    "othello(ffo-1-19.obf:21) = +8, b6\n",
    FALSE },
  { "othello --random 14 --seed 2 --grain 8", "othello(random 14, seed 2) = +2, b5\n", FALSE },
  { "othello --random 14 --seed 2 --grain 8 --table shared",
    "othello(random 14, seed 2) = +2, b5\n", FALSE },
  { "othello --depth 6 --grain 3", "othello(start, depth 6) = +0, d3\n", FALSE },
  { "othello --random 14 --seed 2 --grain 8 --aborts off", "othello(random 14, seed 2) = +2, b5\n",
    FALSE },
  { "othello --random 14 --seed 2 --grain 6 --table off", "othello(random 14, seed 2) = +2, b5\n",
    FALSE },
  { "othello --depth 7 --table off --grain 4 --score", "othello(start, depth 7) = +1\n", FALSE },
  { "othello --depth 7 --table off --grain 4 --score --aborts off --elders 3",
    "othello(start, depth 7) = +1\n", FALSE },
  { "othello othello/positions/ffo-40-44.obf",
    "othello(ffo-40-44.obf:2) = +38, a2\n"
    "othello(ffo-40-44.obf:3) = +0, h4\n"
    "othello(ffo-40-44.obf:4) = +6, g2\n"
    "othello(ffo-40-44.obf:5) = -12, g3\n"
    "othello(ffo-40-44.obf:6) = -14, d2\n",
    TRUE },
  { "tsp tsp/instances/burma14.tsp", "tsp: burma14, 14 cities, shortest tour 3323\n", FALSE },
  { "tsp tsp/instances/ulysses16.tsp", "tsp: ulysses16, 16 cities, shortest tour 6859\n", FALSE },
  { "tsp tsp/instances/gr17.tsp", "tsp: gr17, 17 cities, shortest tour 2085\n", FALSE },
  { "tsp tsp/instances/gr21.tsp", "tsp: gr21, 21 cities, shortest tour 2707\n", FALSE },
  { "tsp tsp/instances/gr24.tsp", "tsp: gr24, 24 cities, shortest tour 1272\n", FALSE },
  { "tsp tsp/instances/fri26.tsp", "tsp: fri26, 26 cities, shortest tour 937\n", FALSE },
  { "tsp tsp/instances/bays29.tsp", "tsp: bays29, 29 cities, shortest tour 2020\n", FALSE },
  { "tsp tsp/instances/gr48.tsp", "tsp: gr48, 48 cities, shortest tour 5046\n", FALSE },
  { "tsp tsp/instances/eil51.tsp", "tsp: eil51, 51 cities, shortest tour 426\n", FALSE },
  { "tsp tsp/instances/berlin52.tsp", "tsp: berlin52, 52 cities, shortest tour 7542\n", FALSE },
  { "tsp --alone --raises 0 --first-tour nearest tsp/instances/burma14.tsp",
    "tsp: burma14, 14 cities, shortest tour 3323\n", FALSE },
  { "tsp --alone --first-tour 2-opt --brothers wait --grain 3 tsp/instances/gr48.tsp",
    "tsp: gr48, 48 cities, shortest tour 5046\n", FALSE },
  { "tsp --first-tour 2-opt --grain 20 tsp/instances/gr48.tsp",
    "tsp: gr48, 48 cities, shortest tour 5046\n", FALSE },
  { "tsp --first-tour nearest tsp/instances/bays29.tsp --grain 5",
    "tsp: bays29, 29 cities, shortest tour 2020\n", FALSE },
  { "tsp tsp/instances/gr96.tsp", "tsp: gr96, 96 cities, shortest tour 55209\n", TRUE },
  { "tsp tsp/instances/kroC100.tsp", "tsp: kroC100, 100 cities, shortest tour 20749\n", TRUE },
  { "uts T2", "uts: 4117769 nodes, depth 81, 2342762 leaves\n", TRUE },
  { "uts T4", "uts: 4132453 nodes, depth 134, 3108986 leaves\n", TRUE },
  { "uts T5", "uts: 4147582 nodes, depth 20, 2181318 leaves\n", TRUE },
  { "uts T1L", "uts: 102181082 nodes, depth 13, 81746377 leaves\n", TRUE },
  { "uts T2L", "uts: 96793510 nodes, depth 67, 53791152 leaves\n", TRUE },
  { "uts T3L", "uts: 111345631 nodes, depth 17844, 89076904 leaves\n", TRUE },
};

static void
assert_prints (const char *line, const char *workers, const char *expected)
{
  g_auto (Run) run = run_app (line, workers);
  g_test_message ("%s, %s workers: %s", line, workers, run.err);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.out, ==, expected);
  g_assert_cmpstr (run.err, ==, "");
}

static void
test_answer_in_plain_c (gconstpointer user_data)
{
  const Search *search = user_data;
  g_autofree char *line = g_strconcat (search->line, " --sequential", NULL);
  assert_prints (line, "1", search->answer);
}

static void
test_answer_with_1_worker (gconstpointer user_data)
{
  const Search *search = user_data;
  assert_prints (search->line, "1", search->answer);
}

static void
test_answer_with_2_workers (gconstpointer user_data)
{
  const Search *search = user_data;
  assert_prints (search->line, "2", search->answer);
}

static void
test_answer_with_4_workers (gconstpointer user_data)
{
  const Search *search = user_data;
  assert_prints (search->line, "4", search->answer);
}

static void
test_time_goes_to_stderr (gconstpointer user_data)
{
  const char *line = user_data;
  g_auto (Run) run = run_app (line, "2");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_null (strstr (run.out, "ns a job"));
  g_assert_nonnull (strstr (run.err, "ns a job"));
}

static void
test_help_is_no_error (gconstpointer user_data)
{
  const char *line = user_data;
  g_auto (Run) run = run_app (line, "2");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "Usage:"));
  g_assert_cmpstr (run.err, ==, "");
}

/* The program ends with @status, prints nothing to stdout, and one line to stderr. */
static void
assert_refused (const char *line, int status)
{
  g_auto (Run) run = run_app (line, "2");
  g_assert_cmpint (run.status, ==, status);
  g_assert_cmpstr (run.out, ==, "");
  g_assert_nonnull (strchr (run.err, '\n'));
  g_assert_cmpstr (strchr (run.err, '\n'), ==, "\n");
}

static void
test_wrong_usage_is_2 (gconstpointer user_data)
{
  assert_refused (user_data, 2);
}

static void
test_missing_file_is_11 (gconstpointer user_data)
{
  assert_refused (user_data, 11);
}

/* A README is no input. */
static void
test_malformed_file_is_12 (gconstpointer user_data)
{
  assert_refused (user_data, 12);
}

/* Adds a case whose name ends with @line. Characters that GTest's paths cannot have become "_". */
static void
add_case (const char *claim, const char *line, gconstpointer user_data, GTestDataFunc function)
{
  g_autofree char *name = g_strdelimit (g_strdup (line), " /", '_');
  g_autofree char *path = g_strdup_printf ("/app-results/%s/%s", claim, name);
  g_test_add_data_func (path, user_data, function);
}

/* clang-format off */
/* Lines for claims that are the same for all applications, one application after the other. */
static const char *const timed[] = {
  "fib 20 --time", "nqueens 8 --time", "uts -d 4 --time", "semigroups 15 --time", "polycubes 7 --time", "ida korf:12 --time", "integrate root --time",
  "strassen 64 --time", "fft 1024 --time", "align --generate 8 --time",
  "maxclique --generate keller:4 --time", "awari 6 --time", "grammar --generate 1,8,100 --time",
};
static const char *const helps[] = {
  "fib --help", "nqueens 99 -h", "uts --help", "knapsack --help", "setcover --help",
  "primefactors --help",
  "barnes-hut --help", "sat --help",
  "othello --help",
  "locusroute --help", "semigroups --help", "polycubes --help", "maxclique --help", "ida --help", "integrate --help",
  "strassen --help", "fft --help", "align --help", "awari --help", "grammar --help",
};
static const char *const wrong[] = {
  "fib", "fib x", "fib 93", "fib 5 6", "fib 5 --typed --call", "fib 5 --what",
  "nqueens", "nqueens 31", "nqueens 0", "nqueens 8 --threshold -1",
  "semigroups", "semigroups 65", "semigroups -1", "semigroups 5 --grain 0", "semigroups 5 6",
  "polycubes", "polycubes 23", "polycubes 0", "polycubes 5 --grain 0", "polycubes 5 --dimensions 4",
  "maxclique", "maxclique --generate keller:9", "maxclique --generate clique:3", "maxclique --generate mann:9 --grain 0",
  "maxclique --generate mann:9 --node-time 1", "maxclique --generate mann:9 maxclique/graphs/petersen.clq",
  "ida", "ida korf:4", "ida 0,1,2", "ida 0,2,1,3,4,5,6,7,8,9,10,11,12,13,14,15", "ida korf:12 --threshold -1",
  "integrate", "integrate sinus", "integrate root --to 0", "integrate root --to nan", "integrate root --to 1001", "integrate root --tolerance 0",
  "integrate root --threshold 31",
  "strassen", "strassen 0", "strassen 2049", "strassen 8 --leaf 0", "strassen 8 --seed -1", "strassen 8 --real 8",
  "fft", "fft 0", "fft 6", "fft 8388608", "fft 8 --leaf 0", "fft 8 --signal noise", "fft 8 --seed x", "fft 8 --rounds 0",
  "align", "align --generate 4097", "align --generate 5 --open -1", "align --generate 5 --grain 0",
  "align --generate 5 align/proteins/families.fasta", "align --generate 5 --length 5001",
  "awari", "awari 19", "awari -1", "awari 5 --grain 0", "awari 5 6", "awari 1,2,3", "awari 9,9,9,0,0,0,0,0,0,0,0,0",
  "grammar", "grammar --generate 1,2", "grammar --generate 1,65,10", "grammar --generate 1,2,3 --grain 0",
  "grammar --generate 1,2,3 grammar/examples/tomita-1.txt",
  "sat", "sat -b 0", "sat x y", "sat -g horn:3", "sat -g pigeon:2 x",
  "sat -g pigeon:2 --share 101", "sat -g pigeon:2 --clauses 101",
  "sat -g pigeon:2 --conflict-time 1", "sat -g pigeon:2 --budget 0",
  "uts T9", "uts -d 0", "uts -t 4", "uts T1 -a 4", "uts -r x",
  "knapsack", "knapsack --generate 0", "knapsack --generate 10001",
  "knapsack --generate 5 --kind x", "knapsack --generate 5 --range 0",
  "knapsack --generate 5 --grain 0", "knapsack --generate 5 knapsack/instances/p07.txt",
  "setcover", "setcover --generate 5", "setcover --generate 0x5", "setcover --generate 5x10001",
  "setcover --generate 5x5 --density 0", "setcover --generate 5x5 --max-cost 0",
  "setcover --generate 5x5 --grain 0", "setcover --generate 5x5 setcover/instances/steiner9.txt",
  "primefactors", "primefactors 0", "primefactors 9223372036854775808", "primefactors 5..4",
  "primefactors 7 --grain 0", "primefactors 7 8", "primefactors -5", "primefactors 5..",
  "barnes-hut --bodies 0", "barnes-hut --bodies 1000001", "barnes-hut --seed x",
  "barnes-hut --theta -1", "barnes-hut --theta 1.2", "barnes-hut --dt nan",
  "barnes-hut --softening -1", "barnes-hut --iterations -1", "barnes-hut --grain 31",
  "barnes-hut --picture same.ppm", "barnes-hut --picture %d-%s.ppm", "barnes-hut --body-time 2s",
  "barnes-hut --body-time 1", "barnes-hut --seed 1 barnes-hut/bodies/figure-eight.txt",
  "othello", "othello --position XO", "othello --depth -1", "othello --depth 65", "othello --random 61", "othello --random 31",
  "othello --random 5 --grain -2", "othello --random 5 --table shelf",
  "othello --random 5 --table-size 1", "othello --random 5 --table-size x",
  "othello --random 5 --aborts maybe", "othello --random 5 --elders 0",
  "othello --random 5 --elders 65", "othello --random 5 --position-ns -1", "othello --random 5 othello/positions/ffo-1-19.obf",
  "locusroute --circuit bnre", "locusroute --circuit 1x1", "locusroute --iterations 0",
  "locusroute --batch -1", "locusroute --costs x", "locusroute --costs shared --batch 3", "locusroute --grain 0", "locusroute --place-ns -1",
  "locusroute --circuit MDC locusroute/circuits/small.txt",
};
/* Folders of input files. */
static const char *const folders[] = {
  "knapsack knapsack/instances", "setcover setcover/instances", "primefactors primefactors/instances",
  "barnes-hut barnes-hut/bodies", "sat sat", "maxclique maxclique/graphs", "align align/proteins", "grammar grammar/examples", "othello othello/positions", "locusroute locusroute/circuits",
};
static const char *const missing[] = {
  "knapsack none.txt", "setcover none.txt", "primefactors none.txt", "barnes-hut none.txt",
  "sat none.cnf", "maxclique none.clq", "align none.fasta", "grammar none.txt",
  "othello none.obf", "locusroute none.txt",
};
static const char *const malformed[] = {
  "knapsack knapsack/README.md", "setcover setcover/README.md",
  "primefactors primefactors/README.md", "barnes-hut barnes-hut/README.md",
  "sat sat/README.md", "maxclique maxclique/README.md", "align align/README.md", "grammar grammar/README.md",
  "othello othello/README.md", "locusroute locusroute/README.md",
};
/* clang-format on */

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      const Search *search = &searches[i];
      if (search->is_slow && !g_test_slow ())
        continue;
      add_case ("plain-c", search->line, search, test_answer_in_plain_c);
      add_case ("1-worker", search->line, search, test_answer_with_1_worker);
      add_case ("2-workers", search->line, search, test_answer_with_2_workers);
      add_case ("4-workers", search->line, search, test_answer_with_4_workers);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (timed); i++)
    add_case ("time-goes-to-stderr", timed[i], timed[i], test_time_goes_to_stderr);
  for (gsize i = 0; i < G_N_ELEMENTS (helps); i++)
    add_case ("help-is-no-error", helps[i], helps[i], test_help_is_no_error);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    add_case ("wrong-usage-is-2", wrong[i], wrong[i], test_wrong_usage_is_2);
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    add_case ("folder-is-2", folders[i], folders[i], test_wrong_usage_is_2);
  for (gsize i = 0; i < G_N_ELEMENTS (missing); i++)
    add_case ("missing-file-is-11", missing[i], missing[i], test_missing_file_is_11);
  for (gsize i = 0; i < G_N_ELEMENTS (malformed); i++)
    add_case ("malformed-file-is-12", malformed[i], malformed[i], test_malformed_file_is_12);
  return g_test_run ();
}
