import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../json/document.ts'
import { parseRewritable } from '../json/exact-json.ts'
import { asObject } from '../json/json-object.ts'
import type { TagAction, TagValue } from '../tag-request.ts'
import { applyTag, partialDocument } from './tag-effect.ts'
import { tagText } from './tag-text.ts'

const actions: readonly TagAction[] = ['ADD', 'REMOVE', 'REMOVEALL']

/** State of the field, then its value after ADD, REMOVE and REMOVEALL of 7; undefined: the document is unchanged. */
const cells: readonly (readonly [string, JsonObject, Json | undefined, Json | undefined, Json | undefined])[] = [
  ['absent', {}, [7], undefined, undefined],
  ['null', { tags: null }, [7], undefined, undefined],
  ['an empty array', { tags: [] }, [7], undefined, null],
  ['an array without the value', { tags: ['b', 'a'] }, ['b', 'a', 7], undefined, null],
  ['an array with the value', { tags: ['b', 7, 'a'] }, undefined, ['b', 'a'], null],
  ['an array with the value twice', { tags: [7, 'a', 7] }, undefined, ['a'], null],
  ['an array of the value only', { tags: [7, 7] }, undefined, [], null],
  ['a scalar equal to the value', { tags: 7 }, [7], [], null],
  ['a scalar not equal to it', { tags: 'x' }, ['x', 7], undefined, null],
  ['the text of the value', { tags: ['7'] }, ['7', 7], undefined, null],
  ['an array in an array', { tags: [[7]] }, [[7], 7], undefined, null],
]

describe('the table of effects', () => {
  for (const [name, source, ...after] of cells) {
    for (const [i, action] of actions.entries()) {
      it(`${action} on ${name}`, () => {
        const wanted = after[i]
        const effect = applyTag(source, 'tags', action, action === 'REMOVEALL' ? undefined : 7)
        const text = tagText(JSON.stringify(source), 'tags', action, action === 'REMOVEALL' ? undefined : 7)
        if (wanted === undefined) {
          expect(effect).toEqual({ kind: 'unchanged' })
          expect(text).toEqual({ kind: 'unchanged' })
        } else {
          expect(effect).toEqual({ kind: 'changed', value: wanted, keys: ['tags'] })
          const value = JSON.stringify(wanted)
          const after = JSON.stringify({ ...source, tags: wanted })
          expect(text).toEqual({ kind: 'changed', keys: ['tags'], text: after, value, ambiguous: false })
        }
      })
    }
  }

  const misfits: readonly (readonly [JsonObject, string])[] = [
    [{ a: { b: {} } }, 'a.b is an object, which cannot be tagged'],
    [{ a: 'x' }, 'a is a string, but must be an object'],
    [{ a: 4 }, 'a is a number, but must be an object'],
    [{ a: true }, 'a is a boolean, but must be an object'],
    [{ a: [] }, 'a is an array, but must be an object'],
    [{ a: [{ b: 1 }] }, 'a is an array, but must be an object'],
    [{ 'a.b': {} }, 'a.b is an object, which cannot be tagged'],
  ]
  for (const [source, reason] of misfits) {
    for (const action of actions) {
      it(`${action} refuses ${JSON.stringify(source)}`, () => {
        expect(applyTag(source, 'a.b', action, 'v')).toEqual({ kind: 'mismatch', reason })
        expect(tagText(JSON.stringify(source), 'a.b', action, 'v')).toEqual({ kind: 'mismatch', reason })
      })
    }
  }
})

