import { describe, expect, it } from 'vitest'
import { Planner } from './planner.ts'

describe('the planner', () => {
  it('takes kernels where they cover the plan, and counts why not', () => {
    const planner = new Planner()
    expect(planner.choose(() => undefined)).toBe('kernel')
    expect(planner.choose(() => 'large integers')).toBe('sql')
    expect(planner.choose(() => 'large integers')).toBe('sql')
    expect(planner.counts).toEqual({ kernel: 1, sql: new Map([['large integers', 2]]) })
  })

  it('takes the forced path, and does not hide that kernels lack something', () => {
    expect(new Planner(() => 'sql').choose(() => undefined)).toBe('sql')
    expect(() => new Planner(() => 'kernel').choose(() => 'large integers')).toThrow('large integers')
  })
})
