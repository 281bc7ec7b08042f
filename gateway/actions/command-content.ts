/**
 * What a command holds beside its header: the values of its fields by name, of an address its bytes; or who writes it. All
 * is zero before.
 */
export type Content<Record> = Values<Record> | ((record: Record) => void)

type Values<Record> = {
  readonly [Name in keyof Record as Name extends `${infer Field}At`
    ? Field
    : Name]?: Name extends `${string}At` ? Uint8Array : Record[Name]
}

/** Writes what a command holds. */
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
