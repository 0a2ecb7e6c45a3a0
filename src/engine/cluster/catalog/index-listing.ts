import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { IndexInfo } from '../../engine.ts'
import { indexMatcher } from '../../index-pattern.ts'
import { isOurs } from './mapping-meta.ts'
import { readMapping } from './mapping-reader.ts'

/** The parts of a `GET /{indices}` response that are read. */
export interface IndexAnswer {
  readonly aliases: Readonly<Record<string, WireObject>>
  readonly mappings: WireObject
  readonly settings: { readonly index: WireObject }
  readonly data_stream?: string
}

/** An index of the cluster, or an alias that must be queried by its alias name. */
export interface ClusterIndex extends IndexInfo {
  /** Created by Periplus: new fields follow our rules. */
  readonly ours: boolean
  readonly isAlias: boolean
  /** `_meta` of the mapping. */
  readonly meta: WireObject
}

/** Converts cluster responses to indices. Returns the same object as long as an index is unchanged. */
export class IndexListing {
  readonly #known = new Map<string, { readonly text: string; readonly index: ClusterIndex }>()
  readonly #united = new Map<string, { readonly members: readonly ClusterIndex[]; readonly index: ClusterIndex }>()

  /** Returns the indices matching a name or pattern, in name order, without closed ones. */
  read(pattern: string, answer: Readonly<Record<string, IndexAnswer>>): readonly ClusterIndex[] {
    const matches = indexMatcher(pattern)
    const found = Object.entries(answer).filter(
      ([name, index]) => !isClosed(index) && isMeant(name, index, pattern, matches),
    )
    const narrow = new Set(found.flatMap(([, index]) => narrowAliases(index)))
    const indices: ClusterIndex[] = []
    const byAlias = new Map<string, ClusterIndex[]>()
    for (const [name, one] of found.sort(byName)) {
      const aliases = Object.keys(one.aliases).filter(matches)
      const index = this.#indexOf(name, one)
      const isPlain = matches(name) || aliases.length === 0 || aliases.some((alias) => !narrow.has(alias))
      if (isPlain) indices.push(index)
      else for (const alias of aliases) byAlias.set(alias, [...(byAlias.get(alias) ?? []), index])
    }
    for (const [alias, members] of byAlias) indices.push(this.#unite(alias, members))
    return indices.sort((a, b) => compare(a.name, b.name))
  }

  #indexOf(name: string, { aliases, mappings, settings, data_stream }: IndexAnswer): ClusterIndex {
    const uuid = String(settings.index.uuid)
    const alsoNamed = [...Object.keys(aliases), ...(data_stream === undefined ? [] : [data_stream])].sort()
    const text = `${uuid} ${alsoNamed.join(' ')} ${printWire(mappings)}`
    const known = this.#known.get(name)
    if (known?.text === text) return known.index
    const meta = isObject(mappings._meta) ? mappings._meta : {}
    const mapping = readMapping(mappings)
    const source = isObject(mappings._source) ? mappings._source : {}
    const index = {
      ...{ name, uuid, mapping, ours: isOurs(mappings), isAlias: false, meta },
      ...(source.enabled === false ? { keepsSources: false as const } : {}),
      ...(alsoNamed.length === 0 ? {} : { alsoNamed }),
    }
    this.#known.set(name, { text, index })
    return index
  }

  /**
   * Returns an alias that exposes only part of its indices as one index. Queried by their own names, the indices would
   * expose the rest.
   */
  #unite(alias: string, members: readonly ClusterIndex[]): ClusterIndex {
    const known = this.#united.get(alias)
    if (known?.members.length === members.length && members.every((m, i) => m === known.members[i])) return known.index
    const mapping: Mapping = schemaOf(members).tree
    const uuid = `${alias}.${members.map((m) => m.uuid).join('.')}`
    const index = {
      ...{ name: alias, uuid, mapping, ours: false, isAlias: true, meta: {} },
      alsoNamed: [...new Set(members.flatMap((m) => [m.name, ...(m.alsoNamed ?? [])]))],
      ...(members.some((m) => m.keepsSources === false) ? { keepsSources: false as const } : {}),
    }
    this.#united.set(alias, { members, index })
    return index
  }
}

/** Patterns match neither hidden nor system indices, unless the pattern starts with a dot. */
function isMeant(name: string, found: IndexAnswer, pattern: string, matches: (name: string) => boolean): boolean {
  if (!pattern.includes('*') || pattern.startsWith('.')) return true
  if (found.data_stream !== undefined && matches(found.data_stream)) return true
  return !name.startsWith('.') && String(found.settings.index.hidden) !== 'true'
}

const isClosed = ({ settings }: IndexAnswer): boolean => String(settings.index.verified_before_close) === 'true'

/** Returns aliases that expose only part of the index, by a filter or by search routing. */
const narrowAliases = ({ aliases }: IndexAnswer): readonly string[] =>
  Object.keys(aliases).filter((name) => {
    const alias = aliases[name]
    return alias?.filter !== undefined || alias?.search_routing !== undefined
  })

const isObject = (value: WireJson | undefined): value is WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compare(a, b)
