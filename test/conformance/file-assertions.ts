import { filesInZip } from '../files/zip.ts'
import type { Expectation } from './vector.ts'

/** Bytes of the header of a .shx file, and of each of its records. */
const SHX_HEADER = 100
const SHX_RECORD = 8

/** Checks a response that is a file. Returns a description of the failure. */
export function checkFile({ png, zip }: Expectation, bytes: Buffer): string | undefined {
  return (png && checkPng(png, bytes)) ?? (zip && checkZip(zip, bytes))
}

function checkPng(wanted: NonNullable<Expectation['png']>, bytes: Buffer): string | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 1, 4) !== 'PNG') return 'body expected to be a PNG'
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width === wanted.width && height === wanted.height) return undefined
  return `PNG expected to be ${wanted.width} by ${wanted.height}, got ${width} by ${height}`
}

function checkZip(wanted: NonNullable<Expectation['zip']>, bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 0, 2) !== 'PK') return 'body expected to be a zip'
  const files = [...filesInZip(bytes)]
  const holds = (pattern: string): boolean => files.some(([name]) => new RegExp(pattern).test(name))
  const missing = wanted.names?.find((pattern) => !holds(pattern))
  const surplus = wanted.absent?.find(holds)
  const names = files.map(([name]) => name).join(', ')
  if (missing !== undefined) return `zip expected to hold ${missing}, got ${names}`
  if (surplus !== undefined) return `zip expected not to hold ${surplus}, got ${names}`
  const records = files
    .filter(([name]) => name.endsWith('.shx'))
    .reduce((sum, [, content]) => sum + (content.length - SHX_HEADER) / SHX_RECORD, 0)
  if (wanted.records === undefined || records === wanted.records) return undefined
  return `zip expected to hold ${wanted.records} shapes, got ${records}`
}
