// pcap and pcapng where there is no libpcap. What it says of a file that is cut or broken is what libpcap says: people read it.

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/fail.hh"
#include "formats/packet_reader.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

using Bytes = std::span<const unsigned char>;

constexpr uint32_t kLongestKept = 262'144;  // of a packet

// Bytes of the source, as many at a time as are wanted.
class Stream {
 public:
  explicit Stream(Source& source) : source_{source} {}
  // How many there were.
  std::size_t read(std::span<unsigned char> into) {
    std::size_t got = 0;
    while (got < into.size()) {
      if (pending_.empty()) pending_ = source_.next();
      if (pending_.empty()) break;
      const std::size_t take = std::min(pending_.size(), into.size() - got);
      std::copy_n(pending_.begin(), take, into.begin() + static_cast<std::ptrdiff_t>(got));
      pending_ = pending_.subspan(take);
      got += take;
    }
    return got;
  }

 private:
  Source& source_;
  std::span<const char> pending_{};
};

// Numbers in the byte order of the machine that made the capture.
class Numbers {
 public:
  explicit Numbers(bool big_endian) : big_endian_{big_endian} {}
  [[nodiscard]] uint16_t of16(Bytes b, std::size_t at) const { return static_cast<uint16_t>(of(b, at, 2)); }
  [[nodiscard]] uint32_t of32(Bytes b, std::size_t at) const { return static_cast<uint32_t>(of(b, at, 4)); }
  [[nodiscard]] uint64_t of64(Bytes b, std::size_t at) const { return of(b, at, 8); }
  [[nodiscard]] bool big_endian() const { return big_endian_; }

 private:
  [[nodiscard]] uint64_t of(Bytes b, std::size_t at, std::size_t size) const {
    uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8U | b[at + (big_endian_ ? i : size - 1 - i)];
    return value;
  }
  bool big_endian_;
};

std::string text(uint64_t number) { return std::to_string(number); }

[[noreturn]] void unreadable(const std::string& why) {
  fail(TraceError{"capture_broken", "this capture cannot be read: " + why});
}

std::string cut(std::string_view what, std::size_t wanted, std::string_view of, std::size_t got) {
  return "truncated " + std::string{what} + "; tried to read " + text(wanted) + " " + std::string{of} +
         "bytes, only got " + text(got);
}

constexpr uint32_t kFileRaw = 101;  // raw IP is one number in files and another in programs

int link_of(uint32_t in_file) { return in_file == kFileRaw ? link_type::kRaw : static_cast<int>(in_file); }

uint32_t snapshot_of(uint32_t in_file) { return in_file == 0 || in_file > INT_MAX ? kLongestKept : in_file; }

class Common : public PacketReader {
 public:
  Common(const Stream& stream, bool big_endian) : stream_{stream}, numbers_{big_endian} {}
  [[nodiscard]] std::string broken() const override { return broken_; }
  [[nodiscard]] int link() const override { return link_; }
  [[nodiscard]] std::string link_name() const override {
    struct Named {
      int link;
      const char* name;
    };
    constexpr std::array kNames{Named{0, "NULL"},
                                Named{1, "EN10MB"},
                                Named{9, "PPP"},
                                Named{12, "RAW"},
                                Named{50, "PPP_SERIAL"},
                                Named{51, "PPP_ETHER"},
                                Named{104, "C_HDLC"},
                                Named{105, "IEEE802_11"},
                                Named{108, "LOOP"},
                                Named{113, "LINUX_SLL"},
                                Named{119, "PRISM_HEADER"},
                                Named{127, "IEEE802_11_RADIO"},
                                Named{187, "BLUETOOTH_HCI_H4"},
                                Named{189, "USB_LINUX"},
                                Named{201, "BLUETOOTH_HCI_H4_WITH_PHDR"},
                                Named{220, "USB_LINUX_MMAPPED"},
                                Named{227, "CAN_SOCKETCAN"},
                                Named{228, "IPV4"},
                                Named{229, "IPV6"},
                                Named{239, "NFLOG"},
                                Named{249, "USBPCAP"},
                                Named{253, "NETLINK"},
                                Named{276, "LINUX_SLL2"}};
    const auto found = std::ranges::find(kNames, link_, &Named::link);
    return found == kNames.end() ? std::to_string(link_) : found->name;
  }

 protected:
  // The reading ends here.
  bool end(std::string why) {
    broken_ = std::move(why);
    return false;
  }

