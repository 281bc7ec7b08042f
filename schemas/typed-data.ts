/** Domain of a signature; `verifyingContract` is always the zero address and there is no salt. */
export interface SigningDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
}

export interface TypedField {
  readonly name: string
  readonly type: string
}

/** An EIP-712 struct: its signed name, its fields in order, and the structs that they refer to. */
export interface StructType {
  readonly primaryType: string
  readonly fields: readonly TypedField[]
  readonly nested: Readonly<Record<string, readonly TypedField[]>>
  /** Text whose keccak-256 is the type hash. */
  readonly encodeType: string
}

export const domainVersion = '1'
export const perpDomain: SigningDomain = { name: 'Exchange', version: domainVersion, chainId: 1337 }

export const domainType: StructType = struct(
  'EIP712Domain',
  'string name,string version,uint256 chainId,address verifyingContract',
)

/** The four domains of an environment. */
export interface SigningDomains {
  /** Options, RFQ and account actions. */
  readonly options: SigningDomain
  /** Directives signed by a trading key. */
  readonly apiSign: SigningDomain
  /** Directives signed by the account owner. */
  readonly managerSign: SigningDomain
  readonly perp: SigningDomain
}

/** Returns the domains of an environment, from its configuration (`service.name`, chain id). */
export function signingDomains(serviceName: string, chainId: number): SigningDomains {
  return {
    options: { name: serviceName, version: domainVersion, chainId },
    apiSign: { name: `${serviceName}ApiSign`, version: domainVersion, chainId },
    managerSign: { name: `${serviceName}ManagerSign`, version: domainVersion, chainId },
    perp: perpDomain,
  }
}

// Function declarations, because the type of the domain is built while this file loads.

/** Returns a struct from text. @param fieldsText types and names as EIP-712 writes them. */
export function struct(
  primaryType: string,
  fieldsText: string,
  nested: Readonly<Record<string, readonly TypedField[]>> = {},
): StructType {
  return structOf(primaryType, fieldsOf(fieldsText), nested)
}

/** Returns a struct with these fields and, by name, the structs that they refer to. */
export function structOf(
  primaryType: string,
  fields: readonly TypedField[],
  nested: Readonly<Record<string, readonly TypedField[]>> = {},
): StructType {
  // EIP-712 "Definition of encodeType": the struct itself, then those it refers to, by name.
  const encodeType = Object.keys(nested)
    .sort()
    .reduce(
      (text, name) => `${text}${name}(${textOf(nested[name]!)})`,
      `${primaryType}(${textOf(fields)})`,
    )
  return { primaryType, fields, nested, encodeType }
}

export function fieldsOf(text: string): readonly TypedField[] {
  return text.split(',').map((field) => {
    const [type, name] = field.split(' ')
    return { name: name!, type: type! }
  })
}

function textOf(fields: readonly TypedField[]): string {
  return fields.map((field) => `${field.type} ${field.name}`).join(',')
}
