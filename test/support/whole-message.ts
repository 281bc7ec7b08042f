import { type Shape, streamShapes } from '../../gateway/client/generated/interface.js'

/** Returns the message with all other fields that its type requires. */
export function wholeMessage<Message extends { readonly type: string }>(message: Message): Message {
  const shape = streamShapes[message.type]
  return shape === undefined ? message : { ...(sampleOf(shape) as object), ...message }
}

function sampleOf(shape: Shape): unknown {
  if (typeof shape === 'string') return shape.startsWith('=') ? shape.slice(1) : samples[shape[0]!]
  if (Array.isArray(shape)) {
    const [word, ...inner] = shape as readonly Shape[]
    if (word === 'any') return sampleOf(inner[0]!)
    return word === 'pair' ? inner.map(sampleOf) : []
  }
  const fields = Object.entries(shape).filter(([name]) => !name.endsWith('?'))
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]))
}

const samples: Readonly<Record<string, unknown>> = {
  ...{ s: '', d: '1', n: 0, i: 0, b: false, 0: null, o: {} },
}
