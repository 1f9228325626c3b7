// Files of any size are read in the memory that the trace needs: ten times as much text for a trace of the same length takes no more. The files are
// packed, and small on disk.

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/gzip.hh"
#include "tests/repository.hh"

using paceline::gzip;
namespace fs = std::filesystem;

namespace {

// The most memory, in MB, that `paceline-trace info FILE …` took.
double peak_mb(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  REQUIRE(::wait4(child, &status, 0, &usage) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Packets of 1500 bytes, as a capture holds them; their clock begins anew with each piece.
std::string packets(std::size_t n) {
  std::string record{"\0\0\0\0\0\0\0\0\x2A\0\0\0\xEA\x05\0\0", 16};
  record += std::string(12, '\1') +
            std::string{"\x08\0\x45\0\x05\xDC\0\0\0\0\x40\x11\0\0\x0A\0\0\1\x0A\0\0\2\x13\x88\x13\x89\0\0\0\0", 30};
  std::string out;
  for (std::size_t i = 0; i < n; ++i) {
    record[4] = static_cast<char>(i);
    record[5] = static_cast<char>(i >> 8U);
    out += record;
  }
  return out;
}

}  // namespace

TEST_CASE("memory does not grow with the file") {
  const fs::path folder = fs::temp_directory_path() / ("paceline-memory-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string program = paceline::testing::programs_folder() + "/paceline-trace";
  const auto peak = [&](const std::string& head, const auto& piece, std::size_t pieces,
                        std::vector<std::string> options) {
    const std::string file = (folder / "file").string();
    {
      std::ofstream out{file, std::ios::binary};
      out << gzip(head);
      for (std::size_t i = 0; i < pieces; ++i) out << gzip(piece(i));
    }
    options.insert(options.begin(), {program, "info", file});
    return peak_mb(options);
  };
  constexpr double kMoreMb = 4;
  constexpr std::size_t kFew = 10;  // megabytes, about
  constexpr std::size_t kMany = 100;

  // Every piece is one more millisecond, full of packets.
  const auto lines = [](std::size_t i) { return repeated(std::to_string(1000 + i) + "\n", 200'000); };
  CHECK(peak("1\n", lines, kMany, {}) < peak("1\n", lines, kFew, {}) + kMoreMb);

  const std::string table = repeated("0.5,48.25,walking\n", 58'000);
  const auto rows = [&table](std::size_t) { return table; };
  const std::string header = "time,mbps,mode\n0,12,x\n";
  CHECK(peak(header, rows, kMany, {}) < peak(header, rows, kFew, {}) + kMoreMb);

  const std::string captured = packets(17'000);
  const auto frames = [&captured](std::size_t) { return captured; };
  const std::string capture{"\xD4\xC3\xB2\xA1\x02\0\x04\0\0\0\0\0\0\0\0\0\x60\0\0\0\x01\0\0\0", 24};
  CHECK(peak(capture, frames, 30, {}) < peak(capture, frames, 3, {}) + kMoreMb);
  fs::remove_all(folder);
}
