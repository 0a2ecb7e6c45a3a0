import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGeometry } from '../../src/geo/shape/document-geometry.ts'
import type { Json, JsonObject } from '../../src/model/json/document.ts'
import { nearestDouble } from '../../src/model/json/exact-integer.ts'
import { candidates } from '../../src/subscriptions/matching/candidates.ts'
import { MatchSubject } from '../../src/subscriptions/matching/match-subject.ts'
import { newSubscription } from '../../src/subscriptions/matching/matching.fixture.ts'
import type { PendingEvent } from '../../src/subscriptions/record/subscription-event.ts'
import type { SubscriptionRecord } from '../../src/subscriptions/record/subscription-record.ts'
import { MatcherIndex } from '../../src/subscriptions/watched/matcher-index.ts'
import { seed } from '../support/seed.ts'
import { holedRings, lineString, position, rectangleRing, triangleRing } from './oracle/documents.ts'
import { intersects, type Region, rectangle, union } from './oracle/geometry.ts'

const KEYS = { geometry: 'geometry', centroid: 'centroid', collections: 'collections', event: 'event' }
const T = 1_000_000

interface Drawn {
  readonly geojson: JsonObject
  readonly region: Region
}

const region = (parts: Partial<Region>): Region => ({ polygons: [], lines: [], points: [], ...parts })
const json = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value))

const simple: fc.Arbitrary<Drawn> = fc.oneof(
  position.map((p) => ({ geojson: json({ type: 'Point', coordinates: p }), region: region({ points: [p] }) })),
  lineString.map((l) => ({ geojson: json({ type: 'LineString', coordinates: l }), region: region({ lines: [l] }) })),
  fc.tuple(fc.oneof(rectangleRing, triangleRing), fc.boolean()).map(([ring, turned]) => ({
    geojson: json({ type: 'Polygon', coordinates: [turned ? ring.toReversed() : ring] }),
    region: region({ polygons: [[ring]] }),
  })),
  holedRings.map((rings) => ({
    geojson: json({ type: 'Polygon', coordinates: rings }),
    region: region({ polygons: [rings] }),
  })),
  // An area over the antimeridian, in two parts.
  fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -6, max: 4 })).map(([width, south]) => {
    const polygons = [[rectangle(180 - width, south, 180, south + 2)], [rectangle(-180, south, width - 180, south + 2)]]
    return { geojson: json({ type: 'MultiPolygon', coordinates: polygons }), region: region({ polygons }) }
  }),
)
const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 4, arbitrary: simple },
  {
    weight: 1,
    arbitrary: fc.array(simple, { minLength: 1, maxLength: 3 }).map((parts) => ({
      geojson: json({ type: 'GeometryCollection', geometries: parts.map((part) => part.geojson) }),
      region: union(parts.map((part) => part.region)),
    })),
  },
)

const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json[]>('a', 'b', '7', 7, 7.5, true, false, 'true', '')
const value = fc.oneof(scalar, fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }))
const keyNames = ['k', 'a.b', 'tags', 'owner'] as const
const keys = fc.dictionary(fc.constantFrom(...keyNames), value, { maxKeys: 2 })
const names = fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3'), { minLength: 1, maxLength: 2 })
const kinds = fc.uniqueArray(fc.constantFrom('CREATE', 'UPDATE', 'DELETE', 'OTHER'), { minLength: 1, maxLength: 3 })
const seconds = fc.integer({ min: 0, max: 6 })

interface Watched {
  readonly record: SubscriptionRecord
  readonly region: Region | undefined
  readonly keys: Readonly<Record<string, Json>>
}

