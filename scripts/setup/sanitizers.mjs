import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { succeeds } from '../lib/run.mjs';

const TRY = `#include <algorithm>
#include <ranges>
#include <vector>
int main() {
  std::vector<int> some{3, 1, 2};
  std::ranges::sort(some);
  return some.front() - 1;
}
`;

/**
 * What CMake is told for an instrumented build. It is clang's where clang can: it compiles that in half the time that g++ takes (GCC 12, clang 14), and a second
 * compiler reads all of it.
 * @param {'address' | 'thread'} kind
 * @returns {Promise<readonly string[]>}
 */
export async function sanitizerOptions(kind) {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-clang-'));
  try {
    const file = `${folder}/try.cc`;
    writeFileSync(file, TRY);
    const instrumented = `-fsanitize=${kind === 'address' ? 'address,undefined' : kind}`;
    const clang = await succeeds('clang++', ['-std=c++20', instrumented, file, '-o', `${folder}/try`]);
    return [`-DPACELINE_SANITIZE=${kind}`, ...(clang ? ['-DCMAKE_CXX_COMPILER=clang++'] : [])];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
