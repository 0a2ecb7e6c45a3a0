import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/**
 * Allowed difference from the stored picture. Text and edges are rendered slightly differently on every machine, so
 * both pictures are compared in blocks of BLOCK x BLOCK pixels. At most SHARE of the blocks may differ by more than
 * EDGE of 255 in a channel.
 */
const BLOCK = 8
const EDGE = 28
const SHARE = 0.03

/**
 * Compares with `docs/pictures/NAME.png` and returns the difference as text, undefined if there is none. Stores the
 * picture if it does not exist yet.
 */
export async function differenceFromStored(name: string, made: Buffer): Promise<string | undefined> {
  const file = fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url))
  if (!existsSync(file)) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await sharp(made).png({ palette: true, quality: 90, effort: 8 }).toBuffer())
    return `${file} was not there; it is now: look at it`
  }
  const [stored, now] = [await fromAfar(await readFile(file)), await fromAfar(made)]
  if (stored.width !== now.width || stored.height !== now.height) return `${now.width} x ${now.height} blocks`
  const blocks = now.width * now.height
  let off = 0
  for (let i = 0; i < blocks; i++) {
    const differs = [0, 1, 2].some((k) => Math.abs((stored.data[3 * i + k] ?? 0) - (now.data[3 * i + k] ?? 0)) > EDGE)
    if (differs) off++
  }
  const share = off / blocks
  return share <= SHARE ? undefined : `${(100 * share).toFixed(1)} % of the blocks are others`
}

async function fromAfar(
  bytes: Buffer,
): Promise<{ readonly data: Buffer; readonly width: number; readonly height: number }> {
  const { width, height } = await sharp(bytes).metadata()
  const [columns, rows] = [Math.round(width / BLOCK), Math.round(height / BLOCK)]
  const image = sharp(bytes).removeAlpha().resize(columns, rows, { kernel: 'cubic', fit: 'fill' })
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