const subscriptions = fc
  .array(
    fc.record({
      collections: fc.option(names),
      event: fc.option(kinds),
      area: fc.option(drawn),
      keys,
      starts: seconds,
      lasts: fc.integer({ min: 1, max: 6 }),
      active: fc.constantFrom(true, true, true, false),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) =>
    list.map((one, i): Watched => {
      const trigger: JsonObject = {
        ...(one.collections === null ? {} : { collections: one.collections }),
        ...(one.event === null ? {} : { event: one.event }),
        ...(one.area === null ? {} : { geometry: one.area.geojson }),
        ...one.keys,
      }
      const window = { starts_at: T + one.starts, expires_at: T + one.starts + one.lasts }
      const made = newSubscription(`s${i}`, { trigger, active: one.active, ...window })
      return { record: { ...made, seq: i + 1, version: 1 }, region: one.area?.region, keys: one.keys }
    }),
  )

interface Happened {
  readonly event: PendingEvent
  readonly document: JsonObject | undefined
  readonly region: Region | undefined
  readonly values: ReadonlyMap<string, Json>
}

const nested = (members: Readonly<Record<string, Json>>): JsonObject => {
  const { 'a.b': inner, ...rest } = members
  return inner === undefined ? rest : { ...rest, a: { b: inner } }
}

const happenings: fc.Arbitrary<Happened> = fc
  .record({
    collection: fc.constantFrom('c1', 'c2', 'c4'),
    kind: fc.constantFrom('CREATE', 'UPDATE', 'DELETE', 'OTHER'),
    place: fc.option(drawn),
    own: keys,
    found: fc.option(fc.record({ place: fc.option(drawn), keys })),
    second: fc.integer({ min: 0, max: 12 }),
    seq: fc.integer({ min: 0, max: 40 }),
    literal: fc.boolean(),
  })
  .map(({ collection, kind, place, own, found, second, seq, literal }) => {
    const object = { id: 'd', ...(place === null ? {} : { geometry: place.geojson }), ...(literal ? own : nested(own)) }
    const document = found === null ? undefined : { ...nested(found.keys), where: found.place?.geojson ?? null }
    return {
      event: {
        position: 1,
        source: 'http' as const,
        event: { id: 'e', collection, event: kind, time: '', object },
        acceptedMs: (T + second) * 1000,
        subscriptionSeq: seq,
      },
      document,
      region: place?.region ?? found?.place?.region,
      values: new Map([...Object.entries(found?.keys ?? {}), ...Object.entries(own)]),
    }
  })

/** A plain reading of spec 3.5, one subscription at a time. */
function matches({ record, region: area, keys: wanted }: Watched, { event, region: place, values }: Happened): boolean {
  const { trigger } = record.subscription
  const second = event.acceptedMs / 1000
  if (!record.active || record.seq > event.subscriptionSeq) return false
  if (second < nearestDouble(record.starts_at) || second >= nearestDouble(record.expires_at)) return false
  if (Array.isArray(trigger.collections) && !trigger.collections.includes(event.event.collection)) return false
  if (Array.isArray(trigger.event) && !trigger.event.includes(event.event.event)) return false
  if (area !== undefined && (place === undefined || !intersects(place, area))) return false
  return Object.entries(wanted).every(([key, want]) => {
    const got = values.get(key)
    return got !== undefined && [want].flat().some((one) => [got].flat().includes(one))
  })
}

const reader = {
  geometry: ({ where }: JsonObject) => readGeometry(where ?? null),
  centroid: () => undefined,
}

const found = (index: MatcherIndex, { event }: Happened, document: JsonObject | undefined | 'unknown') => {
  const subject = new MatchSubject(event, document, reader)
  return [...candidates(index, event, subject)].map(({ subscription, verdict }) => ({ id: subscription.id, verdict }))
}

test('the index finds what a look at every subscription finds', () => {
  const law = fc.property(subscriptions, fc.array(happenings, { minLength: 1, maxLength: 20 }), (watched, events) => {
    const index = new MatcherIndex(KEYS)
    for (const { record } of watched) index.set(record)
    for (const happened of events) {
      const expected = watched.filter((one) => matches(one, happened)).map(({ record }) => record.id)
      const got = found(index, happened, happened.document)
      expect(got.map(({ id }) => id).sort()).toEqual(expected.sort())
      expect(got.every(({ verdict }) => verdict === 'yes')).toBe(true)
      // Before the document is known nothing that matches may be ruled out.
      const before = new Set(found(index, happened, 'unknown').map(({ id }) => id))
      expect(expected.filter((id) => !before.has(id))).toEqual([])
    }
  })
  fc.assert(law, { seed, numRuns: 300 })
})

test('changes leave the index as if it had been made anew', () => {
  const law = fc.property(subscriptions, subscriptions, happenings, fc.nat(40), (before, after, happened, deleted) => {
    const index = new MatcherIndex(KEYS)
    for (const { record } of before) index.set(record)
    for (const { record } of after) index.set({ ...record, version: 2, deleted: record.seq <= deleted })
    // An older version that comes late changes nothing.
    for (const { record } of before) index.set(record)
    const current = [...after.filter(({ record }) => record.seq > deleted), ...before.slice(after.length)]
    const expected = current.filter((one) => matches(one, happened)).map(({ record }) => record.id)
    expect(
      found(index, happened, happened.document)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(expected.sort())
    index.removeExpired(Number.POSITIVE_INFINITY)
    expect(index.size).toBe(0)
    for (const kind of ['CREATE', 'OTHER']) expect(index.concerns('c1', kind)).toBe(false)
  })
  fc.assert(law, { seed, numRuns: 200 })
})

test('a subscription that is changed while it is looked for is met once', () => {
  const index = new MatcherIndex(KEYS)
  const record = (version: number) => ({ ...newSubscription('s', {}), seq: 1, version })
  index.set(record(1))
  const object = { id: 'd' }
  const event: PendingEvent = {
    ...{ position: 1, source: 'http', acceptedMs: 1_600_000_000_000, subscriptionSeq: 1 },
    event: { id: 'e', collection: 'c1', event: 'UPDATE', time: '', object },
  }
  let met = 0
  for (const _ of candidates(index, event, new MatchSubject(event, undefined, reader))) {
    met++
    if (met < 5) index.set(record(met + 1))
  }
  expect(met).toBe(1)
})
