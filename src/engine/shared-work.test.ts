import { describe, expect, it } from 'vitest'
import { SharedWork } from './shared-work.ts'

interface Begun {
  readonly work: SharedWork<string>
  readonly finish: (value: string) => void
  readonly fail: (error: Error) => void
  /** Signal of the work itself, once it has started. */
  readonly signal: () => AbortSignal | undefined
}

function begin(): Begun {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let given: AbortSignal | undefined
  const work = new SharedWork<string>((signal) => {
    given = signal
    return promise
  })
  return { work, finish: resolve, fail: reject, signal: () => given }
}

describe('shared work', () => {
  it('brings every caller the same answer', async () => {
    const { work, finish } = begin()
    const answers = Promise.all([work.join(undefined), work.join(new AbortController().signal)])
    finish('done')
    expect(await answers).toEqual(['done', 'done'])
    expect(work.shared).toBe(true)
  })

  it('brings every caller its fault', async () => {
    const { work, fail } = begin()
    const answers = Promise.allSettled([work.join(undefined), work.join(undefined)])
    fail(new Error('broken'))
    for (const answer of await answers) expect(answer).toMatchObject({ reason: { message: 'broken' } })
  })

  it('goes on when one of several callers leaves', async () => {
    const { work, finish, signal } = begin()
    const leaving = new AbortController()
    const first = work.join(leaving.signal)
    const second = work.join(new AbortController().signal)
    leaving.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect(work.abandoned).toBe(false)
    expect(signal()?.aborted).toBe(false)
    finish('done')
    expect(await second).toBe('done')
  })

  it('stops when the last caller leaves', async () => {
    const { work, signal } = begin()
    const controllers = [new AbortController(), new AbortController()]
    const answers = Promise.allSettled(controllers.map((c) => work.join(c.signal)))
    for (const [i, controller] of controllers.entries()) controller.abort(new Error(`left ${i}`))
    expect(await answers).toMatchObject([{ reason: { message: 'left 0' } }, { reason: { message: 'left 1' } }])
    expect(work.abandoned).toBe(true)
    expect(signal()?.reason).toMatchObject({ message: 'left 1' })
  })

  it('is not stopped by a caller that leaves after the answer', async () => {
    const { work, finish, signal } = begin()
    const late = new AbortController()
    const answer = work.join(late.signal)
    finish('done')
    await answer
    late.abort()
    expect(signal()?.aborted).toBe(false)
  })

  it('refuses a caller whose signal is aborted already, and goes on for the others', async () => {
    const { work, finish } = begin()
    const staying = work.join(undefined)
    await expect(work.join(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    finish('done')
    expect(await staying).toBe('done')
  })
})
