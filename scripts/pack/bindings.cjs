// What better-sqlite3 loads its compiled part by, in an installed package: it lies in the package of this platform, one for each Node.
const fs = require('node:fs');
const path = require('node:path');

module.exports = () => {
  const platform = `paceline-${process.platform}-${process.arch}`;
  const folder = path.join(path.dirname(require.resolve(`${platform}/package.json`)), 'addon');
  const file = path.join(folder, `better_sqlite3-${process.versions.modules}.node`);
  if (!fs.existsSync(file)) {
    const why = `${platform} was made for other versions of Node.js than ${process.versions.node} (docs/package.md)`;
    throw Object.assign(new Error(why), { code: 'ADDON_MISSING' });
  }
  return /** @type {unknown} */ (require(file));
};
