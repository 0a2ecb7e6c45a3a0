import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { explorerPolicy, readExplorerFiles, withBasemap } from './explorer-files.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'periplus-pages-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('the files of the explorer', () => {
  test('are none before it was built', () => {
    expect(readExplorerFiles(directory)).toBeUndefined()
  })

  test('are the page and what it loads, with their types; nothing else', () => {
    mkdirSync(path.join(directory, 'explorer'))
    for (const name of ['index.html', 'docs.html']) writeFileSync(path.join(directory, name), '<!doctype html>')
    writeFileSync(path.join(directory, 'explorer', 'index-1.js'), 'export {}')
    writeFileSync(path.join(directory, 'explorer', 'worker-2.mjs'), 'export {}')
    writeFileSync(path.join(directory, 'explorer', 'index-1.js.map'), '{}')
    const files = readExplorerFiles(directory)
    expect(files?.page.type).toBe('text/html; charset=utf-8')
    expect([...(files?.assets ?? [])].map(([name, { type }]) => [name, type]).sort()).toEqual([
      ['index-1.js', 'text/javascript; charset=utf-8'],
      ['worker-2.mjs', 'text/javascript; charset=utf-8'],
    ])
  })
})

test('the policy allows nothing inline, no evaluation and no other host', () => {
  const policy = explorerPolicy(undefined)
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(policy).toContain("default-src 'none'")
})

describe('a basemap of another server', () => {
  const page = { content: Buffer.from('<head><title>x</title></head>'), type: 'text/html', tag: '"a"' }
  const url = 'https://tiles.example.org/a&b/{z}/{x}/{y}.png'

  test('is named in the page, and nothing in its name can be markup', () => {
    const { content, tag } = withBasemap(page, { url, attribution: '"><script>$&' })
    const text = content.toString()
    expect(text).toContain('content="https://tiles.example.org/a&amp;b/{z}/{x}/{y}.png"')
    expect(text).toContain('content="&quot;&gt;&lt;script&gt;$&amp;"')
    expect(text).not.toContain('<script>')
    expect(tag).not.toBe(page.tag)
  })

  test('is the only other host the page may ask', () => {
    expect(explorerPolicy({ url })).toContain("connect-src 'self' https://tiles.example.org;")
    expect(explorerPolicy(undefined)).not.toContain('https:')
  })
})
