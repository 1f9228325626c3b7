#include "drivers/realtime_tun/tun_device.hh"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/route.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/units.hh"
#include "drivers/realtime_tun/ip_packet.hh"
#include "drivers/realtime_tun/netlink.hh"

namespace paceline {

namespace {

constexpr const char* kNode = "/dev/net/tun";

[[noreturn]] void tun_failed(const std::string& what) { throw std::system_error{errno, std::generic_category(), what}; }

FileDescriptor open_node() {
  FileDescriptor fd{::open(kNode, O_RDWR | O_NONBLOCK | O_CLOEXEC)};
  if (fd) return fd;
  const std::string node{kNode};
  if (errno == ENOENT || errno == ENODEV || errno == ENXIO)
    throw std::runtime_error{"there is no " + node +
                             ": load the kernel's tun module (modprobe tun), or give the container " +
                             "the device (--device " + node + ")"};
  if (errno == EACCES || errno == EPERM)
    throw std::runtime_error{"this user may not open " + node + ": make it readable and writable (chmod 666 " + node +
                             ", as most distributions have it), or run as root"};
  tun_failed(node);
}

ifreq request(const std::string& name) {
  ifreq r{};
  if (name.size() >= sizeof r.ifr_name) throw std::invalid_argument{"the device name " + name + " is too long"};
  name.copy(r.ifr_name, sizeof r.ifr_name - 1);
  return r;
}

sockaddr address_of(in_addr address) {
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_addr = address;
  sockaddr out{};
  std::memcpy(&out, &in, sizeof in);
  return out;
}

void bring_up(int socket, const std::string& name) {
  ifreq r = request(name);
  if (::ioctl(socket, SIOCGIFFLAGS, &r) != 0) tun_failed("flags of " + name);
  r.ifr_flags = static_cast<short>(r.ifr_flags | IFF_UP | IFF_RUNNING);
  if (::ioctl(socket, SIOCSIFFLAGS, &r) != 0) tun_failed("bringing up " + name);
}

void set_address(int socket, const TunSetup& setup) {
  ifreq r = request(setup.name);
  in_addr address{};
  if (::inet_pton(AF_INET, setup.address.c_str(), &address) != 1)
    throw std::invalid_argument{setup.address + " is not an IPv4 address"};
  r.ifr_addr = address_of(address);
  if (::ioctl(socket, SIOCSIFADDR, &r) != 0) tun_failed("address of " + setup.name);
  r.ifr_netmask = address_of({.s_addr = htonl(~uint32_t{} << (32 - setup.prefix))});
  if (::ioctl(socket, SIOCSIFNETMASK, &r) != 0) tun_failed("netmask of " + setup.name);
}

void add_default_route(int socket, std::string name) {
  const sockaddr any = address_of({.s_addr = INADDR_ANY});
  rtentry route{};
  route.rt_dst = any;
  route.rt_genmask = any;
  route.rt_flags = RTF_UP;
  route.rt_dev = name.data();
  if (::ioctl(socket, SIOCADDRT, &route) != 0) tun_failed("default route through " + name);
}

void offer_offloads(int fd) {
  constexpr unsigned kUdpOffloads = 0x20 | 0x40;  // UDP segments, IPv4 and IPv6: newer than some kernels' headers
  constexpr unsigned kTcpOffloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
  if (::ioctl(fd, TUNSETOFFLOAD, kTcpOffloads | kUdpOffloads) != 0 && ::ioctl(fd, TUNSETOFFLOAD, kTcpOffloads) != 0)
    tun_failed("segmentation offload of TUN");
}

}  // namespace

TunDevice make_tun_device(TunSetup setup) {
  FileDescriptor fd = open_node();
  ifreq r = request(setup.name);
  r.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;
  if (::ioctl(fd.get(), TUNSETIFF, &r) != 0) {
    if (errno == EPERM) throw std::runtime_error{"a TUN device needs CAP_NET_ADMIN in its network namespace"};
    tun_failed("making a TUN device");
  }
  setup.name = r.ifr_name;
  int header = sizeof(VirtioHeader);
  if (::ioctl(fd.get(), TUNSETVNETHDRSZ, &header) != 0) tun_failed("header of TUN");
  offer_offloads(fd.get());

  const FileDescriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!socket) tun_failed("socket");
  set_address(socket.get(), setup);
  r = request(setup.name);
  r.ifr_mtu = static_cast<int>(kMtu.v);
  if (::ioctl(socket.get(), SIOCSIFMTU, &r) != 0) tun_failed("MTU of " + setup.name);
  set_queue_length(setup.name, setup.queue_packets);
  bring_up(socket.get(), "lo");
  bring_up(socket.get(), setup.name);
  remove_queue_discipline(setup.name);
  if (setup.default_route) add_default_route(socket.get(), setup.name);
  return {.fd = std::move(fd), .name = setup.name};
}

}  // namespace paceline
