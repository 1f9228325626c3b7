#include "live/endpoints.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "manifest/fields.hh"
#include "manifest/manifest.hh"
#include "program/refusal.hh"

namespace paceline {

namespace {

using nlohmann::json;

constexpr std::size_t kMostWords = 1024;

int descriptor_of(Fields& fields, std::string_view key) {
  constexpr int64_t kHighest = 1 << 20;
  const int fd = static_cast<int>(fields.integer(key, STDERR_FILENO + 1, kHighest));
  if (::fcntl(fd, F_GETFD) < 0) throw Refusal{fields.path(key), "this process was given no such descriptor"};
  return fd;
}

// Those of the run are its own.
bool is_variable(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) && !name.starts_with("PACELINE_") &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// Beside the file of endpoints; what lies elsewhere is none of the run's.
std::string beside(Fields& fields, std::string_view key, const std::string& folder) {
  const std::filesystem::path name = fields.text(key);
  if (name.empty() || name.is_absolute() || std::ranges::find(name, "..") != name.end())
    throw Refusal{fields.path(key), "must be a name below the folder of this file"};
  return std::filesystem::path{folder} / name;
}

ForeignEnd end_of(Fields fields, const std::string& folder) {
  ForeignEnd end{.folder = folder};
  const json& argv = fields.array("argv", 1, kMostWords);
  for (const json& word : argv) {
    if (!word.is_string() || (end.argv.empty() && word.get<std::string>().empty()))
      throw Refusal{fields.path("argv"), "must be the words of a command"};
    end.argv.push_back(word.get<std::string>());
  }
  if (fields.has("env")) {
    const json& env = fields.any("env");
    if (!env.is_object()) throw Refusal{fields.path("env"), "must be variables by their names"};
    for (const auto& [name, value] : env.items()) {
      if (!is_variable(name) || !value.is_string() || value.get<std::string>().find('\0') != std::string::npos)
        throw Refusal{fields.path("env") + "." + name, "must be a variable's name and its text"};
      end.variables.emplace_back(name, value.get<std::string>());
    }
  }
  if (fields.has("pipes") && !fields.is_null("pipes")) {
    Fields pipes = fields.object("pipes");
    end.pipes = Pipes{.in = descriptor_of(pipes, "stdin"), .out = descriptor_of(pipes, "stdout")};
    pipes.done();
  }
  if (fields.has("folder")) end.folder = beside(fields, "folder", folder);
  if (fields.has("output")) end.output = beside(fields, "output", folder);
  fields.done();
  return end;
}

}  // namespace

bool EndpointsFile::any_telling() const { return std::ranges::count(kinds, Endpoints::foreign_telling) > 0; }

EndpointsFile read_endpoints(const std::string& file) {
  const json document = read_json(file);
  const std::string folder = std::filesystem::absolute(file).parent_path();
  Fields fields{document, ""};
  EndpointsFile endpoints{};
  const json& flows = fields.array("flows", limits::flows);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (flows[i].is_null()) {
      endpoints.flows.emplace_back();
      endpoints.kinds.push_back(Endpoints::built_in);
      continue;
    }
    Fields flow{flows[i], "endpoints.flows[" + std::to_string(i) + "]"};
    ForeignFlow foreign{.sender = end_of(flow.object("sender"), folder),
                        .receiver = end_of(flow.object("receiver"), folder)};
    if (flow.has("calls")) foreign.receiver_calls = flow.choice("calls", {"sender", "receiver"}) == "receiver";
    const bool telling = flow.choice("telemetry", {"link", "own"}) == "own";
    flow.done();
    if (telling && !foreign.sender.pipes)
      throw Refusal{flow.path("sender.pipes"), "a sender that writes its own telemetry needs them"};
    endpoints.flows.emplace_back(std::move(foreign));
    endpoints.kinds.push_back(telling ? Endpoints::foreign_telling : Endpoints::foreign);
  }
  fields.done();
  return endpoints;
}

}  // namespace paceline
