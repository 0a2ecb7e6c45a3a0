import type { FieldPatterns } from '../schema/field-pattern.ts'

export interface ProjectionRules {
  /** Absent: everything is included. */
  readonly include?: FieldPatterns
  /** Paths always included: the four of the collection and the returned geometries. */
  readonly kept: FieldPatterns
  /** Patterns of the fields to remove. */
  readonly cut: readonly FieldPatterns[]
  /** True if the path is a field with values, so nothing below it is a separate field: a geometry stays whole. */
  readonly isLeaf: (path: string) => boolean
}

/** A path of the documents with the decision of the rules, made once and not for each document. */
export interface ProjectionNode {
  readonly included: boolean
  /** cut: removed; whole: kept with everything below it; walk: decided for each member. */
  readonly fate: 'cut' | 'whole' | 'walk'
  /** Returns the node of a source key; a key with dots is the same path as nested objects (spec 2.1.1). */
  child(key: string): ProjectionNode
}

/** Maximum number of cached nodes, since documents may have any keys. Further nodes are computed each time. */
const MOST_NODES = 20_000

export function projectionRoot(rules: ProjectionRules): ProjectionNode {
  let nodes = 0
  const make = (path: string, fate: ProjectionNode['fate'], included: boolean): ProjectionNode => {
    const children = new Map<string, ProjectionNode>()
    return {
      included,
      fate,
      child(key) {
        const known = children.get(key)
        if (known !== undefined) return known
        const node = decide(path === '' ? key : `${path}.${key}`)
        if (nodes < MOST_NODES) {
          nodes += 1
          children.set(key, node)
        }
        return node
      },
    }
  }
  const decide = (path: string): ProjectionNode => {
    const kept = rules.kept.selects(path)
    if (!kept && rules.cut.some((patterns) => patterns.selects(path))) return make(path, 'cut', false)
    const included = kept || rules.include === undefined || rules.include.selects(path)
    if (rules.isLeaf(path)) return make(path, included ? 'whole' : 'cut', included)
    return make(path, 'walk', included)
  }
  const isWhole = rules.include === undefined && rules.cut.length === 0
  return make('', isWhole ? 'whole' : 'walk', rules.include === undefined)
}
