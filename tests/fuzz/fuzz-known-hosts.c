/* fuzz-known-hosts.c - fuzzes the reading of a known_hosts file
 *
 * Any file must be readable, and a server can be looked up in it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "ssh-known-hosts.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One file and one session serve for all inputs. */
static LIBSSH2_SESSION *ssh;
static int fd = -1;

static void
look_up (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SshAddress) address =
      ssh_address_parse ("sftp://host:2222/x", "sftp://", "sftp://HOST", NULL);
  g_autoptr (SshKnownHosts) known = ssh_known_hosts_read (ssh, path, &error);

  g_assert_no_error (error);
  g_assert_true (ssh_known_hosts_prefer (known, ssh, address));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (ssh == NULL)
    {
      g_assert_cmpint (libssh2_init (0), ==, 0);
      ssh = libssh2_session_init ();
      fd = memfd_create ("known_hosts", MFD_CLOEXEC);
    }
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  g_assert_cmpint (pwrite (fd, bytes, n_bytes, 0), ==, (gssize)n_bytes);
  look_up (path);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char key[] = "AAAAC3NzaC1lZDI1NTE5AAAAIJvQZ0cbx7yZ1oB3kXcCq0J5bT5d2mJm9Zr1c8dJmJ0a";
  static const char *const names[] = {
    "[host]:2222 ssh-ed25519",
    "host,192.0.2.1 ssh-ed25519",
    "@revoked * ssh-ed25519",
    "|1|JfKTdBh7rNbXkVAQCRp4OQoPfmI=|USECr3SWf1JUPsms5AqfD5QfxkM= ssh-ed25519",
    "@cert-authority *.example ssh-rsa",
    "# nothing",
  };

  for (gint i = g_test_rand_int_range (1, 4); i > 0; i--)
    {
      g_autofree char *line = g_strdup_printf (
          "%s %s me@here\n", names[g_test_rand_int_range (0, G_N_ELEMENTS (names))], key);
      g_byte_array_append (out, (const guint8 *)line, (guint)strlen (line));
    }
}
