import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { layers } from '../../scripts/layers.ts'

const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')

it('the drawing of the layers is that of the rules for imports', () => {
  const [, drawing] = /```\n(src: [^`]*)```/.exec(text) ?? []
  const lines = Object.entries(layers).map(([folder, levels]) => {
    const named = levels.map((rooms) => rooms.map((room) => (room === '.' ? '*' : room)).join(', '))
    return `${folder}: ${named.join(' < ')}\n`
  })
  expect(drawing).toBe(lines.join(''))
})

it('is short enough to be read at once', () => {
  expect(text.split(/\s+/).length).toBeLessThan(2_600)
})
