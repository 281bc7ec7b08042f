/** Text, in one file or in all, to which the rules do not apply. */
export interface ProseException {
  /** Global. A finding within a match is allowed. */
  readonly pattern: RegExp
  /** Path, or the beginning of one; absent: every file. */
  readonly path?: string
  readonly reason: string
}

export const proseExceptions: readonly ProseException[] = [
  { pattern: /\bstands? for\b/gi, reason: 'to represent' },
  {
    pattern: /\bbehind (?:\w+ )*?(?:proxy|proxies|load balancer)\b/gi,
    reason: 'a position in the network',
  },
  {
    pattern:
      /\b(?:(?:fall|lag)(?:s|ing)?|fell|fallen|is|are|far|log|leaves|left) (?:far |too far )?behind\b/gi,
    reason: 'a reader that has not caught up',
  },
  { pattern: /\boption floors?\b/gi, reason: 'a term of the margin rules' },
  {
    pattern: /\bfloor (?:and remainder|of its quotient|division)\b/gi,
    reason: 'the rounding of mathematics',
  },
  { pattern: /\bborder(?:-\w+)*:/gi, reason: 'a property of CSS' },
  { pattern: /\bhouse rules?\b/gi, reason: 'the name of these checks' },
  {
    pattern: /\b(?:least|about|twice|times|just|half|is|are) as long as\b/gi,
    reason: 'a comparison of lengths',
  },
  { pattern: /\/actions\/outcome/g, reason: 'a public route' },
  { pattern: /\bwithdrawals\.outcomes\b/g, reason: 'a public setting' },
]
