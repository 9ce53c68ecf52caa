// SPDX-License-Identifier: BSD-2-Clause
// A recipe's file: what is read can be written and read again.
#include "policy/recipe.hpp"

#include "target.hpp"

using namespace v3doff;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    std::string problem;
    const auto recipe = recipe_from_json({reinterpret_cast<const char *>(bytes), count}, problem);
    must(recipe.has_value() == problem.empty(), "a recipe or a problem");
    if (!recipe) return 0;
    const auto again = recipe_from_json(recipe_to_json(*recipe), problem);
    must(again && again->key == recipe->key && again->entries.size() == recipe->entries.size(),
         "the same recipe");
    return 0;
}
