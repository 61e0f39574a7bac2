/* build.c - the build of this process, from the build ids of the loaded files
 *
 * The dynamic linker lists the loaded files. satin_main() asks for the build before any plugin is
 * loaded. So the list has the program and the libraries with which the program was linked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/build.h>
#include <satin/base/bytes.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

/* The longest build id that is accepted. By default a build id has 20 bytes. */
#define ID_MAX_BYTES 64u
/* Hexadecimal digits of the digest in a build. */
#define N_DIGITS 32

#define SELF "/proc/self/exe"

typedef struct
{
  guint16 machine; /* e_machine of the program */
  GPtrArray *ids;  /* (borrowed from the caller) to (owned) texts: build ids or digests of files */
} Search;

static const struct
{
  guint16 machine;
  const char *name;
} machines[] = {
  { EM_X86_64, "x86-64" }, { EM_AARCH64, "arm64" }, { EM_S390, "s390x" },
  { EM_386, "x86" },       { EM_ARM, "arm" },       { EM_PPC64, "ppc64" },
#ifdef EM_RISCV
  { EM_RISCV, "riscv" },
#endif
};

/* Whether the library at @path belongs to the program or to Satin, not to the system. */
static gboolean
is_own (const char *path)
{
  static const char *const system_folders[] = { "/lib", "/usr/lib" };
  /* Libraries that Satin itself needs. They may have been packed with a program. */
  static const char *const system_names[] = {
    "/ld-", "/libc.", "/libm.", "/libgcc_s.", "/libglib-", "/libgmodule-", "/libpcre", "/libstdc++."
  };
  const char *name = strrchr (path, '/');
  if (name == NULL) /* a library of the kernel */
    return FALSE;
  if (g_str_has_prefix (name, "/libsatin-"))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (system_folders); i++)
    if (g_str_has_prefix (path, system_folders[i]))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (system_names); i++)
    if (g_str_has_prefix (name, system_names[i]))
      return FALSE;
  return TRUE;
}

/* Returns: (transfer full) (nullable): the build id in the notes at @at */
static char *
find_id (const guint8 *at, gsize n_left)
{
  ElfW (Nhdr) note;
  while (n_left > sizeof note)
    {
      memcpy (&note, at, sizeof note);
      gsize n_name = (note.n_namesz + 3u) & ~3u;
      gsize n_all = sizeof note + n_name + ((note.n_descsz + 3u) & ~3u);
      if (n_all > n_left)
        return NULL;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU
          && memcmp (at + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0
          && note.n_descsz <= ID_MAX_BYTES)
        return satin_hex (at + sizeof note + n_name, note.n_descsz);
      at += n_all;
      n_left -= n_all;
    }
  return NULL;
}

static char *
digest_file (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  if (!g_file_get_contents (path, &bytes, &n_bytes, NULL))
    return g_strdup ("unreadable");
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, n_bytes);
}

/* Returns: the machine for which the program was built, from its ELF header in the first segment */
static guint16
read_machine (const struct dl_phdr_info *info)
{
  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      ElfW (Ehdr) header;
      if (segment->p_type != PT_LOAD || segment->p_offset != 0 || segment->p_filesz < sizeof header)
        continue;
      memcpy (&header, (const char *)info->dlpi_addr + segment->p_vaddr, sizeof header);
      return header.e_machine;
    }
  return EM_NONE;
}

/* The dynamic linker lists the program first, without a path. */
static int
on_loaded (struct dl_phdr_info *info, size_t n_info, void *user_data)
{
  Search *self = user_data;
  gboolean is_program = self->ids->len == 0;
  if (is_program)
    self->machine = read_machine (info);
  else if (!is_own (info->dlpi_name))
    return 0;
  char *id = NULL;
  for (guint i = 0; i < info->dlpi_phnum && id == NULL; i++)
    if (info->dlpi_phdr[i].p_type == PT_NOTE)
      id = find_id ((const guint8 *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                    info->dlpi_phdr[i].p_memsz);
  if (id == NULL)
    id = digest_file (is_program ? SELF : info->dlpi_name);
  g_ptr_array_add (self->ids, id);
  return 0;
}

static int
compare_ids (gconstpointer left, gconstpointer right)
{
  return strcmp (*(const char *const *)left, *(const char *const *)right);
}

static char *
describe_machine (guint16 machine)
{
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    if (machines[i].machine == machine)
      return g_strdup (machines[i].name);
  return g_strdup_printf ("elf-%u", machine);
}

/* Returns: (transfer full) (nullable) */
static char *
find_build (void)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  Search search = { .ids = ids };
  dl_iterate_phdr (on_loaded, &search);
  if (ids->len == 0)
    return NULL;
  g_ptr_array_sort (ids, compare_ids);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);
      g_checksum_update (checksum, (const guchar *)id, (gssize)strlen (id) + 1);
    }
  g_autofree char *machine = describe_machine (search.machine);
  return g_strdup_printf ("%s:%.*s", machine, N_DIGITS, g_checksum_get_string (checksum));
}

static pthread_once_t build_once = PTHREAD_ONCE_INIT;
static char *this_build; /* (nullable): lives as long as the process */

static void
find_this_build (void)
{
  this_build = find_build ();
}

const char *
satin_build_get (void)
{
  pthread_once (&build_once, find_this_build);
  return this_build;
}
