import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

/** 8-bit RGBA, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly at: (x: number, y: number) => readonly number[]
  readonly alpha: (x: number, y: number) => number
}

/** Decodes a PNG with sharp. Throws unless it is 8-bit RGBA. */
export async function readPicture(bytes: Uint8Array): Promise<Picture> {
  const image = sharp(bytes)
  const { format, channels, depth } = await image.metadata()
  if (format !== 'png' || channels !== 4 || depth !== 'uchar') throw new Error(`${format}, ${channels} x ${depth}`)
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): readonly number[] => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)]
  return { width: info.width, height: info.height, at, alpha: (x, y) => at(x, y)[3] ?? 0 }
}

/** Throws if pngcheck finds an error in the file. */
export async function checkPng(path: string): Promise<void> {
  await run('pngcheck', ['-q', path])
}

/**
 * Allowed difference from the stored picture. Anti-aliasing differs between machines: edge pixels may differ by `EDGE`
 * of 255 in any channel after alpha is applied, and `SHARE` of the pixels by more.
 */
const EDGE = 24
const SHARE = 0.002

/**
 * Compares with `pictures/NAME.png` and returns the difference as text, undefined if there is none. Stores the picture
 * if it does not exist yet.
 */
export async function differenceFromStored(name: string, bytes: Uint8Array): Promise<string | undefined> {
  const path = fileURLToPath(new URL(`pictures/${name}.png`, import.meta.url))
  if (!existsSync(path)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    return `${path} was not there; it is now: look at it`
  }
  const [stored, made] = [await readPicture(await readFile(path)), await readPicture(bytes)]
  if (stored.width !== made.width || stored.height !== made.height) return `${made.width} x ${made.height}`
  let off = 0
  for (let y = 0; y < made.height; y++) {
    for (let x = 0; x < made.width; x++) if (differ(stored.at(x, y), made.at(x, y))) off++
  }
  const share = off / (made.width * made.height)
  return share <= SHARE ? undefined : `${(share * 100).toFixed(2)} % of the pixels are others`
}

function differ(a: readonly number[], b: readonly number[]): boolean {
  const seen = (pixel: readonly number[], i: number): number =>
    i === 3 ? (pixel[3] ?? 0) : ((pixel[i] ?? 0) * (pixel[3] ?? 0)) / 255
  return [0, 1, 2, 3].some((i) => Math.abs(seen(a, i) - seen(b, i)) > EDGE)
}
