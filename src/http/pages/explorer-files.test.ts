import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { explorerPolicy, readExplorerFiles } from './explorer-files.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'periplus-pages-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('the files of the explorer', () => {
  test('are none before it was built', () => {
    expect(readExplorerFiles(directory)).toBeUndefined()
  })

  test('are the page and what it loads, with their types; nothing else', () => {
    mkdirSync(path.join(directory, 'explorer'))
    writeFileSync(path.join(directory, 'index.html'), '<!doctype html>')
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
  expect(explorerPolicy).not.toMatch(/unsafe|https?:|\*/)
  expect(explorerPolicy).toContain("default-src 'none'")
})