  Stream stream_;
  Numbers numbers_;
  int link_{};
  uint32_t snapshot_{};
  std::vector<unsigned char> kept_{};
  std::string broken_{};
};

class Pcap final : public Common {
 public:
  // `stream`: behind the magic number.
  Pcap(const Stream& stream, bool big_endian, bool nano) : Common{stream, big_endian}, nano_{nano} {
    constexpr std::size_t kHeader = 24;
    std::array<unsigned char, kHeader - 4> header{};
    const std::size_t got = stream_.read(header);
    if (got < header.size()) unreadable(cut("dump file", kHeader, "file header ", got));
    const uint32_t major = numbers_.of16(header, 0);
    const uint32_t minor = numbers_.of16(header, 2);
    constexpr uint32_t kForeignMajor = 543;
    if (major < 2) unreadable("archaic pcap savefile format");
    if (!(major == 2 && minor <= 4) && !(major == kForeignMajor && minor == 0))
      unreadable("unsupported pcap savefile version " + text(major) + "." + text(minor));
    swapped_lengths_ = major == kForeignMajor || minor < 3;
    perhaps_swapped_ = major == 2 && minor == 3;
    snapshot_ = snapshot_of(numbers_.of32(header, 12));
    link_ = link_of(numbers_.of32(header, 16) & 0x03FF'FFFFU);
  }

  bool next(Packet& packet) override {
    std::array<unsigned char, 16> header{};
    const std::size_t got = stream_.read(header);
    if (got == 0) return false;
    if (got < header.size()) return end(cut("dump file", header.size(), "header ", got));
    // As libpcap has it: a second before 1970 only where no bytes are swapped.
    const uint32_t second = numbers_.of32(header, 0);
    const uint32_t fraction = numbers_.of32(header, 4);
    const auto number = [this](uint32_t n) -> int64_t {
      return numbers_.big_endian() ? int64_t{n} : static_cast<int32_t>(n);
    };
    packet.s = number(second);
    packet.ns = number(fraction) * (nano_ ? 1 : 1000);
    uint32_t kept = numbers_.of32(header, 8);
    packet.bytes = numbers_.of32(header, 12);
    if (swapped_lengths_ || (perhaps_swapped_ && kept > packet.bytes)) std::swap(kept, packet.bytes);
    if (kept > kLongestKept)
      return end("invalid packet capture length " + text(kept) + ", bigger than " +
                 (kept > snapshot_ ? "snaplen of " + text(snapshot_) : "maximum of " + text(kLongestKept)));
    kept_.resize(kept);
    const std::size_t read = stream_.read(kept_);
    if (read < kept)
      return end(cut("dump file", read < snapshot_ ? std::min(kept, snapshot_) : kept, "captured ", read));
    packet.kept = Bytes{kept_}.first(std::min(kept, snapshot_));
    return true;
  }

 private:
  bool nano_;
  bool swapped_lengths_{};
  bool perhaps_swapped_{};
};

class Pcapng final : public Common {
 public:
  // `stream`: behind the first section's type, length and byte order.
  Pcapng(const Stream& stream, bool big_endian, uint32_t length) : Common{stream, big_endian} {
    constexpr uint32_t kShortest = 28;
    constexpr uint32_t kLongest = 1U << 20U;
    constexpr uint32_t kRead = 12;
    if (length < kShortest || length > kLongest)
      unreadable("Section Header Block in pcapng dump file has invalid length " + text(kShortest) + " < _" +
                 text(length) + "_ < " + text(kLongest) + " (BT_SHB_INSANE_MAX)");
    block_.resize(length - kRead);
    const std::size_t got = stream_.read(block_);
    if (got < block_.size()) unreadable(cut(kFile, block_.size(), "", got));
    const uint32_t major = numbers_.of16(block_, 0);
    const uint32_t minor = numbers_.of16(block_, 2);
    if (major != 1 || (minor != 0 && minor != 2))
      unreadable("unsupported pcapng savefile version " + text(major) + "." + text(minor));
    for (;;) {
      if (!next_block()) unreadable(broken_.empty() ? "the capture file has no Interface Description Blocks" : broken_);
      if (type_ == kInterface) break;
      if (type_ == kPacket || type_ == kSimplePacket || type_ == kOldPacket)
        unreadable("the capture file has a packet block before any Interface Description Blocks");
    }
    const auto fixed = take(kInterfaceFixed);
    if (fixed) {
      link_ = link_of(numbers_.of16(*fixed, 0));
      snapshot_ = snapshot_of(numbers_.of32(*fixed, 4));
    }
    if (!fixed || !add_interface()) unreadable(broken_);
  }

