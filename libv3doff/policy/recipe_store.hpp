// SPDX-License-Identifier: BSD-2-Clause
// The recipes of this process's devices. Files are read once, and written after measuring.
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
// The environment's file, or one in the cache folder with the device's name. Empty if there is no
// such folder.
RecipeFile recipe_file(const RecipeKey &key);

// The file's recipe if it is complete and has this key. Otherwise an empty one with this key, and a
// line in the log says why.
Recipe load_recipe(const RecipeKey &key);

struct RecipeAnswer {
    Verdict verdict = Verdict::unknown;
    bool overridden = false; // by a person, in the environment or in the file
    Timing timing;
    std::string reason; // also why it is unknown
};
RecipeAnswer answer_of(const Recipe &recipe, v3doff_family family, unsigned size);

// Whether save_recipe() can succeed, as far as the rights of folders tell. If not, it is useless to
// measure: every process would do it again.
bool can_save_recipe(const RecipeKey &key);
void save_recipe(const Recipe &recipe);

} // namespace v3doff
