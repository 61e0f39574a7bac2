/* literal.h - literals in the form in which the solver uses them: as indexes into its tables
 *
 * Variables are numbered from 0 here. A literal is twice its variable, plus 1 if it says that the
 * variable is false.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

typedef guint32 Literal;
typedef guint32 Variable;

/* No literal. */
#define LITERAL_NONE G_MAXUINT32

static inline Literal
literal_of (Variable variable, gboolean is_false)
{
  return 2 * variable + (is_false ? 1 : 0);
}

static inline Literal
literal_negate (Literal literal)
{
  return literal ^ 1;
}

static inline Variable
literal_variable (Literal literal)
{
  return literal >> 1;
}

static inline gboolean
literal_is_false (Literal literal)
{
  return (literal & 1) != 0;
}

/* The next two functions convert from and to the numbers of the DIMACS format. @number: not 0 */
static inline Literal
literal_from_number (gint32 number)
{
  return literal_of ((Variable)ABS (number) - 1, number < 0);
}

static inline gint32
literal_to_number (Literal literal)
{
  gint32 number = (gint32)literal_variable (literal) + 1;
  return literal_is_false (literal) ? -number : number;
}
