/** Exit codes of the command. */
export const ExitCode = {
  Done: 0,
  Failed: 1,
  /** The command line or the configuration is invalid; nothing was done. */
  Usage: 2,
  /** A measured value exceeds a requested threshold. */
  ThresholdMissed: 99,
  /** Ctrl-C interrupted it; the results so far are reported. */
  Interrupted: 130,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]
