// paceline-sender: see --help.

#include "live/program.hh"

int main(int argc, char** argv) {
  return paceline::realtime_program(
      paceline::Role::sender, "The sending end of one flow of a run in real time, over UDP on 127.0.0.1.", argc, argv);
}
