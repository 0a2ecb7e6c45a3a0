import { expect, it } from 'vitest'
import { countRounds, keepBusy } from './turn.fixture.ts'
import { expecting, flatMapInTurns, inTurns, mapInTurns, separateRounds, Turn } from './turn.ts'

const numbers = Array.from({ length: 40 }, (_, i) => i)

async function* batchesOf<T>(...batches: readonly (readonly T[])[]): AsyncIterable<readonly T[]> {
  yield* batches
}

async function drain<T>(batches: AsyncIterable<readonly T[]>, use: (batch: readonly T[]) => void): Promise<void> {
  for await (const batch of batches) use(batch)
}

it('a loop over items that take a millisecond gives way at least every few of them', async () => {
  expect(await countRounds(() => inTurns(numbers, () => keepBusy(1)))).toBeGreaterThan(5)
})

it('many cheap items are looked at without giving way', async () => {
  let sum = 0
  const rounds = await countRounds(() =>
    inTurns(numbers, (n) => {
      sum += n
    }),
  )
  expect(sum).toBe(780)
  expect(rounds).toBeLessThan(3)
})

it('the clock is looked at again soon when items become expensive', async () => {
  const cheap = Array.from({ length: 5_000 }, () => 0)
  expect(await countRounds(() => inTurns([...cheap, ...numbers, ...numbers].map(Math.sign), keepBusy))).toBeGreaterThan(
    5,
  )
})

it('keeps the order and the places of the items', async () => {
  expect(await mapInTurns(['a', 'b', 'c'], (item, place) => `${item}${place}`)).toEqual(['a0', 'b1', 'c2'])
})

it('a stream gives way, and nothing of it is lost', async () => {
  const found: number[] = []
  const rounds = await countRounds(() =>
    drain(
      flatMapInTurns(batchesOf(numbers, [], numbers), (n) => {
        keepBusy(1)
        return n % 2 === 0 ? [n, -n] : []
      }),
      (batch) => found.push(...batch),
    ),
  )
  const expected = numbers.filter((n) => n % 2 === 0).flatMap((n) => [n, -n])
  expect(found).toEqual([...expected, ...expected])
  expect(rounds).toBeGreaterThan(10)
})

it('the time of its reader counts: cheap items that are expensive to use are few at a time', async () => {
  const items = Array.from({ length: 200 }, (_, i) => i)
  const rounds = await countRounds(() =>
    drain(
      flatMapInTurns(batchesOf(items, items), (n) => {
        keepBusy(0.1)
        return [n]
      }),
      (batch) => keepBusy(0.1 * batch.length),
    ),
  )
  expect(rounds).toBeGreaterThan(8)
})

it('one loop has the thread in each round, however many there are', async () => {
  const turnsOf = (items: readonly number[]): Promise<number> => countRounds(() => inTurns(items, () => keepBusy(2)))
  const alone = await turnsOf(numbers)
  const rounds = await countRounds(() => Promise.all([1, 2, 3].map(() => inTurns(numbers, () => keepBusy(2)))))
  expect(rounds).toBeGreaterThan(2 * alone)
})

it('ends when its signal has', async () => {
  const leaving = new AbortController()
  const turn = new Turn(leaving.signal)
  await turn.next()
  leaving.abort(new Error('left'))
  await expect(turn.next()).rejects.toThrow('left')
})

it('turns are shorter while an event is expected', async () => {
  const work = (): Promise<void> => inTurns(numbers, () => keepBusy(1))
  expect(await countRounds(() => expecting(work()))).toBeGreaterThan(await countRounds(work))
  await expect(expecting(Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('work that waits for nothing begins at once, and gives way when it is repeated', async () => {
  expect(await countRounds(separateRounds)).toBeLessThan(2)
  const rounds = await countRounds(async () => {
    for (let i = 0; i < 10; i++) await separateRounds()
  })
  expect(rounds).toBeGreaterThanOrEqual(5)
})
