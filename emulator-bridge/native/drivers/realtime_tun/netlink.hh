#pragma once
// The few orders to the kernel's network configuration that have no ioctl, or none that user namespaces may use.

#include <cstdint>
#include <string>

namespace paceline {

// So many packets may wait in the device's ring until the emulator reads them. Throws std::system_error, like all here.
void set_queue_length(const std::string& device, uint32_t packets);

// One more address of this end (in the host's byte order, like all here), from which whatever goes to `peer` is sent.
void add_address(const std::string& device, uint32_t address, uint32_t peer);

// Without a queue discipline of the system's: its default could hold, pace or drop packets before they reach the modelled link.
void remove_queue_discipline(const std::string& device);

}  // namespace paceline
