# test-app-pathtracer.sh - the program pathtracer: the same picture in every mode, the picture of the
# owners, and errors
#
# SATIN_TEST_SCENES is the folder of the scenes.
#
# SPDX-License-Identifier: Apache-2.0
here=$(cd "$(dirname "$0")" && pwd)
. "$here/test-command-common.sh"
# A simulated run does not free what it has when it is over.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
limit_s=120
tracer=$SATIN_APP_PATH/pathtracer/pathtracer
scenes=$SATIN_TEST_SCENES

# A missing tile has the colour (22, 24, 29) in most of its pixels. A tile that is drawn may
# have it in some.
#
# reads_pixels FILE CONDITION: the condition in Python holds for the PNG file: width, height, and
# pixels, a list of (red, green, blue).
reads_pixels() {
  python3 "$here/png-pixels.py" "$1" "$2" 2>&1 | sed 's/^/# /'
  [ "${PIPESTATUS[0]}" -eq 0 ]
}

# is_drawn: the program ended well and printed what plain C printed.
is_drawn() {
  is_status 0 && [ -s expected ] && cmp -s out expected
}

# draws_in WORKERS OPTION...: one process prints the same as plain C.
draws_in() {
  SATIN_WORKERS=$1 run "$tracer" "${picture[@]}" "${@:2}"
  is_drawn
}

for name in knot.gltf room.obj; do
  picture=("$scenes/$name" --size 72x50 --samples 2 --bounces 4)
  "$tracer" "${picture[@]}" --sequential >expected 2>/dev/null
  check "$name is the same with two workers" draws_in 2 --tile 8
  check "$name is the same as one tile" draws_in 2 --tile 1024
  check "$name is the same in tiles that do not fit" draws_in 1 --tile 7 --owners owners.png
  run "$satin" run -n 4 -w 1 pathtracer "${picture[@]}" --tile 8 --owners owners.png
  check "$name is the same on four nodes" is_drawn
  check "and each tile has an owner" reads_pixels owners.png \
    'width == 72 and height == 50 and pixels.count((22, 24, 29)) < 5'
done

touch behind.png
ln -s behind.png link.png
stays_link() { draws_in 2 --owners link.png && [ -L link.png ] && reads_pixels behind.png 'width == 72'; }
check "owners behind a link are written there" stays_link

run "$satin" sim --clusters 1x1 pathtracer "$scenes/room.obj" --size 8x8 --samples 1
check "the whole picture is a part of the root job" grep -qF ", 1 job, " err

# ---- what is known of a picture ----

# All of the box has the radiance 0.5, which is the byte 188 in sRGB.
run "$tracer" "$scenes/furnace.obj" --eye 0,0,0 --at 1,0.2,0.3 --bounces 30 --samples 400 \
  --size 16x12 --output furnace.png
check "the furnace is as bright as it must be" reads_pixels furnace.png \
  'abs(sum(sum(p) for p in pixels) / (3 * len(pixels)) - 188) < 1 and all(abs(x - 188) < 12 for p in pixels for x in p)'
run "$tracer" "$scenes/furnace.obj" --samples 1 --size 16x12 --eye 5,5,5 --at 9,9,8 --sky 0.2158605,0,1 \
  --output sky.png
check "the sky has its colour" reads_pixels sky.png \
  'set(pixels) == {(128, 0, round(255 * (1.055 * 0.85 ** (1 / 2.4) - 0.055)))}'
run "$tracer" "$scenes/room.obj" --samples 1 --size 40x40 --sky 1,0,1 --output all.png
check "the whole scene is seen without a camera" reads_pixels all.png \
  'all((p[0], p[2]) == (237, 237) and p[1] == 0 for p in pixels[:40] + pixels[-40:] + pixels[::40] + pixels[39::40])'

# ---- the owners ----

# is_half_dark: a run that goes on shows tiles and tiles that are missing.
is_half_dark() {
  [ -s live.png ] && reads_pixels live.png \
    '(22, 24, 29) in pixels and set(pixels) - {(22, 24, 29), (38, 41, 48)}' >/dev/null
}

