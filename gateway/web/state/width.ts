import { signal } from '@preact/signals'

/** How much there is room for. */
export type Width = 'narrow' | 'middle' | 'wide'

const narrow = matchMedia('(max-width: 820px)')
const middle = matchMedia('(max-width: 1250px)')

export const width = signal<Width>(widthNow())

for (const border of [narrow, middle]) {
  border.addEventListener('change', () => {
    width.value = widthNow()
  })
}

function widthNow(): Width {
  if (narrow.matches) return 'narrow'
  return middle.matches ? 'middle' : 'wide'
}
