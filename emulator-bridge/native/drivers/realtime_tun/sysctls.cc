// A new network namespace takes some of its settings from the machine's. A run must not depend on them, so all that matter are
// written: Linux' defaults, except where the remark says otherwise.

#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "drivers/realtime_tun/network_namespace.hh"

namespace paceline {

namespace {

struct Setting {
  std::string_view name;
  std::string_view value;
};

constexpr Setting kSettings[] = {
    // Windows that limit a flow only where it is asked for (tcp_socket.hh): at most 1 GiB, TCP's own bound, and so much room
    // from the start that nobody waits for the receiving program.
    {"ipv4/tcp_rmem", "4096 33554432 1073741824"},
    {"ipv4/tcp_wmem", "4096 65536 1073741824"},
    // Nothing is remembered from one connection to the next.
    {"ipv4/tcp_no_metrics_save", "1"},
    // A pause of the application keeps the window, as in the engine's own transport.
    {"ipv4/tcp_slow_start_after_idle", "0"},
    {"ipv4/tcp_ecn", "0"},
    {"ipv4/tcp_sack", "1"},
    {"ipv4/tcp_dsack", "1"},
    {"ipv4/tcp_timestamps", "1"},
    {"ipv4/tcp_window_scaling", "1"},
    {"ipv4/tcp_recovery", "1"},
    {"ipv4/tcp_early_retrans", "3"},
    {"ipv4/tcp_frto", "2"},
    {"ipv4/tcp_reordering", "3"},
    {"ipv4/tcp_max_reordering", "300"},
    {"ipv4/tcp_moderate_rcvbuf", "1"},
    {"ipv4/tcp_adv_win_scale", "1"},
    {"ipv4/tcp_app_win", "31"},
    {"ipv4/tcp_autocorking", "1"},
    {"ipv4/tcp_limit_output_bytes", "4194304"},
    {"ipv4/tcp_min_tso_segs", "2"},
    {"ipv4/tcp_tso_win_divisor", "3"},
    {"ipv4/tcp_tso_rtt_log", "9"},
    {"ipv4/tcp_pacing_ss_ratio", "200"},
    {"ipv4/tcp_pacing_ca_ratio", "120"},
    {"ipv4/tcp_notsent_lowat", "4294967295"},
    {"ipv4/tcp_min_rtt_wlen", "300"},
    {"ipv4/tcp_comp_sack_nr", "44"},
    {"ipv4/tcp_comp_sack_delay_ns", "1000000"},
    {"ipv4/tcp_comp_sack_slack_ns", "100000"},
    {"ipv4/tcp_mtu_probing", "0"},
    {"ipv4/tcp_thin_linear_timeouts", "0"},
    {"ipv4/tcp_rto_min_us", "200000"},
    {"ipv4/tcp_retries2", "15"},
    {"ipv4/tcp_syn_retries", "6"},
    {"ipv4/tcp_shrink_window", "0"},
    {"ipv4/ip_no_pmtu_disc", "0"},
    // Packets of the loopback device do not concern the link; those of IPv6 are not carried.
    {"ipv6/conf/all/disable_ipv6", "1"},
    {"ipv6/conf/default/disable_ipv6", "1"},
};

// Numbers are separated by tabs in some files.
std::string read_setting(const std::string& path) {
  std::ifstream file{path};
  std::string words;
  for (std::string word; file >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

void write_setting(const Setting& setting) {
  const std::string path = "/proc/sys/net/" + std::string{setting.name};
  const std::string now = read_setting(path);
  if (now.empty() || now == setting.value) return;  // older kernels do not have all of them
  std::ofstream file{path};
  file << setting.value;
  if (!file.flush())
    throw std::runtime_error{
        path + " is " + now + " and cannot be set to " + std::string{setting.value} +
        " in the run's own network namespace: /proc/sys must be writable (in a container: mounted rw)"};
}

}  // namespace

void write_sysctls() {
  for (const Setting& setting : kSettings) write_setting(setting);
}

void use_ecn() { write_setting({.name = "ipv4/tcp_ecn", .value = "1"}); }

void forward_packets() { write_setting({.name = "ipv4/ip_forward", .value = "1"}); }

}  // namespace paceline
