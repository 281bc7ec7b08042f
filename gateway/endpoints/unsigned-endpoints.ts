import type { presetNames } from '../../schemas/domain.js'
import { Envelope } from '../../schemas/interface/answer.js'
import type { JsonShape } from '../wire/json-shape.js'

/** A write that nobody signs, under its method and path. */
export interface UnsignedEndpoint {
  readonly envelope: Envelope
  /** Fields of its body. */
  readonly body: JsonShape
  /** Presets that serve it; on the others its path is unknown. */
  readonly presets: readonly (typeof presetNames)[number][]
}

export const unsignedEndpoints = {
  'POST /faucet': { envelope: Envelope.Bare, body: { wallet: 'text' }, presets: ['development'] },
} as const satisfies Readonly<Record<string, UnsignedEndpoint>>
export type UnsignedEndpointKey = keyof typeof unsignedEndpoints
