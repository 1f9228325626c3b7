// What a release changes in the files of a checkout, as text in and text out.

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
/** @param {string} version */
const numbers = (version) => VERSION.exec(version)?.slice(1).map(Number);

/**
 * @param {string} old such as 1.2.3
 * @param {string} wanted `major`, `minor`, `patch`, or the version itself, which must be a later one
 * @returns {string}
 */
export function nextVersion(old, wanted) {
  const [major = 0, minor = 0, patch = 0] = numbers(old) ?? [];
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  const asked = numbers(wanted);
  if (asked === undefined)
    throw new Error(`${wanted} is no version: major, minor, patch or three numbers such as 1.2.3`);
  const [first = 0] = [major, minor, patch].map((number, i) => (asked[i] ?? 0) - number).filter((less) => less !== 0);
  // The one that package.json has may never have been released.
  if (first < 0) throw new Error(`${wanted} is earlier than ${old}`);
  return wanted;
}

/**
 * What has gathered in a changelog becomes a version's; above it there is room for what comes next.
 * @param {string} text
 * @param {string} version
 * @param {string} day such as 2026-01-31
 */
export function released(text, version, day) {
  const [before, rest, ...more] = text.split('## [Unreleased]\n');
  if (rest === undefined || more.length > 0) throw new Error('CHANGELOG.md has not one section [Unreleased]');
  if (text.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has ${version} already`);
  const [news = ''] = rest.split(/^## /m);
  if (!/^- /m.test(news)) throw new Error('CHANGELOG.md says of nothing that is new');
  return `${before}## [Unreleased]\n\n## [${version}] – ${day}\n${rest}`;
}

/** @param {string} text @param {RegExp} place whose second group is the version @param {string} version @param {string} file */
function put(text, place, version, file) {
  if (!place.test(text)) throw new Error(`${file} has no version where one is expected`);
  return text.replace(place, (_, before) => `${before}${version}`);
}

/** The files that name the version, and how each has it stamped. @type {Readonly<Record<string, (text: string, version: string) => string>>} */
export const STAMPED = {
  'package.json': (text, version) =>
    put(text, /^(\{\n {2}"name": "paceline",\n {2}"version": ")[^"]+/, version, 'package.json'),
  'package-lock.json': (text, version) => {
    const first = put(text, /^(\{\n {2}"name": "paceline",\n {2}"version": ")[^"]+/, version, 'package-lock.json');
    return put(first, /("": \{\n {6}"name": "paceline",\n {6}"version": ")[^"]+/, version, 'package-lock.json');
  },
  'emulator-bridge/quic/Cargo.toml': (text, version) =>
    put(text, /^(\[package\]\n(?:[a-z].*\n)*?version = ")[^"]+/, version, 'Cargo.toml'),
  'emulator-bridge/quic/Cargo.lock': (text, version) =>
    put(text, /^(name = "paceline-quic"\nversion = ")[^"]+/m, version, 'Cargo.lock'),
};
