# warden.sed - turns warden.sh into a C string, without the lines that are comments
#
# SPDX-License-Identifier: Apache-2.0
1i #include "script.h"
1i const char warden_text[] =
/^#/d
s/[\\"]/\\&/g
s/.*/"&\\n"/
$a ;
