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

/** @typedef {{ image: string, name: string | undefined, line: number, steps: Instruction[] }} Stage */

/**
 * Each FROM with what follows it.
 * @param {readonly Instruction[]} instructions
 * @returns {readonly Stage[]}
 */
export function stagesOf(instructions) {
  /** @type {Stage[]} */
  const stages = [];
  for (const one of instructions) {
    const [image = '', as, name] = one.rest.split(/\s+/);
    if (one.word === 'FROM') stages.push({ image, name: as === 'AS' ? name : undefined, line: one.line, steps: [] });
    else if (stages.length === 0) throw new Error(`Dockerfile:${one.line}: ${one.word} comes before any FROM`);
    else stages.at(-1)?.steps.push(one);
  }
  return stages;
}

/** A COPY's words. @param {string} rest */
export function copied(rest) {
  const words = rest.split(/\s+/);
  /** @param {string} name */
  const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const [owner, stage] = [option('chown'), option('from')];
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = paths.pop() ?? '';
  return { owner, stage, from: paths, to };
}
