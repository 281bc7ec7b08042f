/** Package whose native binaries a venue may load, as in the lock file. */
export interface PinnedPackage {
  /** Name of its folder in `node_modules`. */
  readonly name: string
  readonly version: string
  /** Hash of its archive, as in the lock file. */
  readonly integrity: string
  /** SHA-256 of each binary, by file. */
  readonly binaries: Readonly<Record<string, string>>
}
