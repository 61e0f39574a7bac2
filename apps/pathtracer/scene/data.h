/* data.h - a scene in the form in which it travels: triangles, materials, textures, a camera
 *
 * The master reads the files of a scene and makes this of them. The other nodes fetch it as a
 * shared object, so that no other node reads a file or parses bytes that came over the network.
 *
 * Threads: any, as long as nobody changes the data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../../common/vector.h"

#define SCENE_MAX_TRIANGLES    (4 * 1024 * 1024)
#define SCENE_MAX_VERTICES     (4 * 1024 * 1024)
#define SCENE_MAX_MATERIALS    65536
#define SCENE_MAX_TEXTURES     256
#define SCENE_MAX_TEXTURE_SIDE 8192
/* The sides of a picture, in pixels. */
#define SCENE_MAX_PIXELS 8192
/* The side of a tile. With larger ones, a part of the largest picture, which is cut between tiles,
 * could be too large for the result of a job. */
#define SCENE_MAX_TILE 1024
/* No place is farther from the origin than this, along any axis. */
#define SCENE_MAX_PLACE 1e6
/* The angle of a camera's view from top to bottom. */
#define SCENE_MIN_DEGREES 1
#define SCENE_MAX_DEGREES 170
/* No surface emits more than this, in any colour. */
#define SCENE_MAX_EMISSION 1e9
/* Bytes of a scene that is sent to other nodes. */
#define SCENE_MAX_BYTES ((gsize)48 << 20)

/**
 * Material:
 * @base: diffuse colour of a surface that is no metal, and mirror colour of a metal; 0 to 1
 * @specular: which share of the light a surface that is no metal mirrors at a right angle; 0 to 1
 * @metallic: which share of the surface is metal; 0 to 1
 * @roughness: 0 for a mirror to 1; its square is the alpha of the GGX distribution
 * @emission: radiance that the surface emits on both sides; 0 or more
 * @texture: index of a texture by which @base is multiplied; -1: none
 */
SATIN_RECORD (Material, (record, base, Vector), (record, specular, Vector), (double, metallic),
              (double, roughness), (record, emission, Vector), (int, texture))

/* @rgb: red, green and blue of each pixel in sRGB, line by line from the top */
SATIN_RECORD (Texture, (int, width), (int, height), (bytes, rgb))

/* @is_given: the file has a camera; @degrees: the angle of its view from top to bottom */
SATIN_RECORD (Camera, (boolean, is_given), (record, eye, Vector), (record, at, Vector),
              (record, up, Vector), (double, degrees))

/**
 * SceneData:
 * @places: x, y and z of each vertex
 * @normals: x, y and z of the normal of each vertex; 0, 0, 0: the vertex has none
 * @texture_places: u and v of each vertex, v from the top
 * @corners: the three vertices of each triangle
 * @surfaces: the material of each triangle
 */
SATIN_RECORD (SceneData, (array_float, places), (array_float, normals),
              (array_float, texture_places), (array_int, corners), (array_int, surfaces),
              (array_record, materials, Material), (array_record, textures, Texture),
              (record, camera, Camera))

/**
 * scene_data_check:
 * @error: %SATIN_ERROR_INVALID when an index or a number is out of its range or the arrays do not
 * fit each other; %SATIN_ERROR_LIMIT when there is too much of something
 *
 * Checks a scene that comes from a file or from another node.
 *
 * Cost: reads everything once, except the pixels of textures.
 */
gboolean scene_data_check (const SceneData *data, GError **error);
