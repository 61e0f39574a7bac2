/* context.c - switching between stacks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "context.h"

#include <sys/mman.h>
#include <unistd.h>

/* The size of the guard. A frame that is not larger cannot reach past the guard, whichever of its
 * bytes are written first. */
#define GUARD_BYTES ((gsize)64 << 10)

#if defined(__x86_64__) || defined(__aarch64__)
#  define HAS_OWN_SWITCH 1
#else
#  include <ucontext.h>
#endif

#ifdef __has_feature
#  define HAS_FEATURE(x) __has_feature (x)
#else
#  define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#  define HAS_ASAN 1
void __sanitizer_start_switch_fiber (void **fake_stack, const void *bottom, gsize size);
void __sanitizer_finish_switch_fiber (void *fake_stack, const void **bottom, gsize *size);
void __asan_unpoison_memory_region (const volatile void *memory, gsize n_bytes);
#endif
#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
#  define HAS_TSAN 1
void *__tsan_get_current_fiber (void);
void *__tsan_create_fiber (unsigned flags);
void __tsan_destroy_fiber (void *fiber);
void __tsan_switch_to_fiber (void *fiber, unsigned flags);
#endif

struct _Context
{
#ifdef HAS_OWN_SWITCH
  void *stack_pointer; /* valid while the context does not run */
#else
  ucontext_t ucontext;
#endif
  char *memory; /* (owned) (nullable) the guard, if there is one, and the stack above; %NULL: a
                 * stack of the thread's own */
  gsize memory_bytes;
  char *stack;
  gsize stack_bytes;
  void (*main) (gpointer data);
  gpointer data;
#ifdef HAS_ASAN
  void *fake_stack;
#endif
#ifdef HAS_TSAN
  void *fiber;
#endif
};

/* The context that was entered last, and the context that ran before (for ASan). */
static __thread Context *entered;
static __thread Context *left;

#ifdef HAS_OWN_SWITCH
void satin_sim_switch (void **save, void *load);

#  if defined(__x86_64__)
__asm__(".text\n"
        ".globl satin_sim_switch\n"
        ".hidden satin_sim_switch\n"
        ".type satin_sim_switch,@function\n"
        "satin_sim_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  subq $8, %rsp\n"
        "  stmxcsr (%rsp)\n"
        "  fnstcw 4(%rsp)\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  ldmxcsr (%rsp)\n"
        "  fldcw 4(%rsp)\n"
        "  addq $8, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size satin_sim_switch,.-satin_sim_switch\n");

/* The frame that a switch leaves on the stack: floating-point control, six registers, the return
 * address, and a word so that the stack has the alignment that functions expect. */
#    define FRAME_WORDS   9
#    define FRAME_PC_WORD 7

/* A new context starts with the floating-point control of the context that makes it. */
static void
fill_control (guintptr *frame)
{
  __asm__ volatile("stmxcsr (%0)\n\tfnstcw 4(%0)" : : "r"(frame) : "memory");
}
#  else
__asm__(".text\n"
        ".globl satin_sim_switch\n"
        ".hidden satin_sim_switch\n"
        ".type satin_sim_switch,%function\n"
        "satin_sim_switch:\n"
        "  sub sp, sp, #176\n"
        "  stp x19, x20, [sp, #0]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mrs x9, fpcr\n"
        "  str x9, [sp, #160]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldr x9, [sp, #160]\n"
        "  msr fpcr, x9\n"
        "  ldp x19, x20, [sp, #0]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #176\n"
        "  ret\n"
        ".size satin_sim_switch,.-satin_sim_switch\n");

#    define FRAME_WORDS   22
#    define FRAME_PC_WORD 11

/* A new context starts with the floating-point control of the context that makes it. */
static void
fill_control (guintptr *frame)
{
  __asm__ volatile("mrs %0, fpcr" : "=r"(frame[20]));
}
#  endif
#endif

