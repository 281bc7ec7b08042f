/**
 * File system of the journal: one flat directory, with one subfolder for the archive. The simulator implements it with
 * crashes that tear and lose writes. All calls are synchronous and throw on failure.
 */
export interface JournalFiles {
  /** Returns the sorted names of the files in `folder`, without folders; '' is the directory itself. */
  list(folder: string): string[]
  /** Creates an empty file. @throws if it exists. */
  create(name: string): JournalFile
  /** Opens an existing file to continue it. */
  open(name: string): JournalFile
  bytesOf(name: string): number
  /**
   * Reads a file from byte `from` (default 0), at most `bytesMax` bytes. The result starts at byte 0 of a fresh
   * ArrayBuffer, and is therefore aligned for any view. A caller that reads repeatedly may pass `into`, which is used
   * if it is large enough; if the file is truncated during the read, the result has the bytes that are left.
   */
  read(name: string, bytesMax?: number, into?: ArrayBuffer, from?: number): Uint8Array
  rename(source: string, target: string): void
  remove(name: string): void
  /** Makes creations, renames and removals in `folder` durable; creates a missing folder. */
  syncDirectory(folder: string): void
}

export interface JournalFile {
  /** Writes all pieces contiguously from `offset`, or throws. The pieces may be in shared memory. */
  write(pieces: readonly Uint8Array[], offset: number): void
  /** Returns when everything written is on stable storage. */
  flush(): void
  /** Truncates to `bytes`, or extends with zeros. */
  truncate(bytes: number): void
  close(): void
}
