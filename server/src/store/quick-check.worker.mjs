// Reads every page of a database, beside the thread that works with it. Plain JavaScript: a worker has no loader of TypeScript.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

try {
  const db = new Database(workerData, { readonly: true, fileMustExist: true });
  const found = db.pragma('quick_check(1)', { simple: true });
  db.close();
  // Of several lines, the first of which names the database that everybody knows.
  const words = String(found).replace('*** in database main ***', '').replaceAll(/\s+/g, ' ').trim();
  parentPort.postMessage(found === 'ok' ? null : words);
} catch (error) {
  parentPort.postMessage(error instanceof Error ? error.message : String(error));
}
