#include "drivers/realtime_tun/bpf_object_file.hh"

#if PACELINE_HAS_LIBBPF

#include <bpf/btf.h>
#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>

namespace paceline {

namespace {

constexpr std::string_view kSection = ".struct_ops";
constexpr std::string_view kLinkSection = ".struct_ops.link";
constexpr const char* kType = "tcp_congestion_ops";

// Views of the file as records, each looked at only within its bounds.
class Elf {
 public:
  explicit Elf(const std::vector<char>& bytes) : bytes_{bytes}, header_{at<Elf64_Ehdr>(0)} {
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64 ||
        header_.e_type != ET_REL || header_.e_machine != EM_BPF)
      throw std::runtime_error{"it is not a compiled BPF object (clang -target bpf -g -O2 -c)"};
  }

  template <class Record>
  [[nodiscard]] Record at(uint64_t offset) const {
    Record record{};
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof record)
      throw std::runtime_error{"it is cut off or damaged"};
    std::memcpy(&record, bytes_.data() + offset, sizeof record);
    return record;
  }
  [[nodiscard]] int sections() const { return header_.e_shnum; }
  [[nodiscard]] Elf64_Shdr section(int index) const {
    return at<Elf64_Shdr>(header_.e_shoff + static_cast<uint64_t>(index) * sizeof(Elf64_Shdr));
  }
  [[nodiscard]] std::string_view name_of(const Elf64_Shdr& section_header) const {
    const uint64_t offset = section(header_.e_shstrndx).sh_offset + section_header.sh_name;
    if (offset >= bytes_.size()) throw std::runtime_error{"it is cut off or damaged"};
    const char* begin = bytes_.data() + offset;
    return {begin, ::strnlen(begin, bytes_.size() - offset)};
  }

 private:
  const std::vector<char>& bytes_;
  Elf64_Ehdr header_;
};

int struct_ops_section(const Elf& elf) {
  for (int i = 0; i < elf.sections(); ++i)
    if (const auto name = elf.name_of(elf.section(i)); name == kSection || name == kLinkSection) return i;
  throw std::runtime_error{"it has no section .struct_ops or .struct_ops.link: it is not a congestion control"};
}

// Where its one variable begins in the file.
uint64_t variable_in(const Elf& elf, int index) {
  std::optional<uint64_t> found;
  for (int i = 0; i < elf.sections(); ++i) {
    const Elf64_Shdr table = elf.section(i);
    if (table.sh_type != SHT_SYMTAB) continue;
    for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size; offset += sizeof(Elf64_Sym)) {
      const auto symbol = elf.at<Elf64_Sym>(table.sh_offset + offset);
      if (symbol.st_shndx != index || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
      if (found) throw std::runtime_error{"it holds more than one struct_ops; one congestion control is expected"};
      found = elf.section(index).sh_offset + symbol.st_value;
    }
  }
  if (!found) throw std::runtime_error{"its section .struct_ops is empty"};
  return *found;
}

// Of the member `name` in the structure, as the object was compiled.
uint64_t offset_of_name(const std::string& path) {
  const std::unique_ptr<btf, decltype(&btf__free)> types{btf__parse(path.c_str(), nullptr), &btf__free};
  if (!types) throw std::runtime_error{"it has no type information (BTF): compile it with -g"};
  const int id = btf__find_by_name_kind(types.get(), kType, BTF_KIND_STRUCT);
  if (id < 0) throw std::runtime_error{std::string{"it knows no struct "} + kType + ": it is not a congestion control"};
  const btf_type* type = btf__type_by_id(types.get(), static_cast<uint32_t>(id));
  const btf_member* members = btf_members(type);
  for (uint32_t i = 0; i < btf_vlen(type); ++i)
    if (std::string_view{btf__name_by_offset(types.get(), members[i].name_off)} == "name")
      return btf_member_bit_offset(type, i) / 8;
  throw std::runtime_error{std::string{"its struct "} + kType + " has no name"};
}

}  // namespace

BpfObjectFile::BpfObjectFile(const std::string& path) {
  try {
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::runtime_error{"it cannot be read"};
    bytes_.assign(std::istreambuf_iterator<char>{file}, {});
    const Elf elf{bytes_};
    name_at_ = variable_in(elf, struct_ops_section(elf)) + offset_of_name(path);
    const auto name = elf.at<std::array<char, kLongestName + 1>>(name_at_);
    name_ = {name.data(), ::strnlen(name.data(), kLongestName)};
  } catch (const std::runtime_error& e) {
    throw std::runtime_error{path + ": " + e.what()};
  }
  // Both sections mean the same here, since all are registered with a link; libbpf before 1.2 knows the older name only.
  for (auto found = bytes_.begin();
       (found = std::search(found, bytes_.end(), kLinkSection.begin(), kLinkSection.end())) != bytes_.end();)
    *(found += static_cast<std::ptrdiff_t>(kSection.size())) = '\0';
}

void BpfObjectFile::rename(std::string_view name) {
  name_ = name.substr(0, kLongestName);
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(name_at_), kLongestName + 1, '\0');
  std::ranges::copy(name_, bytes_.begin() + static_cast<std::ptrdiff_t>(name_at_));
}

}  // namespace paceline

#endif
