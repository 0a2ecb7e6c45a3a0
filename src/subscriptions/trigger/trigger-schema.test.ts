import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { SettingsFault } from '../../config/setting-value.ts'
import { Problem } from '../../errors.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { readTrigger } from './trigger-parts.ts'
import { compileTriggerSchema, type TriggerCheck } from './trigger-schema.ts'

const directory = mkdtempSync(join(tmpdir(), 'periplus-trigger-'))
afterAll(() => rmSync(directory, { recursive: true }))

const checkOf = (flags: Readonly<Record<string, string>> = {}) =>
  compileTriggerSchema(loadSettings({ flags }).subscriptions.trigger)

function refusalOf(trigger: JsonObject, check: TriggerCheck): string | undefined {
  try {
    check(trigger)
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_TRIGGER') return error.message
    throw error
  }
}

let files = 0
function schemaFile(text: string): Readonly<Record<string, string>> {
  const file = join(directory, `${++files}.json`)
  writeFileSync(file, text)
  return { 'subscriptions.trigger.schema': file }
}

describe('the built-in schema of triggers', () => {
  const check = checkOf()

  it.each<JsonObject>([
    {},
    { event: ['CREATE', 'DELETE'], collections: ['a', 'b'] },
    { geometry: { type: 'Point', coordinates: [1, 2] }, centroid: { type: 'Point', coordinates: [1, 2, 3] } },
    { geometry: { type: 'GeometryCollection', geometries: [{ type: 'MultiPoint', coordinates: [[1, 2]] }] } },
    { job: 'Actor', age: 3.5, vip: true, 'params.city': ['a', 1, false] },
  ])('%# fits', (trigger) => {
    expect(refusalOf(trigger, check)).toBeUndefined()
  })

  it.each<[JsonObject, string]>([
    [{ event: 'UPDATE' }, '/subscription/trigger/event must be of type array'],
    [{ event: [] }, '/subscription/trigger/event'],
    [{ event: ['UPDATE', 'UPDATE'] }, '/subscription/trigger/event'],
    [{ event: ['EXPLODE'] }, '/subscription/trigger/event/0 must be one of ["CREATE","UPDATE","DELETE"]'],
    [{ collections: [3] }, '/subscription/trigger/collections/0 must be of type string'],
    [{ collections: [''] }, '/subscription/trigger/collections/0'],
    [{ geometry: 'POINT(0 0)' }, '/subscription/trigger/geometry must be of type object'],
    [{ geometry: { type: 'Nope' } }, '/subscription/trigger/geometry/type'],
    [{ geometry: { type: 'Point' } }, '/subscription/trigger/geometry/coordinates is required'],
    [{ geometry: { type: 'Polygon', coordinates: [[[0, 0]]] } }, '/subscription/trigger/geometry/coordinates/0'],
    [{ geometry: { type: 'GeometryCollection', geometries: [] } }, '/subscription/trigger/geometry/geometries'],
    [{ centroid: { type: 'Polygon', coordinates: [0, 0] } }, '/subscription/trigger/centroid/type must be "Point"'],
    [{ job: { a: 1 } }, '/subscription/trigger/job must be of type string, number, boolean'],
    [{ job: [] }, '/subscription/trigger/job'],
    [{ job: [['a']] }, '/subscription/trigger/job/0'],
    [{ 'a/b~c': [1, 1] }, '/subscription/trigger/a~1b~0c'],
  ])('%j does not: %s', (trigger, place) => {
    expect(refusalOf(trigger, check)).toContain(place)
  })

  it('tells of ten faults, then how many more', () => {
    const trigger = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`k${i}`, {}]))
    const message = refusalOf(trigger, check) ?? ''
    expect(message.match(/\/subscription\/trigger\/k\d+/g)).toHaveLength(10)
    expect(message).toMatch(/; and 3 more$/)
  })

  it('has keys of other names when the settings say so', () => {
    const renamed = checkOf({
      'subscriptions.trigger.keys.geometry': 'area',
      'subscriptions.trigger.keys.event': 'kind',
    })
    expect(
      refusalOf({ area: { type: 'Point', coordinates: [1, 2] }, kind: ['CREATE'], event: 'x' }, renamed),
    ).toBeUndefined()
    expect(refusalOf({ area: 'x' }, renamed)).toContain('/subscription/trigger/area')
    expect(refusalOf({ geometry: { type: 'Point', coordinates: [1, 2] } }, renamed)).toContain('/geometry')
  })
})

describe('a schema of one’s own', () => {
  it('decides alone', () => {
    const schema = {
      type: 'object',
      required: ['who'],
      additionalProperties: false,
      properties: { who: { type: 'object' } },
    }
    const check = checkOf(schemaFile(JSON.stringify(schema)))
    expect(refusalOf({ who: { a: { b: 1 } } }, check)).toBeUndefined()
    expect(refusalOf({}, check)).toContain('/subscription/trigger/who is required')
    expect(refusalOf({ who: {}, event: ['CREATE'] }, check)).toContain('/subscription/trigger/event is not a known key')
  })

  it.each([
    ['not JSON', '{'],
    ['no schema', '[]'],
    ['a type nobody knows', '{"type":"thing"}'],
    ['another draft', '{"$schema":"http://json-schema.org/draft-07/schema#"}'],
    ['a reference that leads nowhere', '{"$ref":"#/$defs/a"}'],
    ['an asynchronous one', '{"$async":true,"type":"object"}'],
  ])('%s stops the start', (_name, text) => {
    expect(() => checkOf(schemaFile(text))).toThrow(SettingsFault)
  })

  it('a file that is not there stops the start', () => {
    expect(() => checkOf({ 'subscriptions.trigger.schema': join(directory, 'none') })).toThrow(
      'subscriptions.trigger.schema',
    )
  })
})

describe('the parts of a trigger', () => {
  const { keys } = loadSettings({}).subscriptions.trigger

  it('are told apart by their keys', () => {
    const point = { type: 'Point', coordinates: [1, 2] }
    expect(
      readTrigger({ geometry: point, centroid: point, collections: ['a'], event: ['CREATE'], job: 'x' }, keys),
    ).toEqual({
      geometry: point,
      centroid: point,
      collections: ['a'],
      event: ['CREATE'],
      others: new Map([['job', 'x']]),
    })
    expect(readTrigger({}, keys)).toEqual({ others: new Map() })
    expect(readTrigger({ area: 1, event: 'x' }, { ...keys, event: 'kind', geometry: 'area' })).toEqual({
      geometry: 1,
      others: new Map([['event', 'x']]),
    })
    expect(readTrigger({ collections: 'one' }, keys).collections).toEqual(['one'])
  })
})
