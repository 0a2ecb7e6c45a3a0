import { describe, expect, it } from 'vitest'
import { parseBulk } from './bulk-request.ts'

/** Documents are parsed lazily; this converts them to plain objects for comparison. */
const parse = (text: string, index?: string) =>
  parseBulk(Buffer.from(text), index).map(({ content, ...item }) => {
    if (content.kind !== 'document') return { ...item, content }
    const { kind, source, text } = content
    return { ...item, content: { kind, source, text } }
  })

describe('parseBulk', () => {
  it('reads every kind of action', () => {
    const items = parse(
      [
        '{"index":{"_id":"1"}}',
        '{"a":1}',
        '{"create":{"_index":"other"}}',
        '{"a":2}\r',
        '{"update":{"_id":3}}',
        '{"doc":{"a":3},"doc_as_upsert":true}',
        '',
        '{"delete":{"_id":"4"}}',
      ].join('\n'),
      'main',
    )
    expect(items).toEqual([
      { action: 'index', index: 'main', id: '1', content: { kind: 'document', source: { a: 1 }, text: '{"a":1}' } },
      { action: 'create', index: 'other', content: { kind: 'document', source: { a: 2 }, text: '{"a":2}' } },
      { action: 'update', index: 'main', id: '3', content: { kind: 'changes', doc: { a: 3 }, upsert: true } },
      { action: 'delete', index: 'main', id: '4', content: { kind: 'nothing' } },
    ])
  })

  it.each([
    ['{"index":{}}\n{"a":\n', 'document_parsing_exception'],
    ['{"index":{}}\n[1]\n', 'document_parsing_exception'],
    ['{"index":{"_id":""}}\n{}\n', 'illegal_argument_exception'],
    [`{"index":{"_id":"${'x'.repeat(513)}"}}\n{}\n`, 'illegal_argument_exception'],
    ['{"update":{"_id":"1"}}\n{"script":"x"}\n', 'illegal_argument_exception'],
    ['{"update":{"_id":"1"}}\n{"a":1}\n', 'illegal_argument_exception'],
    ['{"update":{"_id":"1"}}\n{}\n', 'illegal_argument_exception'],
    ['{"update":{"_id":"1"}}\n{"doc":{},"doc_as_upsert":{}}\n', 'illegal_argument_exception'],
  ])('one bad item does not fail the others: %s', (text, type) => {
    const items = parse(`${text}{"index":{}}\n{"b":1}\n`, 'i')
    expect(items[0]?.content).toMatchObject({ kind: 'fault', type })
    expect(items[1]?.content).toMatchObject({ kind: 'document' })
  })

  it.each([
    ['', 'body must not be empty'],
    ['\n\n', 'body must not be empty'],
    ['x\n{}\n', 'action line 1 must be JSON'],
    ['{"index":{}}\n{}\n{"a":1}\n', 'action line 3 must be an object with one of index, create, update, delete'],
    ['{"index":{},"create":{}}\n{}\n', 'must be an object with one of'],
    ['{"index":[]}\n{}\n', 'must have an object under index'],
    ['{"index":{}}', 'must be followed by a line with the document'],
    ['{"delete":{}}\n', 'must have an _id to delete'],
    ['{"update":{}}\n{"doc":{}}\n', 'must have an _id to update'],
    ['{"index":{"if_seq_no":3}}\n{}\n', 'must not have if_seq_no'],
    ['{"index":{"_id":{}}}\n{}\n', 'must have a string as _id'],
  ])('a bad action line fails the request: %j', (text, message) => {
    expect(() => parse(text, 'i')).toThrow(message)
  })

  it('reads action lines that differ in their id only as it reads the first', () => {
    const ids = ['a', 'b', 'é', 'q"q', 'back\\slash', 'a b', '"_id":"', 'x"}}', '7', '']
    const lines = (line: (id: string) => string) => `${ids.map((id) => `${line(id)}\n{}\n`).join('')}`
    for (const line of [
      (id: string) => JSON.stringify({ index: { _id: id } }),
      (id: string) => JSON.stringify({ create: { _index: 'a', _id: id, routing: 'b' } }),
      (id: string) => `{ "index" : { "_id" : ${JSON.stringify(id)}, "_index": "i" } } \r`,
      (id: string) => `{"index":{"_id":"first","_id":${JSON.stringify(id)}}}`,
    ]) {
      const items = parse(lines(line), 'i')
      expect(items.map((item) => item.id)).toEqual(ids)
      for (const { action, index } of items)
        expect({ action, index }).toEqual({ action: items[0]?.action, index: items[0]?.index })
    }
  })

  it('tells a line of another kind from those before it', () => {
    const items = parse(
      '{"index":{"_id":"1"}}\n{}\n{"index":{"_id":"2","_index":"o"}}\n{}\n{"index":{"_id":"3"}}\n{}\n',
      'i',
    )
    expect(items.map(({ index, id }) => [index, id])).toEqual([
      ['i', '1'],
      ['o', '2'],
      ['i', '3'],
    ])
    expect(() => parse('{"index":{"_id":"1"}}\n{}\n{"index":{"_id":"2"}\n{}\n', 'i')).toThrow('action line 3')
  })

  it('finds which lines are not UTF-8', () => {
    const body = Buffer.concat([
      Buffer.from('{"index":{}}\n{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"index":{}}\n{"a":1}\n'),
    ])
    const [bad, good] = parseBulk(body, 'i')
    expect(bad?.content).toMatchObject({ kind: 'fault', reason: 'the document is not UTF-8 text' })
    expect(good?.content).toMatchObject({ kind: 'document' })
  })

  it('needs an index from somewhere', () => {
    expect(() => parse('{"index":{}}\n{}\n')).toThrow('must have an _index')
  })
})
