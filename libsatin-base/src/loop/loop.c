/* loop.c - the calls of a SatinLoop, passed on to its kind of loop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/loop.h>

void
satin_loop_free (SatinLoop *self)
{
  if (self != NULL)
    self->ops->free (self);
}

gint64
satin_loop_now_us (SatinLoop *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->ops->now_us (self);
}

SatinTimerId
satin_loop_timer_add (SatinLoop *self, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (delay_us >= 0, 0);
  g_return_val_if_fail (func != NULL, 0);

  return self->ops->timer_add (self, delay_us, func, user_data);
}

void
satin_loop_timer_cancel (SatinLoop *self, SatinTimerId *id)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (id != NULL);

  if (*id != 0)
    self->ops->timer_cancel (self, *id);
  *id = 0;
}

void
satin_loop_post (SatinLoop *self, SatinLoopFunc func, gpointer user_data)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (func != NULL);

  self->ops->post (self, func, user_data);
}

guint64
satin_loop_random (SatinLoop *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->ops->random (self);
}

guint32
satin_loop_random_below (SatinLoop *self, guint32 n)
{
  g_return_val_if_fail (n > 0, 0);

  return (guint32)(((satin_loop_random (self) >> 32) * n) >> 32);
}

void
satin_loop_probe (SatinLoop *self, const char *what)
{
  g_return_if_fail (self != NULL && what != NULL);

  if (SATIN_HAS (self->ops, probe))
    self->ops->probe (self, what);
}

void
satin_loop_note (SatinLoop *self, const char *domain, const char *format, ...)
{
  g_return_if_fail (self != NULL && format != NULL);

  va_list arguments;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_log (domain, G_LOG_LEVEL_INFO, "%s", text);
  if (SATIN_HAS (self->ops, note))
    self->ops->note (self, text);
}

GMainContext *
satin_loop_get_context (SatinLoop *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->ops->get_context == NULL ? NULL : self->ops->get_context (self);
}
