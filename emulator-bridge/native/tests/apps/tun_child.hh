#pragma once
// paceline-tun as its own process, as the bridge runs it.

#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/repository.hh"

namespace paceline::testing {

class TunChild {
 public:
  // `passed_on`: descriptors of this process, and what they are to the program.
  TunChild(const nlohmann::json& manifest, const std::filesystem::path& traces = "/nonexistent",
           const std::vector<std::string>& more = {}, const std::vector<std::pair<int, int>>& passed_on = {})
      : folder_{folder_of_its_own()} {
    std::filesystem::create_directories(folder_);
    std::ofstream{folder_ / "manifest.json"} << manifest.dump();
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE(::pipe2(in.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
    std::vector<std::string> words{programs_folder() + "/paceline-tun",
                                   "--manifest",
                                   folder_ / "manifest.json",
                                   "--traces",
                                   traces,
                                   "--format",
                                   "ndjson"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    for (const auto& [ours, its] : passed_on) ::posix_spawn_file_actions_adddup2(&actions, ours, its);
    const std::string err = folder_ / "err";
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) == 0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    output_ = ::fdopen(out[0], "r");
  }
  ~TunChild() {
    close_input();
    std::fclose(output_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    std::filesystem::remove_all(folder_);
  }
  TunChild(const TunChild&) = delete;
  TunChild& operator=(const TunChild&) = delete;

  void say(const std::string& line) const {
    const std::string text = line + "\n";
    REQUIRE(::write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
  }
  void kill() const { ::kill(pid_, SIGKILL); }

  // The next thing it says; null at the end.
  nlohmann::json read() {
    std::string line;
    for (int c = 0; (c = std::fgetc(output_)) != EOF && c != '\n';) line += static_cast<char>(c);
    return line.empty() ? nlohmann::json{} : nlohmann::json::parse(line);
  }
  // Until it has said something of this type; everything before is kept.
  bool read_until(const std::string& type) {
    for (nlohmann::json said = read(); !said.is_null(); said = read()) {
      all.push_back(said);
      if (said["type"] == type) return true;
    }
    return false;
  }
  // Reads to its end. Its exit code.
  int finish() {
    while (read_until("end")) {
    }
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  // Of this one alone; it is in its command line.
  [[nodiscard]] std::string folder() const { return folder_; }
  [[nodiscard]] std::string errors() const {
    std::ifstream file{folder_ / "err"};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  [[nodiscard]] std::vector<nlohmann::json> of_type(const std::string& type) const {
    std::vector<nlohmann::json> found;
    for (const auto& said : all)
      if (said["type"] == type) found.push_back(said);
    return found;
  }
  [[nodiscard]] std::vector<nlohmann::json> rows(int stream) const {
    std::vector<nlohmann::json> found;
    for (const auto& said : all)
      if (said["type"] == "sample" && said["stream"] == stream) found.push_back(said);
    return found;
  }

  std::vector<nlohmann::json> all{};

 private:
  // Several may run at once.
  static std::filesystem::path folder_of_its_own() {
    static int made = 0;
    return std::filesystem::temp_directory_path() /
           ("paceline-tun-" + std::to_string(::getpid()) + "-" + std::to_string(++made));
  }
  std::filesystem::path folder_;
  pid_t pid_{};
  int input_{};
  std::FILE* output_{};
};

}  // namespace paceline::testing
