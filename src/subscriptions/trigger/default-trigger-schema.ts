import type { SubscriptionSettings } from '../../config/settings.ts'

/** Names of the trigger keys with a special meaning. */
export type TriggerKeys = SubscriptionSettings['trigger']['keys']

const ref = (name: string) => ({ $ref: `#/$defs/${name}` })

const listOf = (name: string, minItems: number) => ({ type: 'array', minItems, items: ref(name) })

const distinct = (items: object) => ({ type: 'array', minItems: 1, uniqueItems: true, items })

/** The required member of each geometry type, and the definition of its content. */
const CONTENT: Readonly<Record<string, readonly [member: string, holds: string]>> = {
  Point: ['coordinates', 'position'],
  MultiPoint: ['coordinates', 'positions'],
  LineString: ['coordinates', 'line'],
  MultiLineString: ['coordinates', 'lines'],
  Polygon: ['coordinates', 'polygon'],
  MultiPolygon: ['coordinates', 'polygons'],
  GeometryCollection: ['geometries', 'geometries'],
}

const contentOf = ([type, [member, holds]]: readonly [string, readonly [string, string]]) => ({
  if: { properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: [member], properties: { [member]: ref(holds) } },
})

/** Default schema of triggers, unless a file is configured (spec 3.4). */
export const defaultTriggerSchema = (keys: TriggerKeys) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:periplus:trigger:1',
  title: 'Periplus default trigger',
  type: 'object',
  properties: {
    [keys.geometry]: ref('geometry'),
    [keys.centroid]: ref('point'),
    [keys.collections]: distinct({ type: 'string', minLength: 1 }),
    [keys.event]: distinct({ enum: ['CREATE', 'UPDATE', 'DELETE'] }),
  },
  additionalProperties: { anyOf: [ref('scalar'), distinct(ref('scalar'))] },
  $defs: {
    scalar: { type: ['string', 'number', 'boolean'] },
    position: { type: 'array', minItems: 2, maxItems: 3, items: { type: 'number' } },
    positions: listOf('position', 1),
    line: listOf('position', 2),
    lines: listOf('line', 1),
    ring: listOf('position', 4),
    polygon: listOf('ring', 1),
    polygons: listOf('polygon', 1),
    geometries: listOf('geometry', 1),
    point: {
      type: 'object',
      required: ['type', 'coordinates'],
      properties: { type: { const: 'Point' }, coordinates: ref('position') },
    },
    geometry: {
      type: 'object',
      required: ['type'],
      properties: { type: { enum: Object.keys(CONTENT) } },
      allOf: Object.entries(CONTENT).map(contentOf),
    },
  },
})
