// SPDX-License-Identifier: BSD-2-Clause
// The recipes of this process's devices. Files are read when a stream begins, and written when it
// has taught something.
#pragma once

#include <functional>

#include "policy/recipe.hpp"
#include "util/file.hpp"
#include "vk/device.hpp"

namespace v3doff {

struct RecipeFile {
    std::string path;
    file::Trust trust;
};

RecipeKey recipe_key(const vk::Device &device);
// The environment's file, or one in the cache folder with the device's name. Empty if there is no
// such folder.
RecipeFile recipe_file(const RecipeKey &key);

// The file's recipe if it is complete and has this key. Otherwise an empty one with this key, and a
// line in the log says why.
Recipe load_recipe(const RecipeKey &key);

// What a person has decided for such streams, with any number of threads, in the environment or in
// the file; or unknown.
Verdict override_of(const Recipe &recipe, const StreamKind &kind);

// Reads the file again, because other processes write to it, too, and writes it. If that is not
// possible, the log says so once.
void change_recipe(const RecipeKey &key, const std::function<void(Recipe &)> &change);

} // namespace v3doff