describe('the way to the field', () => {
  const added: readonly (readonly [string, string, string])[] = [
    ['{}', 'a.b.c', '{"a":{"b":{"c":["v"]}}}'],
    ['{ }', 'a', '{"a":["v"] }'],
    ['{"x":1}', 'a.b', '{"x":1,"a":{"b":["v"]}}'],
    ['{"a":null}', 'a.b.c', '{"a":{"b":{"c":["v"]}}}'],
    ['{"a":{"x":1, "b": null }}', 'a.b', '{"a":{"x":1, "b": ["v"] }}'],
    ['{"a.b":1}', 'a.b', '{"a.b":[1,"v"]}'],
    ['{"a":{"b":1},"a.b":2}', 'a.b', '{"a":{"b":1},"a.b":[2,"v"]}'],
    ['{"a":{"b.c":1}}', 'a.b.c', '{"a":{"b.c":[1,"v"]}}'],
    ['{"a.b":{"c":1}}', 'a.b.c', '{"a.b":{"c":1},"a":{"b":{"c":["v"]}}}'],
    ['{"a":1,"a":2}', 'a', '{"a":1,"a":[2,"v"]}'],
    ['{"\\u0061":1}', 'a', '{"\\u0061":[1,"v"]}'],
    ['{"b":"\\\\","a":"x\\"}"}', 'a', '{"b":"\\\\","a":["x\\"}","v"]}'],
    ['\t{\n"x" :\t1 , "a" : [ 1 , 2 ] }\n', 'a', '\t{\n"x" :\t1 , "a" : [ 1 , 2,"v" ] }\n'],
    ['{"toString":1}', 'constructor', '{"toString":1,"constructor":["v"]}'],
    ['{}', '__proto__.x', '{"__proto__":{"x":["v"]}}'],
    ['{"é😀":["ü"]}', 'é😀', '{"é😀":["ü","v"]}'],
  ]
  for (const [before, path, after] of added) {
    it(`ADD at ${path} of ${before}`, () => {
      const effect = tagText(before, path, 'ADD', 'v')
      expect(effect.kind === 'changed' && effect.text).toBe(after)
      const parsed = applyTag(JSON.parse(before), path, 'ADD', 'v')
      expect(parsed.kind === 'changed' && effect.kind === 'changed' && parsed.keys).toEqual(
        effect.kind === 'changed' && effect.keys,
      )
    })
  }

  it.each([
    ['{"a.b":1}', false],
    ['{"a":{"b":1}}', false],
    ['{"a":{"b":1},"a.b":2}', true],
    ['{"a.b":1,"a":{}}', true],
    ['{"a.x":1}', true],
    ['{"ab":1,"b.a":2}', false],
  ])('knows whether another key of %s may name the field: %s', (text, ambiguous) => {
    expect(tagText(text, 'a.b', 'ADD', 'v')).toMatchObject({ kind: 'changed', ambiguous })
    expect(tagText(`{"x":${text}}`, 'x.a.b', 'ADD', 'v')).toMatchObject({ kind: 'changed', ambiguous })
  })

  it('leaves numbers of any size, spacing and the order of keys as they are', () => {
    const before = '{ "n" : 12345678901234567890, "a":[98765432109876543210 , 1.50,1e2], "m":-0.0 }'
    const effect = tagText(before, 'a', 'ADD', 'v')
    expect(effect.kind === 'changed' && effect.text).toBe(before.replace('1e2]', '1e2,"v"]'))
    const removed = tagText(before, 'a', 'REMOVE', 100)
    expect(removed.kind === 'changed' && removed.text).toBe(
      '{ "n" : 12345678901234567890, "a":[98765432109876543210,1.50], "m":-0.0 }',
    )
  })

  it('takes numbers for equal by value and strings by code point', () => {
    expect(tagText('{"a":[1.50]}', 'a', 'ADD', 1.5)).toEqual({ kind: 'unchanged' })
    expect(tagText('{"a":["\\u0076"]}', 'a', 'ADD', 'v')).toEqual({ kind: 'unchanged' })
    expect(tagText('{"a":[true]}', 'a', 'ADD', 'true').kind).toBe('changed')
    expect(tagText('{"a":["1"]}', 'a', 'REMOVE', 1)).toEqual({ kind: 'unchanged' })
  })

  it('keeps integers that are raw JSON in a parsed document', () => {
    const effect = applyTag(asObject(parseRewritable('{"a":12345678901234567890}')), 'a', 'ADD', 'v')
    expect(effect.kind === 'changed' && JSON.stringify(partialDocument(effect.keys, effect.value))).toBe(
      '{"a":[12345678901234567890,"v"]}',
    )
  })

  it('stores awkward values literally', () => {
    const awkward: readonly TagValue[] = [
      "it's",
      '"',
      '\\',
      `\${x}`,
      "'); DROP",
      'ctx._source',
      '😀',
      '\u0000',
      7.5,
      true,
    ]
    for (const value of awkward) {
      const effect = tagText('{"x":"y"}', 'a.b', 'ADD', value)
      if (effect.kind !== 'changed') throw new Error('nothing changed')
      expect(JSON.parse(effect.text)).toEqual({ x: 'y', a: { b: [value] } })
      const back = tagText(effect.text, 'a.b', 'REMOVE', value)
      expect(back.kind === 'changed' && JSON.parse(back.text)).toEqual({ x: 'y', a: { b: [] } })
    }
  })
})
