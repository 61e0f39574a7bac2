# warden.sed - makes a text in C of warden.sh, without its comments
#
# SPDX-License-Identifier: Apache-2.0
1i #include "script.h"
1i const char warden_text[] =
/^#/d
s/[\\"]/\\&/g
s/.*/"&\\n"/
$a ;
