const exponentForm = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/** Returns the shortest decimal text of a double, without an exponent: `0` for -0, `null` for no finite number. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  const text = String(value)
  const match = exponentForm.exec(text)
  if (match === null) return text
  const [, sign, whole, fraction = '', exponentText] = match
  const exponent = Number(exponentText)
  const digits = `${whole}${fraction}`
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return `${sign}${digits.padEnd(exponent + 1, '0')}`
}
