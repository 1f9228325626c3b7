#include "drivers/realtime_tun/netlink.hh"

#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error{error, std::generic_category(), what};
}

// Header, the body that belongs to the type, and one attribute.
class Order {
 public:
  template <typename Body>
  Order(uint16_t type, uint16_t flags, const Body& body) {
    header_.nlmsg_type = type;
    header_.nlmsg_flags = static_cast<uint16_t>(flags | NLM_F_REQUEST | NLM_F_ACK);
    append(&body, sizeof body);
  }

  void attribute(uint16_t type, std::span<const char> value) {
    const rtattr attribute{.rta_len = static_cast<uint16_t>(RTA_LENGTH(value.size())), .rta_type = type};
    append(&attribute, sizeof attribute);
    append(value.data(), value.size());
  }

  void send(const std::string& what) {
    const FileDescriptor socket{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)};
    if (!socket) fail(errno, "netlink");
    header_.nlmsg_len = static_cast<uint32_t>(size_);
    std::memcpy(bytes_.data(), &header_, sizeof header_);
    if (::send(socket.get(), bytes_.data(), size_, 0) < 0) fail(errno, what);
    std::array<char, 1024> answer{};
    if (::recv(socket.get(), answer.data(), answer.size(), 0) < 0) fail(errno, what);
    nlmsghdr header{};
    nlmsgerr error{};
    std::memcpy(&header, answer.data(), sizeof header);
    std::memcpy(&error, answer.data() + NLMSG_HDRLEN, sizeof error);
    if (header.nlmsg_type == NLMSG_ERROR && error.error != 0) fail(-error.error, what);
  }

 private:
  void append(const void* data, std::size_t size) {
    std::memcpy(bytes_.data() + size_, data, size);
    size_ += (size + NLMSG_ALIGNTO - 1) / NLMSG_ALIGNTO * NLMSG_ALIGNTO;
  }

  nlmsghdr header_{};
  std::array<char, 256> bytes_{};
  std::size_t size_{NLMSG_HDRLEN};
};

int index_of(const std::string& device) { return static_cast<int>(::if_nametoindex(device.c_str())); }

}  // namespace

void set_queue_length(const std::string& device, uint32_t packets) {
  ifinfomsg link{};
  link.ifi_family = AF_UNSPEC;
  link.ifi_index = index_of(device);
  Order order{RTM_NEWLINK, 0, link};
  order.attribute(IFLA_TXQLEN, {reinterpret_cast<const char*>(&packets), sizeof packets});
  order.send("queue length of " + device);
}

void add_address(const std::string& device, uint32_t address, uint32_t peer) {
  const uint32_t own = htonl(address);
  const uint32_t other = htonl(peer);
  const int index = index_of(device);
  const auto bytes = [](const auto& value) { return std::span{reinterpret_cast<const char*>(&value), sizeof value}; };
  constexpr uint8_t kAll = 32;  // bits of an address
  ifaddrmsg message{};
  message.ifa_family = AF_INET;
  message.ifa_prefixlen = kAll;
  message.ifa_index = static_cast<uint32_t>(index);
  Order give(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, message);
  give.attribute(IFA_LOCAL, bytes(own));
  give.attribute(IFA_ADDRESS, bytes(own));
  give.send("another address of " + device);

  rtmsg route{};
  route.rtm_family = AF_INET;
  route.rtm_dst_len = kAll;
  route.rtm_table = RT_TABLE_MAIN;
  route.rtm_protocol = RTPROT_STATIC;
  route.rtm_scope = RT_SCOPE_LINK;
  route.rtm_type = RTN_UNICAST;
  Order lead(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, route);
  lead.attribute(RTA_DST, bytes(other));
  lead.attribute(RTA_PREFSRC, bytes(own));
  lead.attribute(RTA_OIF, bytes(index));
  lead.send("a route through " + device);
}

void remove_queue_discipline(const std::string& device) {
  tcmsg message{};
  message.tcm_family = AF_UNSPEC;
  message.tcm_ifindex = index_of(device);
  message.tcm_parent = TC_H_ROOT;
  Order order{RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, message};
  constexpr std::string_view kKind{"noqueue\0", 8};
  order.attribute(TCA_KIND, kKind);
  order.send("removing the queue discipline of " + device);
}

}  // namespace paceline
