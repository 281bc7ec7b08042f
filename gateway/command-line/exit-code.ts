/** How the command ends. */
export const ExitCode = {
  Done: 0,
  Failed: 1,
  /** The command line or the configuration is wrong; nothing was done. */
  Usage: 2,
  /** A figure is beyond a threshold that was asked for. */
  ThresholdMissed: 99,
  /** Ctrl-C ended it before its time; what it had until then is reported. */
  Interrupted: 130,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]
