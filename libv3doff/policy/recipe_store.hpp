// SPDX-License-Identifier: BSD-2-Clause
// The recipes of this process's devices: read from their files once, written when measured.
#pragma once

#include "policy/recipe.hpp"
#include "util/file.hpp"
#include "vk/device.hpp"

namespace v3doff {

struct RecipeFile {
    std::string path;
    file::Trust trust;
};

RecipeKey recipe_key(const vk::Device &device);
// The environment's file, else one in the cache folder named after the device; empty where there is
// no such folder.
RecipeFile recipe_file(const RecipeKey &key);

// The file's recipe where it is whole and has this key; else an empty one with this key, and a line
// in the log that says why.
Recipe load_recipe(const RecipeKey &key);

struct RecipeAnswer {
    Verdict verdict = Verdict::unknown;
    bool overridden = false; // by a person, in the environment or in the file
    Timing timing;
    std::string reason; // of unknown: why
};
RecipeAnswer answer_of(const Recipe &recipe, v3doff_family family, unsigned size);

void save_recipe(const Recipe &recipe);

} // namespace v3doff
