import { type CollectionField, isNumber, isRanked } from '../api/collection-fields.ts'
import type { Explored } from './explored.ts'
import type { FactsByPath, FieldFacts } from './field-facts.ts'
import type { Overview } from './overview.ts'

/** Assumed when there is no sample. */
const UNKNOWN: FieldFacts = {
  filled: 1,
  distinct: 0.1,
  commonest: 0.5,
  length: 12,
  isIdentifier: false,
  isCoordinate: false,
  isLink: false,
}

const factsAt = (facts: FactsByPath, path: string): FieldFacts => facts.get(path) ?? UNKNOWN

/** Number of distinct values of a ranking that is seen at a glance. */
const FEW = { from: 2, to: 50 }
const MOST = 1_000
/** Share of different values from which a field names documents instead of grouping them. */
const NEAR_UNIQUE = 0.9

/** How much a field tells: how many documents have it, and how seldom it is the same. */
const told = ({ filled, commonest }: FieldFacts): number => filled * (1 - commonest)

const byTold =
  (facts: FactsByPath) =>
  (a: string, b: string): number =>
    told(factsAt(facts, b)) - told(factsAt(facts, a))

/** Keywords that may group documents, the most telling first. */
export const groupingFields = ({ fields }: Explored, facts: FactsByPath): readonly string[] =>
  fields
    .filter(isRanked)
    .map(({ path }) => path)
    .filter((path) => {
      const { isIdentifier, isLink, distinct } = factsAt(facts, path)
      return !isIdentifier && !isLink && distinct < NEAR_UNIQUE
    })
    .sort(byTold(facts))

/** Numbers that measure something, those that most documents have first. */
export const measuringFields = ({ fields }: Explored, facts: FactsByPath): readonly string[] =>
  fields
    .filter((field) => isNumber(field) && !field.isLabel)
    .map(({ path }) => path)
    .filter((path) => {
      const { isIdentifier, isCoordinate } = factsAt(facts, path)
      return !isIdentifier && !isCoordinate
    })
    .sort((a, b) => measured(factsAt(facts, b)) - measured(factsAt(facts, a)))

/** Fields with the same share of values keep their order. */
const measured = ({ filled, commonest }: FieldFacts): number => Math.round(4 * filled) + (commonest < 0.9 ? 1 : 0)

/** Returns the keywords to rank first: two to fifty distinct values, then up to 1,000. */
export function firstRankings(
  explored: Explored,
  facts: FactsByPath,
  overview: Overview,
  most: number,
): readonly string[] {
  const count = (path: string): number => overview.distinct.get(path) ?? 0
  const usable = groupingFields(explored, facts).filter((path) => count(path) >= FEW.from && count(path) <= MOST)
  const few = usable.filter((path) => count(path) <= FEW.to)
  const many = usable.filter((path) => count(path) > FEW.to).sort((a, b) => count(a) - count(b))
  return [...few, ...many].slice(0, most)
}

/** Returns the numbers worth a histogram: those whose values differ. */
export const firstHistograms = (
  explored: Explored,
  facts: FactsByPath,
  { numbers }: Overview,
  most: number,
): readonly string[] =>
  measuringFields(explored, facts)
    .filter((path) => {
      const bounds = numbers.get(path)
      return bounds !== undefined && bounds.to > bounds.from
    })
    .slice(0, most)

const TITLES = /(^|[._\s-])(title|name|label|headline|designation|titre|nom|libelle)$/i
const LONGEST_TITLE = 70

/** Returns the field that names documents; undefined if there is none but the identifier. */
export function titleField({ fields }: Explored, facts: FactsByPath): string | undefined {
  const rate = ({ path }: CollectionField): number => {
    const { distinct, length } = factsAt(facts, path)
    return (TITLES.test(path) ? 2 : 0) + distinct - length / LONGEST_TITLE
  }
  return fields
    .filter((field) => {
      const { filled, distinct, length, isIdentifier, isLink } = factsAt(facts, field.path)
      const isText = field.indexed && (field.type === 'TEXT' || field.type === 'KEYWORD')
      const isNaming = TITLES.test(field.path) || distinct >= 0.5
      return isText && isNaming && !isIdentifier && !isLink && filled >= 0.8 && length >= 3 && length <= LONGEST_TITLE
    })
    .sort((a, b) => rate(b) - rate(a))[0]?.path
}

const LONGEST_CELL = 28
const EXTRA_COLUMNS = 3

/** Returns the columns of the list: the title, short values that tell something, and the time. */
export function firstColumns(explored: Explored, facts: FactsByPath): readonly string[] {
  const { fields, paths } = explored
  const title = titleField(explored, facts) ?? paths.id
  const isShort = (path: string): boolean => path !== title && factsAt(facts, path).length <= LONGEST_CELL
  const isOften = (path: string): boolean => factsAt(facts, path).distinct <= 0.5
  const short = groupingFields(explored, facts).filter(isShort)
  const groups = [...short.filter(isOften), ...short.filter((path) => !isOften(path))]
  const numbers = measuringFields(explored, facts).filter(isShort)
  const mixed = [...numbers.slice(0, 1), ...groups.slice(0, 2), ...numbers.slice(1), ...groups.slice(2)]
  const time = fields.some(({ path }) => path === paths.time) ? [paths.time] : []
  return [title, ...mixed.filter((path) => factsAt(facts, path).filled > 0).slice(0, EXTRA_COLUMNS), ...time]
}
