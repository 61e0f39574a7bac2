/* secret.c - reads, makes and writes the cluster secret
 *
 * No error message and no log line contains a digit of a key. Memory that contained a key is wiped
 * before it is freed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>
#include <satin/base/file.h>
#include <satin/net/secret.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define LINE_DIGITS (2 * SATIN_SECRET_KEY_BYTES)

/* Enough for two lines with line ends and some blanks. A longer text is not a secret. */
#define MAX_TEXT_BYTES 256

SatinSecret *
satin_secret_new_random (GError **error)
{
  g_autoptr (SatinSecret) self = g_new0 (SatinSecret, 1);
  self->n_keys = 1;
  /* getrandom returns up to 256 bytes in one piece once the kernel's random source is ready. */
  gssize n_bytes;
  do
    n_bytes = getrandom (self->keys[0], SATIN_SECRET_KEY_BYTES, 0);
  while (n_bytes < 0 && errno == EINTR);
  if (n_bytes != SATIN_SECRET_KEY_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                   "the operating system gives no random numbers for a secret: %s",
                   g_strerror (errno));
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* Parses a line of exactly LINE_DIGITS hexadecimal digits. */
static gboolean
parse_key (const char *line, gsize length, guint8 *ret_key)
{
  if (length != LINE_DIGITS)
    return FALSE;
  for (gsize i = 0; i < LINE_DIGITS; i++)
    if (!g_ascii_isxdigit (line[i]))
      return FALSE;
  for (gsize i = 0; i < SATIN_SECRET_KEY_BYTES; i++)
    ret_key[i] =
        (guint8)(g_ascii_xdigit_value (line[2 * i]) << 4 | g_ascii_xdigit_value (line[2 * i + 1]));
  return TRUE;
}

/* Parses the keys in @text, one a line. Ignores blanks and '\r' at the end of a line. */
static gboolean
parse_text (SatinSecret *self, const char *text)
{
  while (*text != '\0')
    {
      gsize length = strcspn (text, "\n");
      gsize used = length;
      while (used > 0 && (text[used - 1] == '\r' || text[used - 1] == ' '))
        used--;
      if (self->n_keys == G_N_ELEMENTS (self->keys)
          || !parse_key (text, used, self->keys[self->n_keys]))
        return FALSE;
      self->n_keys++;
      text += length + (text[length] == '\n');
    }
  return self->n_keys > 0;
}

/* Reads @fd to its end, at most @size_bytes. Returns: bytes read, or -1 with errno set */
static gssize
read_all (int fd, char *buffer, gsize size_bytes)
{
  gsize n_bytes = 0;
  while (n_bytes < size_bytes)
    {
      gssize n = read (fd, buffer + n_bytes, size_bytes - n_bytes);
      if (n == 0)
        break;
      if (n < 0 && errno != EINTR)
        return -1;
      if (n > 0)
        n_bytes += (gsize)n;
    }
  return (gssize)n_bytes;
}

SatinSecret *
satin_secret_from_text (const char *text, const char *where, GError **error)
{
  g_return_val_if_fail (text != NULL && where != NULL, NULL);
  g_autoptr (SatinSecret) self = g_new0 (SatinSecret, 1);
  if (parse_text (self, text))
    return g_steal_pointer (&self);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
               "%s is not a secret: it must hold one or two lines of %d hexadecimal digits each",
               where, LINE_DIGITS);
  return NULL;
}

/* Reads a secret from @fd. @name: the name of @fd in messages */
static SatinSecret *
read_named (int fd, const char *name, GError **error)
{
  char text[MAX_TEXT_BYTES + 1];
  gssize n_bytes = read_all (fd, text, MAX_TEXT_BYTES);
  if (n_bytes < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "cannot read the secret from %s: %s",
                   name, g_strerror (errno));
      return NULL;
    }
  text[n_bytes] = '\0';
  /* A text with a zero byte in it is no secret. */
  gboolean is_text = strlen (text) == (gsize)n_bytes;
  SatinSecret *self = satin_secret_from_text (is_text ? text : "", name, error);
  explicit_bzero (text, sizeof text);
  return self;
}

SatinSecret *
satin_secret_read_file (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  int fd = satin_private_file_open (path, "secret file", error);
  if (fd < 0)
    return NULL;
  SatinSecret *self = read_named (fd, path, error);
  close (fd);
  return self;
}

SatinSecret *
satin_secret_read_fd (int fd, GError **error)
{
  g_return_val_if_fail (fd >= 0, NULL);
  g_autofree char *name = g_strdup_printf ("descriptor %d", fd);
  SatinSecret *self = read_named (fd, name, error);
  close (fd);
  return self;
}

char *
satin_secret_to_text (const SatinSecret *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  char *text = g_malloc (self->n_keys * (LINE_DIGITS + 1) + 1);
  char *end = text;
  for (guint key = 0; key < self->n_keys; key++)
    {
      satin_hex_write (self->keys[key], SATIN_SECRET_KEY_BYTES, end);
      end += LINE_DIGITS;
      *end++ = '\n';
    }
  *end = '\0';
  return text;
}

SatinSecret *
satin_secret_copy (const SatinSecret *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SatinSecret *copy = g_new (SatinSecret, 1);
  *copy = *self;
  return copy;
}

void
satin_secret_free (SatinSecret *self)
{
  if (self == NULL)
    return;
  explicit_bzero (self, sizeof *self);
  g_free (self);
}
