// The page's sources with their types, as the compiler sees them.
import ts from 'typescript';

/** Rooms whose texts come to the page; not the pages for those who work on charts, nor what only tests use. */
const ROOMS = ['web/src/', 'server/analysis/'];
const NOT_SHOWN = /^web\/src\/gallery\/|\/testing\.ts$/;

export interface PageProgram {
  readonly checker: ts.TypeChecker;
  /** Sources that may hold texts, in order of their names. */
  readonly sources: readonly ts.SourceFile[];
  /** `web/src/main.tsx`. */
  readonly nameOf: (source: ts.SourceFile) => string;
}

export function pageProgram(root: string): PageProgram {
  const config = ts.readConfigFile(`${root}/web/tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, `${root}/web`);
  const plain = { ...options, composite: false, incremental: false, emitDeclarationOnly: false, noEmit: true };
  // Without this an incremental build's file would be asked for.
  delete plain.tsBuildInfoFile;
  const program = ts.createProgram(fileNames, plain, ts.createCompilerHost(plain, true));
  const nameOf = (source: ts.SourceFile): string => source.fileName.slice(root.length + 1);
  const isShown = (name: string): boolean => ROOMS.some((room) => name.startsWith(room)) && !NOT_SHOWN.test(name);
  const sources = program.getSourceFiles().filter((source) => isShown(nameOf(source)));
  sources.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
  return { checker: program.getTypeChecker(), sources, nameOf };
}
