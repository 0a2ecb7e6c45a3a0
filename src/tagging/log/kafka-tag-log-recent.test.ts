import { describe, expect, it } from 'vitest'
import type { TagRecord } from '../../model/tag-record.ts'
import { newRecord } from './kafka-tag-log.fixture.ts'
import { RecentRecords } from './kafka-tag-log-recent.ts'

const record = (offset: number): TagRecord => ({ v: 1, offset, ...newRecord('harbours') })

/** Returns the offsets still cached. A lookup counts as use, so each offset is looked up once. */
const known = (recent: RecentRecords, offsets: readonly number[]) =>
  offsets.filter((offset) => recent.get(offset)?.offset === offset)

describe('records of late', () => {
  it('go when there are too many bytes, those used longest ago first', () => {
    const recent = new RecentRecords(100)
    for (const offset of [0, 1, 2]) recent.add(record(offset), 30)
    expect(recent.get(0)?.offset).toBe(0)
    recent.add(record(3), 30)
    expect(known(recent, [0, 1, 2, 3])).toEqual([0, 2, 3])
  })

  it('count once, however often they are added', () => {
    const recent = new RecentRecords(100)
    for (let i = 0; i < 10; i += 1) recent.add(record(0), 30)
    recent.add(record(1), 30)
    recent.add(record(2), 30)
    expect(known(recent, [0, 1, 2])).toEqual([0, 1, 2])
  })

  it('that are larger than all of it are not kept, and leave room again', () => {
    const recent = new RecentRecords(100)
    recent.add(record(0), 500)
    recent.add(record(1), 100)
    expect(known(recent, [0, 1])).toEqual([1])
  })
})
