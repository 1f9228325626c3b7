// paceline-emulator: see --help.

#include "live/program.hh"

int main(int argc, char** argv) {
  return paceline::realtime_program(paceline::Role::emulator,
                                    "The bottleneck of a run in real time: queue, capacity, loss and delay in both "
                                    "directions, for UDP datagrams on 127.0.0.1.",
                                    argc, argv);
}
