import { signal } from '@preact/signals'
import { type MmpTexts, mmpFault, mmpTermsOf, type Protected } from '../model/mmp-form.js'
import { tell } from './notices.js'
import { gathered } from './periodic.js'
import { session } from './session.js'

/** Empty form, with usual lengths of the window and the freeze. */
export const noTexts: MmpTexts = {
  ...{ currency: '', interval: '5', frozen: '10' },
  ...{ quantity: '', delta: '', vega: '' },
}

/** Protections of the wallet; null until loaded. */
export const protections = signal<readonly Protected[] | null>(null)
/** Texts of the form. */
export const mmpTexts = signal<MmpTexts>(noTexts)

export async function loadProtections(): Promise<void> {
  const client = session.value?.client
  const answer = client === undefined ? null : await client.mmpConfigs()
  if (session.value?.client === client) protections.value = answer
}

/** Reloads the protections after an action. A failed reload is not reported as a failure of the action. */
const refresh = gathered(0, loadProtections)

/** Sets the protection of the form, which replaces that of its underlying. */
export async function setProtection(): Promise<void> {
  const texts = mmpTexts.value
  const fault = mmpFault(texts)
  if (fault !== null) throw new Error(fault)
  await session.value!.client.account.setMmpConfig(mmpTermsOf(texts))
  mmpTexts.value = noTexts
  tell(`Market-maker protection set for ${texts.currency}`, 'good')
  refresh()
}

/** Resets the sums and the freeze. */
export async function resetProtection(currency: string): Promise<void> {
  await session.value!.client.account.resetMmp({ currency })
  tell(`Market-maker protection reset for ${currency}`, 'good')
  refresh()
}

export async function endProtection(currency: string): Promise<void> {
  await session.value!.client.account.deleteMmpConfig({ currency })
  tell(`Market-maker protection removed for ${currency}`)
  refresh()
}
