import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from '../../../../../query/value/code-point-order.ts'
import { Turn } from '../../../../../turn.ts'
import { ExtendedDictionary } from '../../../parts/extended-dictionary.ts'
import type { Dictionary } from '../../../segment/dictionary.ts'
import { SortedDictionary } from '../../../segment/sorted-dictionary.ts'
import { GrowingDictionary } from '../../../segment/tail/growing-dictionary.ts'
import { TermSpace } from './term-space.ts'

function sortedOf(terms: readonly string[]): Dictionary {
  const buffers = terms.toSorted(compareCodePoints).map((term) => Buffer.from(term))
  const starts = new Uint32Array(buffers.length + 1)
  for (const [i, buffer] of buffers.entries()) starts[i + 1] = (starts[i] ?? 0) + buffer.length
  return new SortedDictionary({ bytes: new Uint8Array(Buffer.concat(buffers)), starts })
}

function growingOf(terms: readonly string[]): GrowingDictionary {
  const dictionary = new GrowingDictionary()
  for (const term of terms) dictionary.add(term)
  return dictionary
}

function extendedOf(terms: readonly string[]): Dictionary {
  const half = Math.floor(terms.length / 2)
  const dictionary = new ExtendedDictionary(sortedOf(terms.slice(0, half)))
  for (const term of terms.slice(half)) dictionary.add(term)
  return dictionary
}

const makers: readonly ((terms: readonly string[]) => Dictionary)[] = [
  sortedOf,
  (terms) => growingOf(terms).view(),
  extendedOf,
]

const term = fc.oneof(
  fc.string({ maxLength: 4, unit: 'grapheme' }).map((text) => text.toWellFormed()),
  fc.nat(300).map((n) => `term ${n}`),
)
const terms = fc.uniqueArray(term, { maxLength: 60 })
const dictionary = fc.tuple(terms, fc.constantFrom(...makers)).map(([some, make]) => make(some))

/** Checks all terms of some dictionaries, the last of which may be unknown to the space. */
async function check(members: readonly Dictionary[], stranger?: Dictionary): Promise<void> {
  const space = new TermSpace(members)
  await space.prepare(new Turn())
  const ids = new Map<string, number>()
  for (const each of [...members, ...(stranger ? [stranger] : [])]) {
    for (let code = 1; code <= each.size; code++) {
      const text = each.term(code)
      const id = space.idOfCode(each, code)
      expect(space.key(id)).toBe(text)
      expect(ids.get(text) ?? id, text).toBe(id)
      ids.set(text, id)
    }
  }
  expect(new Set(ids.values()).size).toBe(ids.size)
  for (const id of ids.values()) expect(id).toBeLessThan(space.size)
  const sorted = [...ids].sort(([, a], [, b]) => space.compare(a, b)).map(([text]) => text)
  expect(sorted).toEqual([...ids.keys()].sort(compareCodePoints))
}

describe('TermSpace', () => {
  it('numbers each term once, whichever dictionaries have it, and knows the order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(dictionary, { maxLength: 5 }), (members) => check(members)),
      { numRuns: 200 },
    )
  })

  it('takes terms of further dictionaries', async () => {
    await fc.assert(fc.asyncProperty(fc.array(dictionary, { minLength: 1, maxLength: 3 }), dictionary, check), {
      numRuns: 100,
    })
  })

  it('follows dictionaries that grow', async () => {
    const [one, other] = [growingOf(['b', 'c']), growingOf(['a'])]
    const base = sortedOf(['a', 'b', 'd'])
    await check([base, one.view(), other.view()])
    for (const added of ['d', 'a', 'x', 'e']) {
      one.add(added)
      await check([base, one.view(), other.view()])
      other.add(added)
      other.add(`${added}${added}`)
      await check([base, one.view(), other.view()])
    }
  })

  it('finds terms of a large dictionary in a larger one', async () => {
    const all = Array.from({ length: 5000 }, (_, i) => `t${(i * 7919) % 100_000}`)
    await check([
      sortedOf(all),
      sortedOf(all.filter((_, i) => i % 3 === 0).map((text) => `${text}x`)),
      sortedOf(all.slice(0, 900)),
    ])
  })
})
