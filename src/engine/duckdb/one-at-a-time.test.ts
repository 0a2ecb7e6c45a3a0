import { expect, it } from 'vitest'
import { OneAtATime } from './one-at-a-time.ts'

it('runs work in the order of asking, one after the other', async () => {
  const gate = new OneAtATime()
  const steps: string[] = []
  const work = (name: string) => async (): Promise<string> => {
    steps.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    steps.push(`${name} ends`)
    return name
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => gate.run(work(name))))).toEqual(['a', 'b', 'c'])
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

it('goes on after work that failed', async () => {
  const gate = new OneAtATime()
  const failed = gate.run(() => Promise.reject(new Error('no')))
  const next = gate.run(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

it('lets those that wait leave, and keeps the others in order', async () => {
  const gate = new OneAtATime()
  const first = Promise.withResolvers<string>()
  const leaving = new AbortController()
  const running = gate.run(() => first.promise)
  const left = gate.run(() => Promise.resolve('never'), leaving.signal)
  let isRun = false
  const last = gate.run(async () => {
    isRun = true
    return 'last'
  })
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(isRun).toBe(false)
  first.resolve('first')
  expect(await Promise.all([running, last])).toEqual(['first', 'last'])
})