  bool next(Packet& packet) override {
    while (next_block()) {
      switch (type_) {
        case kPacket: {
          const auto b = take(20);
          return b && give(packet, numbers_.of32(*b, 0), ticks(*b, 4), numbers_.of32(*b, 12), numbers_.of32(*b, 16));
        }
        case kOldPacket: {
          const auto b = take(20);
          return b && give(packet, numbers_.of16(*b, 0), ticks(*b, 4), numbers_.of32(*b, 12), numbers_.of32(*b, 16));
        }
        case kSimplePacket: {
          const auto b = take(4);
          return b && give(packet, 0, 0, std::min(numbers_.of32(*b, 0), snapshot_), numbers_.of32(*b, 0));
        }
        case kInterface:
          if (!another_interface()) return false;
          break;
        case kSection:
          if (!another_section()) return false;
          break;
        default:
          break;
      }
    }
    return false;
  }

 private:
  static constexpr std::string_view kFile = "pcapng dump file";
  static constexpr uint32_t kSection = 0x0A0D0D0A;
  static constexpr uint32_t kInterface = 1;
  static constexpr uint32_t kOldPacket = 2;
  static constexpr uint32_t kSimplePacket = 3;
  static constexpr uint32_t kPacket = 6;
  static constexpr uint32_t kOrder = 0x1A2B3C4D;
  static constexpr std::size_t kInterfaceFixed = 8;

  struct Interface {
    uint64_t ticks_per_s{1'000'000};
    bool binary{};
    int64_t offset_s{};
  };

  // The next block, whole; false at the end and where it is broken.
  bool next_block() {
    constexpr uint32_t kLongest = 16U << 20U;
    constexpr uint32_t kAround = 12;
    std::array<unsigned char, 8> header{};
    const std::size_t got = stream_.read(header);
    if (got == 0) return false;
    if (got < header.size()) return end(cut(kFile, header.size(), "", got));
    type_ = numbers_.of32(header, 0);
    const uint32_t length = numbers_.of32(header, 4);
    const std::string which = "block in pcapng dump file has a length of " + text(length);
    if (length < kAround) return end(which + " < " + text(kAround));
    if (length % 4 != 0) return end(which + " that is not a multiple of 4");
    if (length > kLongest) return end("pcapng block size " + text(length) + " > maximum " + text(kLongest));
    block_.resize(length - header.size());
    const std::size_t rest = stream_.read(block_);
    if (rest < block_.size()) return end(cut(kFile, block_.size(), "", rest));
    const uint32_t again = numbers_.of32(block_, block_.size() - 4);
    if (again != length)
      return end("block total length in header " + text(length) + " and trailer " + text(again) + " don't match");
    left_ = Bytes{block_}.first(block_.size() - 4);
    return true;
  }

  // So many bytes of the block.
  std::optional<Bytes> take(std::size_t size) {
    if (left_.size() < size) {
      end("block of type " + text(type_) + " in pcapng dump file is too short");
      return std::nullopt;
    }
    const Bytes taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }

  [[nodiscard]] uint64_t ticks(Bytes b, std::size_t at) const {
    return uint64_t{numbers_.of32(b, at)} << 32U | numbers_.of32(b, at + 4);
  }

  bool give(Packet& packet, uint32_t interface, uint64_t ticks, uint32_t kept, uint32_t bytes) {
    constexpr uint64_t kNs = 1'000'000'000;
    if (interface >= interfaces_.size())
      return end("a packet arrived on interface " + text(interface) +
                 ", but there's no Interface Description Block for that interface");
    if (kept > snapshot_)
      return end("invalid packet capture length " + text(kept) + ", bigger than snaplen of " + text(snapshot_));
    const Interface& of = interfaces_[interface];
    packet.s = static_cast<int64_t>(ticks / of.ticks_per_s + static_cast<uint64_t>(of.offset_s));
    uint64_t part = ticks % of.ticks_per_s;
    if (of.binary)
      part = part * kNs / of.ticks_per_s;
    else if (of.ticks_per_s <= kNs)
      part *= kNs / of.ticks_per_s;
    else
      part /= of.ticks_per_s / kNs;
    packet.ns = static_cast<int32_t>(part);
    packet.bytes = bytes;
    const auto data = take(kept);
    if (data) packet.kept = *data;
    return data.has_value();
  }

