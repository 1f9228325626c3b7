// pcap and pcapng, by libpcap.

#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "core/fail.hh"
#include "formats/packet_reader.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

static_assert(link_type::kNull == DLT_NULL && link_type::kEthernet == DLT_EN10MB && link_type::kRaw == DLT_RAW);
static_assert(link_type::kLoop == DLT_LOOP && link_type::kIpv4 == DLT_IPV4 && link_type::kIpv6 == DLT_IPV6);
static_assert(link_type::kLinuxCooked == DLT_LINUX_SLL && link_type::kLinuxCooked2 == DLT_LINUX_SLL2);

// What libpcap reads from.
struct Cookie {
  Source* source{};
  std::span<const char> pending{};
  std::exception_ptr thrown{};
};

// libpcap reads FILEs; this one has the source behind it. What the source throws waits until libpcap, which is C, has come back.
ssize_t read_cookie(void* data, char* into, size_t size) {
  auto& cookie = *static_cast<Cookie*>(data);
  try {
    if (cookie.pending.empty()) cookie.pending = cookie.source->next();
  } catch (...) {
    cookie.thrown = std::current_exception();
    return -1;
  }
  const std::size_t take = std::min(size, cookie.pending.size());
  std::copy_n(cookie.pending.begin(), take, into);
  cookie.pending = cookie.pending.subspan(take);
  return static_cast<ssize_t>(take);
}

class Libpcap final : public PacketReader {
 public:
  explicit Libpcap(Source& source) : cookie_{.source = &source} {
    std::FILE* file =
        ::fopencookie(&cookie_, "rb", {.read = read_cookie, .write = nullptr, .seek = nullptr, .close = nullptr});
    if (file == nullptr) fail(std::runtime_error{"no memory for reading a capture"});
    std::array<char, PCAP_ERRBUF_SIZE> why{};
    pcap_.reset(::pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why.data()));
    if (pcap_) return;
    std::fclose(file);
    if (cookie_.thrown) std::rethrow_exception(cookie_.thrown);
    fail(TraceError{"capture_broken", "this capture cannot be read: " + std::string{why.data()}});
  }

  bool next(Packet& packet) override {
    pcap_pkthdr* header{};
    const unsigned char* data{};
    const int rc = ::pcap_next_ex(pcap_.get(), &header, &data);
    if (rc == 1) {
      packet = {.s = header->ts.tv_sec, .ns = header->ts.tv_usec, .kept = {data, header->caplen}, .bytes = header->len};
      return true;
    }
    if (cookie_.thrown) std::rethrow_exception(cookie_.thrown);
    if (rc == PCAP_ERROR) broken_ = ::pcap_geterr(pcap_.get());
    return false;
  }
  [[nodiscard]] std::string broken() const override { return broken_; }
  [[nodiscard]] int link() const override { return ::pcap_datalink(pcap_.get()); }
  [[nodiscard]] std::string link_name() const override {
    const char* const name = ::pcap_datalink_val_to_name(link());
    return name == nullptr ? std::to_string(link()) : name;
  }

 private:
  struct Close {
    void operator()(pcap_t* pcap) const { ::pcap_close(pcap); }
  };
  Cookie cookie_;
  std::unique_ptr<pcap_t, Close> pcap_{};
  std::string broken_{};
};

}  // namespace

std::unique_ptr<PacketReader> packet_reader(Source& source) { return std::make_unique<Libpcap>(source); }

}  // namespace paceline::formats
