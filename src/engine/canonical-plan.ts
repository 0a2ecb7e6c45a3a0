import type { Selection } from '../query/plan/plan.ts'

/**
 * Serializes a plan to a canonical text: equal for equal plans regardless of member order, distinct for different
 * plans. The text is JSON, extended with the numbers JSON lacks. Bigints end in `n`, so 1, 1n and '1' stay distinct.
 */
export function canonicalText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'boolean':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? `[${value.map(canonicalText).join(',')}]` : canonicalObject(value)
    default:
      throw new Error(`A plan must be plain data, but contains a value of type ${typeof value}`)
  }
}

const predicateTexts = new WeakMap<object, string>()

/** The same for a plan with a predicate, whose text is kept: repeated requests have the same one. */
export function canonicalPlan({ predicate, ...others }: Selection): string {
  let text = predicateTexts.get(predicate)
  if (text === undefined) {
    text = canonicalText(predicate)
    predicateTexts.set(predicate, text)
  }
  return `${text} ${canonicalText(others)}`
}

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    // Such an object may hold state outside its members, so two different objects could get the same text.
    throw new Error(`A plan must be plain data, but contains an object of class ${value.constructor.name}`)
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`
}
