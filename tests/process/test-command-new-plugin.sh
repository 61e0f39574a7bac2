# test-command-new-plugin.sh - satin new-plugin: the folders that it makes, and wrong usage
#
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/test-command-common.sh"

run "$satin" new-plugin policy odd-one
made() { is_status 0 && [ -f policy-odd-one/policy-odd-one.c ] && [ -f policy-odd-one/meson.build ]; }
check "a directory is made, named like kind and name" made
check "what to do next is said" grep -qF 'satin run -n 4 --stats --policy odd-one fib 40' out
forms() {
  grep -q '^odd_one_choose ' policy-odd-one/policy-odd-one.c \
    && grep -q '^} OddOnePolicy;' policy-odd-one/policy-odd-one.c \
    && grep -qF '.name = "odd-one"' policy-odd-one/policy-odd-one.c
}
check "functions, types and the plugin have its name" forms
check "the template's name is nowhere" test -z "$(grep -ril template policy-odd-one)"

all_kinds() {
  local kind
  for kind in adaptation part policy provision registry storage transport; do
    run "$satin" new-plugin $kind odd-two
    is_status 0 && [ -f "$kind-odd-two/$kind-odd-two.c" ] && [ -z "$(grep -ril template $kind-odd-two)" ] \
      && ! grep -q NAME out || { echo "# $kind"; return 1; }
  done
}
check "each kind has a template" all_kinds
rm -r policy-odd-two

echo mine >policy-odd-one/README.md
run "$satin" new-plugin policy odd-one
kept() { is_status 2 && says err "is there already" && [ "$(cat policy-odd-one/README.md)" = mine ]; }
check "a directory that is there stays as it is" kept
run "$satin" new-plugin policy odd-one "another place"
placed() { is_status 0 && [ -f "another place/policy-odd-one.c" ] && says out "cd 'another place'"; }
check "the directory may be named" placed
run "$satin" new-plugin policy odd-one nowhere/deep
check "a directory in none is refused" is_status 11

run "$satin" new-plugin polic odd-one
kind_refused() { is_status 2 && says err "policy, transport, registry, storage, provision, adaptation, part"; }
check "an unknown kind is refused with those there are" kind_refused
run "$satin" new-plugin filter odd-one
no_template() { is_status 2 && says err "there is no template for the kind filter"; }
check "a kind without a template is told from an unknown kind" no_template
run "$satin" new-plugin policy other -h
helped() { is_status 0 && says out "KIND NAME" && [ ! -e ./-h ]; }
check "an option behind the words is an option" helped
run "$satin" new-plugin policy crs
namesake() { is_status 0 && [ -d policy-crs ] && says err "there is a plugin policy-crs already"; }
check "a name that a plugin has already is warned of" namesake
rm -rf policy-crs
names_refused() {
  local name
  for name in x Odd odd_one odd--one odd- -odd 1odd ../odd satin satin-loop template_x ""; do
    run "$satin" new-plugin -- policy "$name"
    is_status 2 || { echo "# \"$name\""; return 1; }
  done
  [ "$(ls | grep -c policy)" -eq 1 ]
}
check "names that cannot be one are refused" names_refused
mkdir none
SATIN_TEMPLATE_DIR=$test_dir/none run "$satin" new-plugin policy other
templateless() { is_status 11 && says err "SATIN_TEMPLATE_DIR" && [ ! -e policy-other ]; }
check "without templates nothing is made" templateless
run "$satin" new-plugin policy
check "a name must be given" is_status 2
finish
