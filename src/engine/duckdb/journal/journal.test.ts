import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnreadableStorage } from '../files/source-directory.ts'
import { Journal } from './journal.ts'

let directory: string
let journal: Journal

const texts = async (flushed = 0): Promise<readonly string[]> => {
  const opened = await Journal.open(directory, flushed)
  journal = opened.journal
  return opened.records.map(({ number, payload }) => `${number} ${payload}`)
}

const reopen = async (flushed = 0): Promise<readonly string[]> => {
  await journal.close()
  return texts(flushed)
}

const append = (text: string): Promise<number> => journal.append([Buffer.from(text)])

const files = (): readonly string[] => {
  const folder = join(directory, 'journal')
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}

/** Changes a byte of the only occurrence of a text. */
function flip(text: string): void {
  const [path = ''] = files().filter((file) => readFileSync(file).includes(text))
  const bytes = readFileSync(path)
  const at = bytes.indexOf(text)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-journal-'))
  await texts()
})

afterEach(async () => {
  await journal.close()
  rmSync(directory, { recursive: true })
})

describe('a journal', () => {
  it('returns the records that the database lacks, in order', async () => {
    for (const text of ['one', 'two', 'three']) await append(text)
    expect(await reopen()).toEqual(['1 one', '2 two', '3 three'])
    expect(await reopen(2)).toEqual(['3 three'])
    expect(await reopen(3)).toEqual([])
  })

  it('goes on after the last number, also when its files are gone', async () => {
    await append('one')
    await reopen(1)
    expect(await append('two')).toBe(2)
    await journal.close()
    rmSync(join(directory, 'journal'), { recursive: true })
    await texts(2)
    expect(await append('three')).toBe(3)
    expect(await reopen(2)).toEqual(['3 three'])
  })

  it('writes over records that are in the database', async () => {
    const large = 'x'.repeat(600_000)
    const expected: string[] = []
    for (let n = 1; n <= 40; n++) {
      await append(`${n} ${large}`)
      expected.push(`${n} ${n} ${large}`)
      // Always some records behind, as while writes go on.
      if (n % 3 === 0) journal.flushed(n - 1)
    }
    expect(files()).toHaveLength(2)
    for (const path of files()) expect(readFileSync(path).length).toBeLessThan(8 * 1024 * 1024)
    expect(await reopen(38)).toEqual(expected.slice(38))
  })

  it('holds records of any size and content', async () => {
    await append('first')
    const copy = readFileSync(files()[0] ?? '').subarray(64, 256)
    await journal.append([copy, Buffer.alloc(3_000_000, copy), Buffer.alloc(0)])
    await append('')
    const found = await reopen(1)
    expect(found).toHaveLength(2)
    expect(found[1]).toBe('3 ')
  })
})

describe('a damaged journal', () => {
  it('loses an incomplete last record, which was not acknowledged', async () => {
    for (const text of ['one', 'two', 'thr'.repeat(100)]) await append(text)
    await journal.close()
    const [path = ''] = files()
    truncateSync(path, readFileSync(path).indexOf('thr') + 50)
    expect(await texts()).toEqual(['1 one', '2 two'])
    await append('four')
    expect(await reopen(2)).toEqual(['3 four'])
  })

  it('is refused if a record before the last is damaged or missing', async () => {
    for (const text of ['one', 'two', 'three']) await append(text)
    await journal.close()
    flip('two')
    await expect(texts()).rejects.toThrow(UnreadableStorage)
    await expect(texts(1)).rejects.toThrow(/is damaged.*Restore/)
    // Damage among records that nobody needs does not matter.
    expect(await texts(2)).toEqual(['3 three'])
  })

  it('is refused if the start of a file is damaged', async () => {
    await append('one')
    await journal.close()
    flip('periplus journal')
    await expect(texts()).rejects.toThrow(UnreadableStorage)
  })

  it('is opened if a file was never completed', async () => {
    writeFileSync(join(directory, 'journal', '7'), '')
    writeFileSync(join(directory, 'journal', '8'), Buffer.alloc(300_000))
    expect(await reopen()).toEqual([])
    expect(files()).toEqual([])
    await append('one')
    expect(await reopen()).toEqual(['1 one'])
  })
})

describe('a failed append', () => {
  it('stops the journal until it is repaired, and is not found later', async () => {
    await append('one')
    expect(await append('two')).toBe(2)
    journal.reject()
    await expect(append('three')).rejects.toThrow('repaired')
    journal.flushed(1)
    await journal.repair()
    expect(await append('another two')).toBe(2)
    expect(await reopen(1)).toEqual(['2 another two'])
  })

  it('is reported when the disk fails', async () => {
    rmSync(join(directory, 'journal'), { recursive: true })
    await expect(append('one')).rejects.toThrow('ENOENT')
    expect(journal.isBroken).toBe(true)
    await expect(journal.repair()).rejects.toThrow('ENOENT')
    mkdirSync(join(directory, 'journal'))
    await journal.repair()
    expect(await append('one')).toBe(1)
    expect(await reopen()).toEqual(['1 one'])
  })
})
