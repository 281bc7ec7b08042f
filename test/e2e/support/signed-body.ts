import {
  generatePrivateKey,
  type PrivateKeyAccount,
  privateKeyToAccount,
  type TypedDataDefinition,
} from 'viem/accounts'
import type { JudgeVenue, Wire } from './judge-venue.js'