  // Its options: how fine the clock is, and where it begins.
  bool add_interface() {
    constexpr uint16_t kEnd = 0;
    constexpr uint16_t kResolution = 9;
    constexpr uint16_t kOffset = 14;
    const std::string block = "Interface Description Block has ";
    Interface found{};
    bool resolution = false;
    bool offset = false;
    while (!left_.empty()) {
      const auto header = take(4);
      if (!header) return false;
      const uint16_t code = numbers_.of16(*header, 0);
      const uint16_t length = numbers_.of16(*header, 2);
      const auto value = take((std::size_t{length} + 3) / 4 * 4);
      if (!value) return false;
      const auto wrong_length = [&](const char* name, int wanted) {
        return end(block + name + " option with length " + text(length) + " != " + std::to_string(wanted));
      };
      if (code == kEnd) {
        if (length != 0) return wrong_length("opt_endofopt", 0);
        break;
      }
      if (code == kResolution) {
        if (length != 1) return wrong_length("if_tsresol", 1);
        if (resolution) return end(block + "more than one if_tsresol option");
        resolution = true;
        constexpr uint32_t kMostBits = 63;
        constexpr uint32_t kMostDigits = 19;
        found.binary = ((*value)[0] & 0x80U) != 0;
        const uint32_t digits = (*value)[0] & 0x7FU;
        if (digits > (found.binary ? kMostBits : kMostDigits))
          return end("Interface Description Block if_tsresol option resolution " +
                     std::string{found.binary ? "2" : "10"} + "^-" + text(digits) + " is too high");
        found.ticks_per_s = 1;
        for (uint32_t i = 0; i < digits; ++i) found.ticks_per_s *= found.binary ? 2 : 10;
      }
      if (code == kOffset) {
        if (length != 8) return wrong_length("if_tsoffset", 8);
        if (offset) return end(block + "more than one if_tsoffset option");
        offset = true;
        found.offset_s = static_cast<int64_t>(numbers_.of64(*value, 0));
      }
    }
    interfaces_.push_back(found);
    return true;
  }

  bool another_interface() {
    const auto fixed = take(kInterfaceFixed);
    if (!fixed) return false;
    const uint32_t type = numbers_.of16(*fixed, 0);
    const uint32_t snapshot = numbers_.of32(*fixed, 4);
    if (static_cast<int>(type) != link_)
      return end("an interface has a type " + text(type) + " different from the type of the first interface");
    if (snapshot_of(snapshot) != snapshot_)
      return end("an interface has a snapshot length " + text(snapshot) +
                 " different from the snapshot length of the first interface");
    return add_interface();
  }

  bool another_section() {
    const auto fixed = take(16);
    if (!fixed) return false;
    const uint32_t order = numbers_.of32(*fixed, 0);
    if (order == __builtin_bswap32(kOrder)) return end("the file has sections with different byte orders");
    if (order != kOrder) return end("the file has a section with a bad byte order magic field");
    const uint32_t major = numbers_.of16(*fixed, 4);
    if (major != 1) return end("unknown pcapng savefile major version number " + text(major));
    interfaces_.clear();
    return true;
  }

  std::vector<unsigned char> block_{};
  Bytes left_{};
  uint32_t type_{};
  std::vector<Interface> interfaces_{};
};

}  // namespace

std::unique_ptr<PacketReader> packet_reader(Source& source) {
  constexpr uint32_t kMicros = 0xA1B2C3D4;
  constexpr uint32_t kNanos = 0xA1B23C4D;
  constexpr uint32_t kSection = 0x0A0D0D0A;
  constexpr uint32_t kOrder = 0x1A2B3C4D;
  constexpr const char* kUnknown = "unknown file format";
  Stream stream{source};
  std::array<unsigned char, 4> magic{};
  const std::size_t got = stream.read(magic);
  if (got < magic.size()) unreadable(cut("dump file", magic.size(), "file header ", got));
  for (const bool big_endian : {false, true}) {
    const uint32_t number = Numbers{big_endian}.of32(magic, 0);
    if (number == kMicros || number == kNanos) return std::make_unique<Pcap>(stream, big_endian, number == kNanos);
  }
  if (Numbers{false}.of32(magic, 0) != kSection) unreadable(kUnknown);
  std::array<unsigned char, 8> section{};
  if (stream.read(section) < section.size()) unreadable(kUnknown);
  for (const bool big_endian : {false, true}) {
    const Numbers numbers{big_endian};
    if (numbers.of32(section, 4) == kOrder)
      return std::make_unique<Pcapng>(stream, big_endian, numbers.of32(section, 0));
  }
  unreadable(kUnknown);
}

}  // namespace paceline::formats