# shows_and_survives: the file shows half of the picture while the run goes on. Then a node is killed.
# At the end all tiles have owners, and the picture is right. If the run is over before that, another
# one is tried.
shows_and_survives() {
  local pids
  is_half_dark_or_over() { is_half_dark || has_ended; }
  picture=("$scenes/knot.gltf" --size 128x96 --samples 250 --tile 8)
  "$tracer" "${picture[@]}" --sequential >expected 2>/dev/null
  for _ in 1 2 3 4 5; do
    rm -f live.png
    start "$satin" run -n 4 -w 1 pathtracer "${picture[@]}" --owners live.png
    until_true is_half_dark_or_over
    pids=$(status_query "' '.join(str(n['pid']) for n in s['nodes'] if n['state'] == 'member' and not n['master'])")
    kill -KILL "${pids%% *}" 2>/dev/null
    wait_for_end
    is_drawn && reads_pixels live.png 'pixels.count((22, 24, 29)) < 20' \
      && [ ! -e live.png.satin-part ] || return
    ! killed_are 1 || return 0
  done
  return 1
}
check "the file shows the run, also when a node is killed" shows_and_survives

# goes_on: a run ends before its end, and goes on from its checkpoint. At the end all tiles have
# owners, those of both runs.
goes_on() {
  local words=("$satin" run -n 2 -w 1 --checkpoint "file:$test_dir/checkpoint" --checkpoint-every 100ms
    pathtracer "${picture[@]}" --owners resumed.png)
  stored() { status_query "$(sum_of checkpoint.stored) >= 20" >/dev/null || has_ended; }
  start "${words[@]}"
  until_true stored
  # shellcheck disable=SC2046
  kill -KILL "$pid" $(pids_of True) 2>/dev/null
  wait_for_end
  until_true no_nodes
  rm -f resumed.png
  run "${words[@]}"
  is_status 0 || { sed 's/^/# /' err; return 1; }
  cmp -s out expected && reads_pixels resumed.png 'pixels.count((22, 24, 29)) < 20'
}
check "so does a run that goes on from a checkpoint" goes_on

# ---- errors ----

# refuses STATUS MESSAGE ARGUMENT...: the program prints one line, with the message, and no answer.
refuses() {
  run "$tracer" "${@:3}"
  is_status "$1" && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$2" err || { sed 's/^/# /' err; return 1; }
}
printf 'v 0 0\n' >short.obj
printf '{"asset"' >cut.gltf
printf 'mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >lonely.obj
check "a malformed OBJ file" refuses 2 "short.obj" short.obj
check "a malformed glTF file" refuses 2 "cut.gltf is malformed" cut.gltf
check "a file that is missing" refuses 11 "none.mtl does not exist" lonely.obj
check "a scene that is missing" refuses 11 "scene file no.obj does not exist" no.obj
check "no scene" refuses 2 "no scene: give an .obj, .gltf or .glb file"
check "a wrong size" refuses 2 "--size is '64', but must be WIDTHxHEIGHT" --size 64 x.obj
check "a wrong sky" refuses 2 "--sky is '1,2', but must be three numbers" --sky 1,2 x.obj
check "half a camera" refuses 2 "--eye and --at belong together" --eye 1,2,3 x.obj
check "a camera that looks straight down" refuses 2 "move one of them to the side" --eye 0,1,0 --at 0,0,0 x.obj
check "a wrong angle" refuses 2 "--fov is '0', but must be from 1 to 170 degrees" --fov 0 x.obj
check "a wrong exposure" refuses 2 "--exposure is 'x', but must be from -30 to 30" --exposure x x.obj
check "no samples" refuses 2 "--samples" --samples 0 x.obj
check "too many tiles for their owners" refuses 2 "give a larger --tile" --owners o.png --tile 1 x.obj
check "a picture that cannot be written" refuses 27 "cannot write picture /no/such/folder/p.png" \
  --samples 65536 --output /no/such/folder/p.png "$scenes/room.obj"
check "owners that cannot be written" refuses 27 "cannot write picture /no/such/folder/o.png" \
  --samples 65536 --owners /no/such/folder/o.png "$scenes/room.obj"

check "nothing is left" nothing_left
finish
