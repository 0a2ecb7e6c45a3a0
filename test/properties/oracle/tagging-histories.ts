import fc from 'fast-check'
import type { Command, Condition, Document, Json, Replay, Submission, Value } from './tagging-model.ts'

const value: fc.Arbitrary<Value> = fc.constantFrom('x', 'y', "it's", '7', 7, 7.5, true, 'true', 'a,b:[c]')
const kinds = ['a', 'b', 'c', 'd,e']

const tags: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  value,
  fc.uniqueArray(value, { maxLength: 3 }) as fc.Arbitrary<Json[]>,
  fc.constant<Json>(['x', 'x', 'y']),
)

const free: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<Json | undefined>(undefined, null, 'text', 5, ['list']),
  fc.record({ labels: tags.map((t) => t ?? null), other: fc.constant('kept') }) as fc.Arbitrary<Document>,
  fc.constant({ labels: { deep: 1 } }),
)

const documentOf = (id: fc.Arbitrary<string>): fc.Arbitrary<Document> =>
  fc
    .record({
      id,
      kind: fc.constantFrom(...kinds),
      n: fc.integer({ min: 0, max: 5 }),
      group: fc.uniqueArray(fc.constantFrom('g1', 'g2', 'g,3'), { maxLength: 2 }),
      tags,
      free,
      literal: fc.boolean(),
      place: fc.record({ lon: fc.integer({ min: -180, max: 180 }), lat: fc.integer({ min: -85, max: 85 }) }),
      big: fc.constant('0'),
    })
    .map(({ literal, tags: own, free: inner, ...rest }) => ({
      ...rest,
      ...(own === undefined ? {} : { tags: own }),
      ...(inner === undefined ? {} : { free: inner }),
      ...(literal ? { 'free.labels': ['x'] } : {}),
    }))

const ids = fc.integer({ min: 0, max: 24 }).map(String)

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constant('kind' as const),
    op: fc.constantFrom('eq' as const, 'ne' as const),
    values: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    field: fc.constant('n' as const),
    op: fc.constant('gte' as const),
    values: fc.integer({ min: 0, max: 6 }).map((n) => [String(n)]),
  }),
  fc.record({
    field: fc.constant('tags' as const),
    op: fc.constantFrom('eq' as const, 'ne' as const),
    values: fc.constantFrom('x', 'y', '7', 'true').map((v) => [v]),
  }),
)

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })

/** Removes undefined members. */
const present = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, member]) => member !== undefined)) as T

const replay = (collections: readonly string[]): fc.Arbitrary<Replay> =>
  fc
    .record({
      kind: fc.constant('replay' as const),
      collection: fc.constantFrom(...collections),
      back: fc.integer({ min: 0, max: 6 }),
      looks: maybe(fc.integer({ min: 0, max: 8 })),
    })
    .map(present) as fc.Arbitrary<Replay>

const submission = (collections: readonly string[]): fc.Arbitrary<Submission> =>
  fc
    .record({
      kind: fc.constant('submit' as const),
      collection: fc.constantFrom(...collections),
      path: fc.constantFrom('tags', 'tags', 'free.labels', 'fresh.tags'),
      value,
      untag: fc.constantFrom('add', 'add', 'add', 'remove', 'all'),
      search: maybe(condition),
      filter: maybe(condition),
      propagation: maybe(
        fc.record({
          field: fc.constantFrom('kind' as const, 'n' as const, 'group' as const),
          filter: maybe(condition),
        }),
      ),
      replay: maybe(replay(collections)),
    })
    .map(({ untag, value: given, propagation, ...rest }) =>
      present({
        ...rest,
        untag: untag !== 'add',
        ...(untag === 'all' ? {} : { value: given }),
        ...(propagation === undefined ? {} : { propagation: present(propagation) }),
      }),
    ) as fc.Arbitrary<Submission>

/** A history: actions of users and operators, one after the other. */
export const commands = (collections: readonly string[]): fc.Arbitrary<readonly Command[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: submission(collections) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('load' as const),
          documents: fc.uniqueArray(documentOf(ids), { maxLength: 8, selector: (d) => d.id }),
          deleted: fc.uniqueArray(ids, { maxLength: 2 }),
        }),
      },
      { weight: 3, arbitrary: replay(collections) },
      { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'arrange' as const }) },
    ),
    { minLength: 4, maxLength: 16 },
  )

/** Initial documents. */
export const firstDocuments = (count: number): fc.Arbitrary<readonly Document[]> =>
  fc.uniqueArray(documentOf(ids), { minLength: count, maxLength: count, selector: (d) => d.id })
