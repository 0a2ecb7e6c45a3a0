import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

// every command is a process that has to start first
describe('tags from the command line', () => {
  let place: Workplace
  let server: RunningServer
  beforeAll(async () => {
    place = makeWorkplace()
    const documents = ['a', 'b', 'c', 'a'].map((kind, i) => ({
      id: `${i}`,
      time: i,
      place: `${i},${i}`,
      kind,
      level: i,
    }))
    writeFileSync(place.path('things.ndjson'), documents.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const paths = {
      index_name: 'things',
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'time',
    }
    const reference = { ...paths, taggable_fields: 'tags,level,kind', update_max_hits: 3 }
    writeFileSync(place.path('things.json'), JSON.stringify(reference))
    const properties = {
      id: { type: 'keyword' },
      time: { type: 'date' },
      place: { type: 'geo_point' },
      kind: { type: 'keyword' },
      level: { type: 'integer' },
    }
    writeFileSync(place.path('mapping.json'), JSON.stringify({ properties }))
    const absent = await place.run(['tag', 'things', '--path', 'tags', '--value', 'x'])
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('start one with "periplus serve"') })
    server = await place.serve()
    const loaded = await place.run(['load', 'things.ndjson', '--index', 'things', '--mapping', 'mapping.json'])
    expect(loaded, loaded.stderr).toMatchObject({ code: 0 })
    expect((await place.run(['collections', 'put', 'things', 'things.json'])).code).toBe(0)
  })
  afterAll(async () => {
    await server?.stop()
    place.remove()
  })

  const count = async (f: string): Promise<number> => {
    const answer = await fetch(`${server.url}/explore/things/_count?f=${f}`)
    return ((await answer.json()) as { readonly totalnb: number }).totalnb
  }

  it.each(['tag', 'untag', 'tags'])('periplus %s --help', async (command) => {
    const { code, stdout } = await place.run([command, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: periplus ${command}`)
    expect(stdout).toContain('Examples:')
  })

  it('are added and removed', async () => {
    const added = await place.run([
      'tag',
      'things',
      '--path',
      'tags',
      '--value',
      'new',
      '--filter',
      'kind:eq:a',
      '--wait',
    ])
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Done: 2 documents, in \d+\.\d s\.\n$/) })
    expect(await count('tags:eq:new')).toBe(2)
    const removed = await place.run([
      'untag',
      'things',
      '--path',
      'tags',
      '--all',
      '--filter',
      'id:eq:0;id:eq:3',
      '--wait',
    ])
    expect(removed.stdout).toMatch(/^Done: 2 documents/)
    expect(await count('tags:eq:new')).toBe(0)
  })

  it('keep the type they are given, and go where values are shared', async () => {
    const numbered = [
      'tag',
      'things',
      '--path',
      'level',
      '--value',
      '9',
      '--type',
      'number',
      '--filter',
      'id:eq:0',
      '--wait',
    ]
    expect((await place.run([...numbered, '--propagate', 'kind'])).stdout).toMatch(/^Done: 2 documents/)
    expect(await count('level:eq:9')).toBe(2)
    const text = await place.run(['tag', 'things', '--path', 'level', '--value', '9', '--filter', 'id:eq:0'])
    expect(text).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tag\.value must be an integer .*\.\n$/) })
  })

  it('are accepted at once, listed, followed and replayed', async () => {
    const accepted = await place.run([
      'tag',
      'things',
      '--path',
      'tags',
      '--value',
      'l',
      '--label',
      'mine',
      '--filter',
      'id:eq:1',
    ])
    const id = /^Accepted as (\S+) \(ADD\)/.exec(accepted.stdout)?.[1] ?? ''
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const done = await place.run(['tags', 'status', 'things', id, '--wait'])
    expect(done.stdout).toMatch(/^Done: 1 document,/)
    const told = await place.run(['tags', 'status', 'things', id, '--json'])
    expect(JSON.parse(told.stdout)).toMatchObject({ id, label: 'mine', progress: 100, updated: 1 })
    const list = JSON.parse((await place.run(['tags', 'list', 'things', '--json'])).stdout)
    expect(list.at(-1)).toMatchObject({ id, tag: { path: 'tags', value: 'l' } })
    const table = await place.run(['tags', 'list', 'things', '--from', String(list.at(-1).offset)])
    expect(table.stdout).toMatch(new RegExp(`^offset .*\\n +\\d+ +${id} .* ADD +tags +"l" +mine\\n$`))
    const again = await place.run(['tags', 'replay', 'things', '--offset', String(list.at(-1).offset), '--wait'])
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Done: 1 document,/) })
  })

  it('tell what failed', async () => {
    const many = await place.run(['tag', 'things', '--path', 'tags', '--value', 'x', '--wait'])
    expect(many).toMatchObject({ code: 3, stderr: expect.stringMatching(/LIMIT_EXCEEDED .*4 .*3/) })
  })

  it.each([
    [['tag', 'things', '--path', 'tags'], 2, /--value/],
    [['tag', 'things', '--value', 'x'], 2, /--path/],
    [['untag', 'things', '--path', 'tags'], 2, /^Specify what to remove: --value VALUE, or --all/],
    [['untag', 'things', '--path', 'tags', '--value', 'x', '--all'], 2, /^Specify what to remove/],
    [['tag', 'things', '--path', 'tags', '--value', 'x', '--type', 'number'], 2, /^--value must be a number/],
    [['tag', 'things', '--path', 'tags', '--value', 'x', '--filter', 'kind:a'], 2, /^--filter must consist of/],
    [['tag', 'things', '--path', 'tags', '--value', 'x', '--propagate-filter', 'kind:eq:a'], 2, /requires --propagate/],
    [['tag', 'nowhere', '--path', 'tags', '--value', 'x'], 1, /^Collection nowhere does not exist\.\n$/],
    [['tag', 'things', '--path', 'time', '--value', 'x'], 1, /^The path time is not among the taggable_fields/],
    [['tags', 'status', 'things', 'nope'], 1, /^Tag request nope does not exist/],
    [['tags', 'replay', 'things', '--offset', 'x'], 1, /^offset must be an integer/],
  ] as const)('refuse %j', async (command, code, message) => {
    const outcome = await place.run([...command])
    expect(outcome.code).toBe(code)
    expect(outcome.stderr).toMatch(message)
  })
})
