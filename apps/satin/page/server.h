/* server.h - a web page about a run, on this machine only
 *
 *   http://127.0.0.1:PORT/TOKEN/          the page, with the run so far
 *   http://127.0.0.1:PORT/TOKEN/events    what comes after that (server-sent events)
 *   http://127.0.0.1:PORT/TOKEN/metrics   the last figures (OpenMetrics)
 *   http://127.0.0.1:PORT/TOKEN/picture   the picture that the program writes (PNG or JPEG)
 *
 * Other users of the machine can reach the port, so the address has a random token. Web pages of
 * other origins cannot use the server: it refuses requests for another host name, and requests of
 * the scripts of such pages.
 *
 * The server has threads of its own, and only reads the journal and the picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* A server for one journal. */
typedef struct _PageServer PageServer;

/* Returns: (transfer full) (nullable): on a machine without a display, a text that says how to see
 * the page on another machine; %NULL if there is a display */
char *page_server_get_hint (const PageServer *self);

/**
 * page_server_new:
 * @path: the journal; it may still be written
 * @picture: (nullable): the file of the program's picture, which need not be there yet; %NULL: the
 *   page shows no picture
 * @port: where to listen; 0 for any free port
 * @error: %SATIN_ERROR_ADDRESS_IN_USE when the port is taken; %SATIN_ERROR_IO when the server
 *   cannot be started; or an error of satin_journal_reader_new()
 *
 * Returns: (transfer full): free with page_server_free()
 */
PageServer *page_server_new (const char *path, const char *picture, guint16 port, GError **error);

/* The address of the page, with the token; borrowed. */
const char *page_server_get_url (const PageServer *self);

/* Ends all connections. The streams of events first send what the journal has; the wait for that is
 * 0.2 s, and at most 1 s if a browser does not read. @self: (nullable) */
void page_server_free (PageServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageServer, page_server_free)

/**
 * page_option_read:
 * @text: the value of the option: a port, or "any"
 *
 * Returns: %FALSE with @error when it is neither
 */
gboolean page_option_read (const char *text, guint16 *ret_port, GError **error);

G_END_DECLS
