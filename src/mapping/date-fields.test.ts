import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../model/json/document.ts'
import { withMostlyDates } from './date-fields.ts'
import { inferMapping } from './infer-mapping.ts'

const typed = (sample: readonly JsonObject[], timestampPath?: string) =>
  withMostlyDates(inferMapping(sample), sample, timestampPath).properties

describe('dates among a few broken values', () => {
  test('the name of a moment is enough', () => {
    const sample = [{ when: '2024-01-01' }, { when: '2024-01-02' }, { when: 'soon' }]
    expect(typed(sample).when).toEqual({ type: 'date' })
  })

  test('another name needs to be given as the timestamp', () => {
    const sample = [{ a: { x: '2024-01-01' } }, { a: { x: 'n/a' } }, { a: { x: '2024-01-03' } }]
    expect(typed(sample).a?.properties?.x).toEqual({ type: 'keyword' })
    expect(typed(sample, 'a.x').a?.properties?.x).toEqual({ type: 'date' })
  })

  test('numbers given as the timestamp are ms or seconds', () => {
    const millis = [{ n: 1_700_000_000_000 }, { n: 1_700_000_001_000 }]
    expect(typed(millis, 'n').n).toEqual({ type: 'date', format: 'epoch_millis' })
    expect(typed([{ n: 1_700_000_000 }], 'n').n).toEqual({ type: 'date', format: 'epoch_second' })
    expect(typed([{ n: 7 }], 'n').n).toEqual({ type: 'long' })
  })

  test('mostly other values stay what they are', () => {
    const sample = [{ date: 'spring' }, { date: 'autumn' }, { date: '2024-01-01' }]
    expect(typed(sample).date).toEqual({ type: 'keyword' })
  })
})
