import { problem } from '../../errors.ts'
import { type Cql2, namesIn } from '../../query/cql2/expression.ts'
import type { ItemNames } from './item-names.ts'

const TRUE: Cql2 = { kind: 'boolean', value: true, at: 0 }
const FALSE: Cql2 = { kind: 'boolean', value: false, at: 0 }

/**
 * Returns an expression over the fields of a collection that is true where `node`, with names of STAC, is true. A name
 * that the collection lacks has no value in any of its documents, so that conditions on it are neither true nor false.
 */
export function expressionFor(node: Cql2, names: ItemNames, collection: string): Cql2 {
  return isTrue(node, { names, collection })
}

interface Target {
  readonly names: ItemNames
  readonly collection: string
}

function isTrue(node: Cql2, target: Target): Cql2 {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, members: node.members.map((member) => isTrue(member, target)) }
    case 'not':
      return isFalse(node.member, target)
    default:
      return conditionOf(node, target) ?? (node.kind === 'isNull' ? TRUE : FALSE)
  }
}

function isFalse(node: Cql2, target: Target): Cql2 {
  switch (node.kind) {
    case 'and':
    case 'or':
      return {
        ...node,
        kind: node.kind === 'and' ? 'or' : 'and',
        members: node.members.map((member) => isFalse(member, target)),
      }
    case 'not':
      return isTrue(node.member, target)
    default: {
      const condition = conditionOf(node, target)
      return condition === undefined ? FALSE : { kind: 'not', member: condition, at: node.at }
    }
  }
}

/** A condition on the fields of the collection. Undefined if it lacks one of them. */
function conditionOf(node: Cql2, target: Target): Cql2 | undefined {
  const name = (member: Cql2): Cql2 | undefined => conditionOf(member, target)
  const all = (members: readonly Cql2[]): readonly Cql2[] | undefined => {
    const found = members.flatMap((member) => name(member) ?? [])
    return found.length === members.length ? found : undefined
  }
  switch (node.kind) {
    case 'property': {
      if (node.name === 'collection') return { kind: 'text', value: target.collection, at: node.at }
      const field = target.names.field(node.name)
      return field === undefined ? undefined : { ...node, name: field.path }
    }
    case 'comparison': {
      const [left, right] = all([node.left, node.right]) ?? []
      return left && right && { ...node, left, right }
    }
    case 'like': {
      const value = name(node.value)
      return value && { ...node, value }
    }
    case 'between': {
      const [value, lower, upper] = all([node.value, node.lower, node.upper]) ?? []
      return value && lower && upper && { ...node, value, lower, upper }
    }
    case 'in': {
      const [value, list] = [name(node.value), all(node.list)]
      return value && list && { ...node, value, list }
    }
    case 'isNull':
    case 'casei': {
      const value = name(node.value)
      return value && { ...node, value }
    }
    case 'spatial':
    case 'temporal':
    case 'array': {
      const args = all(node.args)
      return args && { ...node, args }
    }
    case 'interval': {
      const [from, to] = all([node.from, node.to]) ?? []
      return from && to && { ...node, from, to }
    }
    case 'list': {
      const items = all(node.items)
      return items && { ...node, items }
    }
    default:
      return node
  }
}

/** Throws for a name that none of the collections has. */
export function checkNames(node: Cql2 | undefined, all: readonly ItemNames[]): void {
  if (node === undefined || all.length === 0) return
  for (const name of new Set(namesIn(node))) {
    if (name === 'collection' || all.some((names) => names.field(name) !== undefined)) continue
    const reason = `names ${name}, which is not a property of the searched collections`
    throw problem('INVALID_FILTER', { parameter: 'filter', reason })
  }
}
