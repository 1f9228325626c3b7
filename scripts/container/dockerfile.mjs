/** @typedef {{ word: string, rest: string, line: number }} Instruction */

const KNOWN = ['FROM', 'WORKDIR', 'RUN', 'COPY', 'USER', 'ENV', 'VOLUME', 'EXPOSE', 'CMD'];

/**
 * What a Dockerfile says, one instruction after the other; comments and continued lines are gone.
 * @param {string} text
 * @returns {readonly Instruction[]}
 */
export function instructionsOf(text) {
  /** @type {Instruction[]} */
  const found = [];
  /** @type {Instruction | undefined} */
  let open;
  for (const [i, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const continued = raw.endsWith('\\');
    const part = (continued ? raw.slice(0, -1) : raw).trim();
    if (open !== undefined) open.rest += ` ${part}`;
    else {
      const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(part) ?? [];
      if (!KNOWN.includes(word)) throw new Error(`Dockerfile:${i + 1}: ${part} is nothing that is known here`);
      open = { word, rest, line: i + 1 };
    }
    if (continued) continue;
    found.push(open);
    open = undefined;
  }
  if (open !== undefined) throw new Error(`Dockerfile:${open.line}: it ends in the middle of an instruction`);
  return found;
}

/** A COPY's words. @param {string} rest */
export function copied(rest) {
  const words = rest.split(/\s+/);
  const owner = words.find((word) => word.startsWith('--chown='))?.slice('--chown='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = paths.pop() ?? '';
  return { owner, from: paths, to };
}
