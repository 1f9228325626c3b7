#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <zstd.h>

#include "formats/trace_file.hh"
#include "io/gzip.hh"
#include "io/sha256.hh"
#include "recipe/library.hh"
#include "recipe/recipe.hh"
#include "tests/repository.hh"

using namespace paceline;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : path_{fs::temp_directory_path() / ("paceline-trace-test-" + std::to_string(::getpid()))} {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream{path_ / name, std::ios::binary} << content;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

std::string read(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string code_of(const std::string& path) {
  try {
    (void)read_trace_file(path);
  } catch (const TraceError& error) {
    return error.code();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("SHA-256 of the standard's example") {
  Sha256 hash;
  hash.update("a");
  hash.update("bc");
  CHECK(hash.finish() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("gzip is recognised by content; cut, damaged and foreign files are refused") {
  const Folder folder;
  std::string text;
  for (int i = 1; i < 200'000; ++i) text += std::to_string(i / 3) + "\n";
  const std::string packed = gzip(text);
  const auto plain = read_trace_file(folder.write("plain", text));
  const auto unpacked = read_trace_file(folder.write("no-suffix", packed));
  CHECK(plain.packing.empty());
  CHECK(unpacked.packing == "gzip");
  CHECK(plain.counts() == unpacked.counts());
  const std::string half = text.substr(0, text.size() / 2);
  CHECK(read_trace_file(folder.write("members", gzip(half) + gzip(text.substr(half.size())))).counts() ==
        plain.counts());

  CHECK(code_of(folder.write("cut", packed.substr(0, packed.size() - 9))) == "gzip_truncated");
  std::string damaged = packed;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  damaged[damaged.size() - 5] = static_cast<char>(damaged[damaged.size() - 5] ^ 0x55);
  CHECK(code_of(folder.write("damaged", damaged)) != "accepted");
  CHECK(code_of(folder.write("trailing", packed + "rubbish")) == "gzip_damaged");
  CHECK(code_of(folder.write("zip", "PK\x03\x04 something")) == "not_a_trace");
  CHECK(code_of(folder.write("rubbish", std::string{"\x7f\x45\x4c\x46\x00\x01\n\x02", 8})) == "binary");
  CHECK(code_of((folder.path() / "absent").string()) == "unreadable");
}

TEST_CASE("packed captures that are damaged are refused, wherever they break") {
  const Folder folder;
  const std::string head{"\xD4\xC3\xB2\xA1\x02\0\x04\0\0\0\0\0\0\0\0\0\x60\0\0\0\x01\0\0\0", 24};
  const std::string packed = gzip(head + std::string(300'000, '\0'));
  for (std::size_t cut = 30; cut < packed.size(); cut += 40) {
    CAPTURE(cut);
    CHECK(code_of(folder.write("cut", packed.substr(0, cut))) == "gzip_truncated");
  }
}

TEST_CASE("zstd files are read to their end, also where the last block is larger than what is asked for at once") {
  const Folder folder;
  std::string text;
  for (int i = 1; text.size() < 300'000; ++i) text += std::to_string(i) + "\n";
  for (std::size_t size : {65'530U, 65'541U, 131'072U, 131'080U, 196'611U, 262'144U, 262'150U, 300'000U}) {
    CAPTURE(size);
    const std::string content = text.substr(0, text.rfind('\n', size - 1) + 1);
    std::string packed(ZSTD_compressBound(content.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3));
    CHECK(read_trace_file(folder.write("zstd", packed)).counts() ==
          read_trace_file(folder.write("p", content)).counts());
    CHECK(code_of(folder.write("cut", packed.substr(0, packed.size() - 1))) == "zstd_truncated");
  }
}

TEST_CASE("A trace is stored under the hash of its canonical text, and found again") {
  const Folder folder;
  const auto counts = read_trace_file(folder.write("t.down", "3\n3\n9\n")).counts();
  const std::string sha256 = store_trace(counts, folder.path() / "store");
  Sha256 hash;
  hash.update("3 2\n9 1\n");
  CHECK(sha256 == hash.finish());
  CHECK(read(folder.path() / "store" / (sha256 + ".trace")) == "3 2\n9 1\n");
  CHECK(store_trace(counts, folder.path() / "store") == sha256);
  CHECK(read_stored_trace(folder.path() / "store", sha256) == counts);
  CHECK(std::distance(fs::directory_iterator{folder.path() / "store"}, {}) == 1);
  CHECK_THROWS_AS((void)read_stored_trace(folder.path() / "store", std::string(64, '0')), TraceError);
}

TEST_CASE("A library is made from recipes, and a trace that is not what the catalog says is named") {
  const Folder folder;
  fs::create_directories(folder.path() / "recipes");
  const auto recipe = [&folder](const std::string& id, int mbps) {
    folder.write("recipes/" + id + ".json",
                 R"({"schema":1,"name":"N )" + id +
                     R"(","description":"D","about":{"technology":"5G"},"piecewise":{"repeat":1,"pieces":[)" +
                     R"({"from_mbps":)" + std::to_string(mbps) + R"(,"to_mbps":24,"ms":1000}]}})");
  };
  recipe("a", 12);
  recipe("b", 48);
  const auto traces = make_library(folder.path());
  REQUIRE(traces.size() == 2);
  CHECK(traces[1].id == "b");
  CHECK(traces[1].name == "N b");
  folder.write("catalog.json", library_catalog(traces));
  CHECK(library_differences(traces, folder.path()).empty());

  write_library(traces, folder.path());
  const fs::path made = folder.path() / "made";
  CHECK(read_trace_file((made / "b.trace.gz").string(), "trace", {{"columns", "ms count"}}).counts() ==
        traces[1].counts());
  CHECK(std::distance(fs::directory_iterator{made}, {}) == 3);
  CHECK(nlohmann::json::parse(read(made / "library.json")).at(1).at("about").at("technology") == "5G");

  recipe("b", 47);
  CHECK(library_differences(make_library(folder.path()), folder.path()) == std::vector<std::string>{"recipes/b.json"});
  fs::remove(folder.path() / "recipes" / "b.json");
  const auto fewer = make_library(folder.path());
  CHECK(library_differences(fewer, folder.path()) == std::vector<std::string>{"recipes/b.json"});
  write_library(fewer, folder.path());
  CHECK_FALSE(fs::exists(made / "b.trace.gz"));
  CHECK(library_catalog(fewer).find("recipes/a.json") != std::string::npos);
  folder.write("recipes/c.json", "{}");
  CHECK_THROWS_WITH_AS((void)make_library(folder.path()), doctest::Contains("c.json: recipe"), std::invalid_argument);
}

TEST_CASE("A recording stands in the library behind what recipes make, with its owner, and is what its file says") {
  const Folder folder;
  fs::create_directories(folder.path() / "recordings");
  const auto recording = [&folder](const std::string& file) {
    folder.write("recordings/r.json", R"({"schema":1,"name":"R","description":"D","about":{"place":"Lake"},"file":")" +
                                          file + R"(","read_as":{"format":"table","options":{"rows":"end"}},)" +
                                          R"("licence":{"name":"MIT"},"source":{"citation":"C"}})");
  };
  recording("r.txt");
  folder.write("recordings/r.txt", "1.0\t12.0\n2.0\t24.0\n");
  fs::create_directories(folder.path() / "recipes");
  folder.write("recipes/z.json", R"({"schema":1,"name":"Z","description":"D","piecewise":{"repeat":1,"pieces":[)"
                                 R"({"from_mbps":12,"to_mbps":12,"ms":1000}]}})");
  const auto traces = make_library(folder.path());
  REQUIRE(traces.size() == 2);
  CHECK(traces[1].counts().size() == 2001);
  CHECK(traces[1].counts()[1000] == 1);
  CHECK(traces[1].counts()[1001] == 2);
  folder.write("catalog.json", library_catalog(traces));
  CHECK(library_differences(traces, folder.path()).empty());
  write_library(traces, folder.path());
  const auto known = nlohmann::json::parse(read(folder.path() / "made" / "library.json")).at(1);
  CHECK(known.at("recording") == "recordings/r.json");
  CHECK_FALSE(known.contains("recipe"));
  CHECK(known.at("licence").at("name") == "MIT");
  CHECK(known.at("source").at("citation") == "C");
  CHECK(known.at("info").at("format") == "table");
  CHECK(
      read_trace_file((folder.path() / "made" / "r.trace.gz").string(), "trace", {{"columns", "ms count"}}).counts() ==
      traces[1].counts());

  folder.write("recordings/r.txt", "1.0\t12.0\n2.0\t23.0\n");
  CHECK(library_differences(make_library(folder.path()), folder.path()) ==
        std::vector<std::string>{"recordings/r.json"});
  recording("gone.txt");
  CHECK_THROWS_WITH_AS((void)make_library(folder.path()), doctest::Contains("r.json: "), std::invalid_argument);
}

TEST_CASE("A wrong recipe is refused with the place and the reason") {
  const auto refused = [](const char* recipe, const char* part) {
    CAPTURE(recipe);
    CHECK_THROWS_WITH_AS((void)trace_from_recipe(recipe), doctest::Contains(part), std::invalid_argument);
  };
  refused("[", "not JSON");
  refused(R"({"schema":2})", "schema");
  refused(R"({"schema":1,"name":"N","description":"D"})", "exactly one model");
  refused(R"({"schema":1,"name":"N","description":"D","colour":"red","piecewise":{}})", "colour");
  refused(R"({"schema":1,"name":"N","description":"D","piecewise":{"repeat":1,"pieces":[]}})", "pieces");
  refused(
      R"({"schema":1,"name":"N","description":"D","piecewise":{"repeat":1,"pieces":[{"from_mbps":1,"to_mbps":-1,"ms":5}]}})",
      "pieces[0]");
  refused(
      R"({"schema":1,"name":"N","description":"D","piecewise":{"repeat":100000,"pieces":[{"from_mbps":1,"to_mbps":1,"ms":5000}]}})",
      "longer than a day");
  refused(R"({"schema":1,"name":"N","description":"D","cellular_walk":{"seed":1}})", "duration_ms");
}
