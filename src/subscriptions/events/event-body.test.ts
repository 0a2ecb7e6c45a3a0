import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { notificationStart } from '../matching/notification.ts'
import { parseEvent, printEvent } from '../stores/shared/stored-event.ts'
import { readEvent, readInstant } from './event-body.ts'

const now = Date.UTC(2026, 10, 15, 10)
const read = (value: unknown, place = '', collection?: string) => readEvent(value, place, { now, collection })
const base = { id: 'evt-1', collection: 'geodata', event: 'UPDATE', object: { id: 'd' } }

function messageOf(value: unknown, place = 'events[3]'): string {
  try {
    read(value, place)
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_EVENT') return error.message
    throw error
  }
  return 'valid'
}

describe('an event (spec 3.1)', () => {
  test('defaults', () => {
    expect(read(base)).toEqual({ ...base, time: '2026-11-15T10:00:00.000Z' })
    expect(read({ event: 'X', object: { id: 1 } }, '', 'other')).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      collection: 'other',
    })
    expect(read({ object: { id: 1, collection: 'c', event: 'E' } })).toMatchObject({ collection: 'c', event: 'E' })
    expect(read({ ...base, time: '2026-11-15T11:30:00+01:30' })).toMatchObject({ time: '2026-11-15T10:00:00.000Z' })
    expect(read({ ...base, object: { id: 'd', collection: 'geodata', event: 'UPDATE' } }).collection).toBe('geodata')
  })

  test.each<readonly [unknown, string]>([
    ['text', "events[3] must be a JSON object, got 'text'"],
    [{ ...base, object: undefined }, 'events[3].object is required'],
    [{ ...base, object: [] }, "events[3].object must be an object, got '[]'"],
    [{ ...base, object: {} }, 'events[3].object.id is required'],
    [{ ...base, object: { id: true } }, "events[3].object.id must be a string or a number, got 'true'"],
    [{ ...base, id: '' }, "events[3].id must be a string of 1 to 256 characters, got ''"],
    [{ ...base, id: 7 }, "events[3].id must be a string of 1 to 256 characters, got '7'"],
    [
      { ...base, id: 'x'.repeat(257) },
      `events[3].id must be a string of 1 to 256 characters, got '${'x'.repeat(200)}...'`,
    ],
    [{ ...base, collection: undefined }, 'events[3].collection is required, here or in object'],
    [{ ...base, collection: 7 }, "events[3].collection must be a non-empty string, got '7'"],
    [
      { ...base, object: { id: 'd', collection: 'other' } },
      "events[3].object.collection must equal events[3].collection, got 'other'",
    ],
    [{ ...base, event: undefined }, 'events[3].event is required, here or in object'],
    [
      { ...base, object: { id: 'd', event: 'DELETE' } },
      "events[3].object.event must equal events[3].event, got 'DELETE'",
    ],
    [{ ...base, event: 'E'.repeat(65) }, `events[3].event must have 1 to 64 characters, got '${'E'.repeat(65)}'`],
    [{ ...base, time: '2026-11-15' }, "events[3].time must be an RFC 3339 date and time, got '2026-11-15'"],
    [{ ...base, time: 5 }, "events[3].time must be an RFC 3339 date and time, got '5'"],
    [{ ...base, document: 'gone' }, "events[3].document must be an object, got 'gone'"],
    [{ ...base, object: { id: 'd', geometry: 'POINT(1 1)' } }, 'events[3].object.geometry must be a GeoJSON geometry'],
    [
      { ...base, object: { id: 'd', geometry: { type: 'Point', coordinates: [200, 0] } } },
      'events[3].object.geometry.coordinates[0] must be a longitude from -180 to 180',
    ],
    [{ ...base, id: 'x'.repeat(256), document: null, time: null, object: { id: 'd', geometry: null } }, 'valid'],
  ])('%j', (value, message) => {
    expect(messageOf(value)).toBe(message)
  })

  test('an event by itself is named by its members alone', () => {
    expect(messageOf({ ...base, object: {} }, '')).toBe('object.id is required')
    expect(messageOf(7, '')).toBe("event must be a JSON object, got '7'")
  })

  test('members travel in their order, through the store too', () => {
    const sent = {
      a: 1,
      time: '2026-11-15T10:00:00Z',
      object: { id: 'd' },
      type: 'mine',
      document: { x: 1 },
      z: null,
      id: 'evt-1',
      collection: 'geodata',
      event: 'UPDATE',
    }
    const event = read(sent)
    expect(parseEvent(printEvent(event))).toEqual(event)
    expect(notificationStart(parseEvent(printEvent(event)))).toBe(
      '{"type":"hit.update","timestamp":"2026-11-15T10:00:00.000Z","id":"evt-1","collection":"geodata",' +
        '"event":"UPDATE","time":"2026-11-15T10:00:00.000Z","a":1,"object":{"id":"d"},"z":null',
    )
  })
})

test.each<readonly [string, string | undefined]>([
  ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.000Z'],
  ['2026-11-15t10:00:00.1234567z', '2026-11-15T10:00:00.123Z'],
  ['2024-02-29T23:59:59-05:00', '2024-03-01T04:59:59.000Z'],
  ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ['2023-02-29T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-11-15T24:00:00Z', undefined],
  ['2026-11-15T10:00:00', undefined],
  ['2026-11-15 10:00:00Z', undefined],
  ['2026-11-15T10:00:00+25:00', undefined],
])('%s is the instant %s', (text, expected) => {
  const instant = readInstant(text)
  expect(instant === undefined ? undefined : new Date(instant).toISOString()).toBe(expected)
})
