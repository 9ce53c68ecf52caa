// SPDX-License-Identifier: BSD-2-Clause
// Reads SPIR-V words (SPIR-V specification, sections 2.3 and 3) into a Module.
#include "spirv_module.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace v3doff::v3d71 {

namespace {

enum Op : uint32_t {
    OpEntryPoint = 15,
    OpExecutionMode = 16,
    OpTypeImage = 25,
    OpTypeSampler = 26,
    OpTypeSampledImage = 27,
    OpTypeArray = 28,
    OpTypeRuntimeArray = 29,
    OpTypeStruct = 30,
    OpTypePointer = 32,
    OpConstant = 43,
    OpConstantComposite = 44,
    OpSpecConstant = 50,
    OpSpecConstantComposite = 51,
    OpVariable = 59,
    OpDecorate = 71,
    OpExecutionModeId = 331,
};

constexpr uint32_t magic = 0x07230203;
constexpr uint32_t model_gl_compute = 5;
constexpr uint32_t mode_local_size = 17, mode_local_size_id = 38;
constexpr uint32_t decoration_spec_id = 1, decoration_buffer_block = 3, decoration_built_in = 11,
                   decoration_binding = 33, decoration_descriptor_set = 34;
constexpr uint32_t built_in_workgroup_size = 25;
constexpr uint32_t class_push_constant = 9, class_storage_buffer = 12;
constexpr uint32_t dim_buffer = 5, sampled_storage = 2;

class Parser {
  public:
    Parser(Module &module, const SpecConstants &spec) : m_(module), spec_(spec) {}

    void run() {
        const auto &w = m_.words;
        for (size_t i = 5; i < w.size();) {
            const uint32_t length = w[i] >> 16;
            if (length == 0 || length > w.size() - i)
                throw std::runtime_error("truncated SPIR-V instruction");
            instruction(w[i] & 0xffff, {w.begin() + i + 1, w.begin() + i + length});
            i += length;
        }
        // these may refer to constants that are defined later
        for (int k = 0; k < 3 && !size_ids_.empty(); k++)
            m_.local_size[k] = constants_.at(size_ids_.at(k));
    }

  private:
    using Words = std::vector<uint32_t>;

    void instruction(uint32_t op, const Words &a) {
        switch (op) {
        case OpEntryPoint:
            if (a.at(0) == model_gl_compute) m_.entry = text(a, 2);
            break;
        case OpExecutionMode:
            if (a.at(1) == mode_local_size) m_.local_size = {a.at(2), a.at(3), a.at(4)};
            break;
        case OpExecutionModeId:
            if (a.at(1) == mode_local_size_id) size_ids_ = {a.at(2), a.at(3), a.at(4)};
            break;
        case OpDecorate:
            decorate(a);
            break;
        case OpConstant:
            constants_[a.at(1)] = a.at(2);
            break;
        case OpSpecConstant: {
            const auto id = spec_id_.find(a.at(1));
            const auto given = id == spec_id_.end() ? spec_.end() : spec_.find(id->second);
            constants_[a.at(1)] = given == spec_.end() ? a.at(2) : given->second;
            break;
        }
        case OpConstantComposite:
        case OpSpecConstantComposite:
            if (a.at(1) == workgroup_size_) size_ids_ = {a.at(2), a.at(3), a.at(4)};
            break;
        case OpVariable:
            variable(a);
            break;
        default:
            if (op >= OpTypeImage && op <= OpTypePointer) {
                Words type{op};
                type.insert(type.end(), a.begin() + 1, a.end());
                types_[a.at(0)] = type;
            }
        }
    }

    // A literal string: zero-terminated, four bytes a word, lowest first (2.2.1).
    static std::string text(const Words &a, size_t first) {
        std::string out;
        for (;; first++)
            for (int shift = 0; shift < 32; shift += 8) {
                const char c = char(a.at(first) >> shift);
                if (!c) return out;
                out += c;
            }
    }

    void decorate(const Words &a) {
        const uint32_t target = a.at(0);
        switch (a.at(1)) {
        case decoration_spec_id:
            spec_id_[target] = a.at(2);
            break;
        case decoration_buffer_block:
            buffer_block_[target] = true;
            break;
        case decoration_binding:
            binding_[target] = a.at(2);
            break;
        case decoration_descriptor_set:
            set_[target] = a.at(2);
            break;
        case decoration_built_in:
            if (a.at(2) == built_in_workgroup_size) workgroup_size_ = target;
            break;
        }
    }

    void variable(const Words &a) {
        const uint32_t id = a.at(1), storage_class = a.at(2);
        if (storage_class == class_push_constant) m_.push_constants = true;
        if (!binding_.count(id)) return;
        uint32_t type = types_.at(a.at(0)).at(2); // what the pointer points to
        Binding b{set_[id], binding_[id], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
        for (uint32_t op = types_.at(type).at(0); op == OpTypeArray || op == OpTypeRuntimeArray;
             op = types_.at(type).at(0)) {
            if (op == OpTypeArray) b.count *= constants_.at(types_.at(type).at(2));
            type = types_.at(type).at(1);
        }
        b.type = descriptor_type(type, storage_class);
        for (const Binding &other : m_.bindings) // several views of one buffer share a binding
            if (other.set == b.set && other.binding == b.binding) return;
        m_.bindings.push_back(b);
    }

    VkDescriptorType descriptor_type(uint32_t id, uint32_t storage_class) {
        const Words &type = types_.at(id);
        switch (type.at(0)) {
        case OpTypeSampler:
            return VK_DESCRIPTOR_TYPE_SAMPLER;
        case OpTypeSampledImage:
            return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        case OpTypeImage: {
            const bool storage = type.at(6) == sampled_storage;
            if (type.at(2) == dim_buffer)
                return storage ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                               : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
            return storage ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
        }
        default:
            return storage_class == class_storage_buffer || buffer_block_.count(id)
                       ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                       : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
        }
    }

    Module &m_;
    const SpecConstants &spec_;
    std::map<uint32_t, uint32_t> set_, binding_, constants_, spec_id_;
    std::map<uint32_t, bool> buffer_block_;
    std::map<uint32_t, Words> types_; // id -> opcode, operands after the result id
    uint32_t workgroup_size_ = 0;     // constant decorated WorkgroupSize; overrides execution mode
    Words size_ids_;
};

} // namespace

Module load_module(const std::string &path, const SpecConstants &spec) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open");
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    Module module;
    module.words.resize(bytes.size() / 4);
    bytes.copy(reinterpret_cast<char *>(module.words.data()), module.words.size() * 4);
    if (bytes.size() % 4 || module.words.size() < 5 || module.words[0] != magic)
        throw std::runtime_error("not SPIR-V");
    try {
        Parser(module, spec).run();
    } catch (const std::out_of_range &) {
        throw std::runtime_error("malformed SPIR-V");
    }
    return module;
}

} // namespace v3doff::v3d71
