import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLines } from './read-lines.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'periplus-lines-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function linesOf(text: string): Promise<readonly string[]> {
  const path = join(directory, 'lines')
  await writeFile(path, text)
  const lines: string[] = []
  for await (const batch of readLines(path)) for (const line of batch) lines.push(line)
  return lines
}

it('ends lines at line feeds and nowhere else', async () => {
  const lines = ['"a\u2028b\u2029c"', 'd\re\u0085f\u000bg', '', '東京']
  expect(await linesOf(`${lines.join('\n')}\n`)).toEqual(lines)
})

it('reads lines longer and shorter than what is read at once', async () => {
  const lines = [
    'é'.repeat(1_500_000),
    'x',
    'y'.repeat(2_100_000),
    ...Array.from({ length: 300_000 }, (_, i) => `${i}`),
  ]
  const read = await linesOf(`${lines.join('\n')}\n`)
  expect(read.length).toBe(lines.length)
  expect(read.every((line, i) => line === lines[i])).toBe(true)
})

it('has no line for an empty file, and takes a last one without end', async () => {
  expect(await linesOf('')).toEqual([])
  expect(await linesOf('a\nb')).toEqual(['a', 'b'])
})
