/** A backup that cannot be made or brought back, in a sentence. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
  /** Whoever asked is told the sentence alone. */
  readonly code = 'BACKUP_FAULT';
}
