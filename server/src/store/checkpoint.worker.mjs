// Moves what was written from a database's log into its file, beside the thread that works with it. Plain JavaScript: a worker has no
// loader of TypeScript.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const db = new Database(workerData, { fileMustExist: true });
db.pragma('synchronous = NORMAL');
parentPort.on('message', (order) => {
  if (order === 'end') {
    db.close();
    parentPort.close();
    return;
  }
  try {
    // Passive: nobody waits for it.
    const [{ log, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)');
    parentPort.postMessage(log - checkpointed);
  } catch {
    // A disk that fails is told by what cannot be written.
    parentPort.postMessage(0);
  }
});
