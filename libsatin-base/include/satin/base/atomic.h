/* atomic.h - the atomic operations that Satin uses, and the header of its locks
 *
 * A field that threads share without a lock is a plain field, and code accesses it through these
 * operations. So the code shows where threads meet, and ThreadSanitizer understands it. Where a
 * memory order is not obvious, a comment says why it is enough. For locks, use the mutexes of
 * <pthread.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <pthread.h>
#include <glib.h>

G_BEGIN_DECLS

/* The operations on a shared field; @p is its address. LOAD acquires what STORE releases. The
 * RELAXED operations order nothing. EXCHANGE, ADD, SUB, OR and AND return the value that the field
 * had before, and are sequentially consistent. */
#define SATIN_LOAD_RELAXED(p)     __atomic_load_n (p, __ATOMIC_RELAXED)
#define SATIN_LOAD(p)             __atomic_load_n (p, __ATOMIC_ACQUIRE)
#define SATIN_STORE_RELAXED(p, v) __atomic_store_n (p, v, __ATOMIC_RELAXED)
#define SATIN_STORE(p, v)         __atomic_store_n (p, v, __ATOMIC_RELEASE)
#define SATIN_EXCHANGE(p, v)      __atomic_exchange_n (p, v, __ATOMIC_SEQ_CST)
#define SATIN_ADD(p, v)           __atomic_fetch_add (p, v, __ATOMIC_SEQ_CST)
#define SATIN_ADD_RELEASE(p, v)   __atomic_fetch_add (p, v, __ATOMIC_RELEASE)
#define SATIN_SUB(p, v)           __atomic_fetch_sub (p, v, __ATOMIC_SEQ_CST)
#define SATIN_OR(p, v)            __atomic_fetch_or (p, v, __ATOMIC_SEQ_CST)
#define SATIN_AND(p, v)           __atomic_fetch_and (p, v, __ATOMIC_SEQ_CST)
/* Stores @v and is TRUE if the field equals *@expected. Else it is FALSE, and *@expected becomes
 * the value of the field. Sequentially consistent when TRUE, relaxed when FALSE. */
#define SATIN_CAS(p, expected, v)                                                                  \
  __atomic_compare_exchange_n (p, expected, v, FALSE, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)

/* A full fence. Use it to order atomics only, because ThreadSanitizer does not know fences. */
static inline void
satin_fence (void)
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
}

/* Tells the processor that this thread spins. */
static inline void
satin_relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

G_END_DECLS
