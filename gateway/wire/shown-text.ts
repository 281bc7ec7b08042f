/** Maximum characters of a client's text that an answer repeats. */
export const shownCharsMax = 64
/** Maximum characters of an error message, longer than any that the venue itself writes. */
const messageCharsMax = 512

/** Returns a client's text for a message: at most 64 characters, without control characters. */
export function printable(text: string): string {
  return text.slice(0, shownCharsMax).replace(/[^\x20-\x7e]/g, '?')
}

/** Returns a client's text in quotation marks, for an error. */
export function quoted(text: string): string {
  return `'${printable(text)}'`
}

/** Truncates a message that would repeat more of a client's text than `printable` allows. */
export function boundedMessage(message: string): string {
  return message.length <= messageCharsMax ? message : message.slice(0, messageCharsMax)
}
