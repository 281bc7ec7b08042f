/**
 * Content of a command after its header: field values by name, with addresses as bytes, or a function that writes it.
 * All other bytes are zero.
 */
export type Content<Record> = Values<Record> | ((record: Record) => void)

type Values<Record> = {
  readonly [Name in keyof Record as Name extends `${infer Field}At`
    ? Field
    : Name]?: Name extends `${string}At` ? Uint8Array : Record[Name]
}

/** Writes the content of a command. */
export function writeContent<Record extends object>(
  record: Record,
  content: Content<Record>,
): void {
  if (typeof content === 'function') {
    content(record)
    return
  }
  for (const [name, value] of Object.entries(content)) {
    if (value instanceof Uint8Array)
      bytesOf(record).set(value, Number(Reflect.get(record, `${name}At`)))
    else Reflect.set(record, name, value)
  }
}

function bytesOf(record: object): Uint8Array {
  return Reflect.get(record, 'u8')
}