/* Runs in the entered context after each switch, and tells ASan that the switch has ended. */
static void
arrive (Context *self)
{
#ifdef HAS_ASAN
  const void *bottom;
  gsize size;
  __sanitizer_finish_switch_fiber (self->fake_stack, &bottom, &size);
  if (left->stack == NULL)
    {
      /* @left is the thread's own stack. Only ASan knows where that is. */
      left->stack = (char *)bottom;
      left->stack_bytes = size;
    }
#endif
}

static void
begin (void)
{
  Context *self = entered;
  arrive (self);
  self->main (self->data);
  g_assert_not_reached ();
}

Context *
context_new_here (void)
{
  Context *self = g_new0 (Context, 1);
#ifdef HAS_TSAN
  self->fiber = __tsan_get_current_fiber ();
#endif
  return self;
}

static void
prepare (Context *self)
{
#ifdef HAS_OWN_SWITCH
  guintptr *frame = (guintptr *)(gpointer)(self->stack + self->stack_bytes) - FRAME_WORDS;
  frame[FRAME_PC_WORD] = (guintptr)begin;
  fill_control (frame);
  self->stack_pointer = frame;
#else
  getcontext (&self->ucontext);
  self->ucontext.uc_stack.ss_sp = self->stack;
  self->ucontext.uc_stack.ss_size = self->stack_bytes;
  makecontext (&self->ucontext, begin, 0);
#endif
#ifdef HAS_TSAN
  self->fiber = __tsan_create_fiber (0);
#endif
}

Context *
context_new (gsize stack_bytes, gboolean is_guarded, void (*main) (gpointer data), gpointer data)
{
  gsize page_bytes = (gsize)sysconf (_SC_PAGESIZE);
  gsize guard_bytes = is_guarded ? MAX (page_bytes, GUARD_BYTES) : 0;
  stack_bytes = (stack_bytes + page_bytes - 1) / page_bytes * page_bytes;
  gsize n_bytes = stack_bytes + guard_bytes;
  char *memory = mmap (NULL, n_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  if (guard_bytes > 0 && mprotect (memory, guard_bytes, PROT_NONE) != 0)
    {
      munmap (memory, n_bytes);
      return NULL;
    }
  Context *self = g_new0 (Context, 1);
  self->memory = memory;
  self->memory_bytes = n_bytes;
  self->stack = memory + guard_bytes;
  self->stack_bytes = stack_bytes;
  self->main = main;
  self->data = data;
  prepare (self);
  return self;
}

void
context_free (Context *self)
{
  if (self == NULL)
    return;
#ifdef HAS_TSAN
  if (self->memory != NULL)
    __tsan_destroy_fiber (self->fiber);
#endif
#ifdef HAS_ASAN
  /* ASan still marks the frames of a function that has not ended, and a new stack may get this
   * memory. */
  if (self->memory != NULL)
    __asan_unpoison_memory_region (self->stack, self->stack_bytes);
#endif
  if (self->memory != NULL)
    munmap (self->memory, self->memory_bytes);
  g_free (self);
}

void
context_switch (Context *from, Context *to)
{
  entered = to;
  left = from;
#ifdef HAS_ASAN
  __sanitizer_start_switch_fiber (&from->fake_stack, to->stack, to->stack_bytes);
#endif
#ifdef HAS_TSAN
  __tsan_switch_to_fiber (to->fiber, 0);
#endif
#ifdef HAS_OWN_SWITCH
  satin_sim_switch (&from->stack_pointer, to->stack_pointer);
#else
  swapcontext (&from->ucontext, &to->ucontext);
#endif
  arrive (from);
}

void
context_get_stack (const Context *self, char **ret_low, gsize *ret_n_bytes)
{
  *ret_low = self->stack;
  *ret_n_bytes = self->stack_bytes;
}

gboolean
context_is_guard (const Context *self, gconstpointer address)
{
  const char *byte = address;
  return self->memory != NULL && byte >= self->memory && byte < self->stack;
}
