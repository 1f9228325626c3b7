# Yardsticks for `npm run bench`, built only when it asks for them.

add_executable(paceline-bench-loop EXCLUDE_FROM_ALL bench/stripped_loop.cc)
