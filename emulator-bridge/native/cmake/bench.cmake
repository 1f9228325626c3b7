# Yardsticks for `npm run bench`, built only when it asks for them.

add_executable(paceline-bench-loop EXCLUDE_FROM_ALL bench/stripped_loop.cc)

# Our recovery from losses beside a kernel's (`npm run fidelity:recovery`).
add_executable(paceline-bench-recovery EXCLUDE_FROM_ALL bench/recovery.cc $<TARGET_OBJECTS:paceline_plugins>)
target_link_libraries(paceline-bench-recovery PRIVATE paceline_engine)
