import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { everything } from '../../query/plan/predicate.ts'
import type { TaggedEngine } from './tagged-engine.fixture.ts'

/** Of a busy machine. */
const PATIENCE = { timeout: 10_000 }

export const segmentsOf = ({ directory }: TaggedEngine): string => join(directory, 'segments')

export const segmentNames = (tagged: TaggedEngine): readonly string[] =>
  readdirSync(segmentsOf(tagged)).filter((name) => !name.endsWith('.tmp'))

/** Changes every byte of the arrays of all segments. Returns their names. */
export function damageSegments(tagged: TaggedEngine): readonly string[] {
  const names = segmentNames(tagged)
  for (const name of names) {
    const file = join(segmentsOf(tagged), name)
    const bytes = readFileSync(file)
    const end = Number(bytes.readBigUInt64LE(bytes.length - 32))
    for (let at = 16; at < end; at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff
    writeFileSync(file, bytes)
  }
  return names
}

/** Waits until segments were built again. Their files are removed when they are given up; kernels answer when they are back. */
export async function areRestored(tagged: TaggedEngine, names: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    expect(segmentNames(tagged).filter((name) => names.includes(name))).toEqual([])
    const before = tagged.engine.statistics?.().paths?.kernel ?? 0
    await tagged.engine.count({ indices: ['things'], predicate: everything })
    expect(tagged.engine.statistics?.().paths?.kernel).toBe(before + 1)
  }, PATIENCE)
}
