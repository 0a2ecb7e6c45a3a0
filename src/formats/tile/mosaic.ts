/** Loaded with the first image: it is a large library that few servers need. */
const loadSharp = async () => (await import('sharp')).default

/** An image of 8-bit RGBA pixels, row by row. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Maximum pixels of an image. Larger ones are not tiles, and decoding them could exhaust memory. */
export const MOST_PIXELS = 4096 * 4096

/** Decodes a PNG or JPEG; throws on other formats. */
export async function decodeImage(bytes: Uint8Array): Promise<Pixels> {
  const sharp = await loadSharp()
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true })
  const { format } = await image.metadata()
  if (format !== 'png' && format !== 'jpeg') throw new Error('not a PNG or JPEG image')
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

/**
 * A canvas that images are added to from top to bottom: the first stays on top, later ones fill what is still
 * transparent.
 */
export class Mosaic {
  readonly width: number
  readonly height: number
  readonly #data: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#data = new Uint8Array(width * height * 4)
  }

  /** Aligns the image to the top left corner and crops it to the canvas. */
  layUnder(image: Pixels): void {
    const columns = Math.min(this.width, image.width)
    const rows = Math.min(this.height, image.height)
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        blendUnder(this.#data, (y * this.width + x) * 4, image.data, (y * image.width + x) * 4)
      }
    }
  }

  /** Returns the share of sampled pixels that are painted. Percent. */
  painted(sampling: number): number {
    let sampled = 0
    let painted = 0
    for (let y = 0; y < this.height; y += sampling) {
      for (let x = 0; x < this.width; x += sampling) {
        sampled++
        if ((this.#data[(y * this.width + x) * 4 + 3] ?? 0) > 0) painted++
      }
    }
    return (100 * painted) / sampled
  }

  async toPng(): Promise<Buffer> {
    const raw = { width: this.width, height: this.height, channels: 4 as const }
    const sharp = await loadSharp()
    return sharp(this.#data, { raw }).png({ palette: false }).toBuffer()
  }
}

/** Destination-over (Porter-Duff) of pixels without premultiplied alpha. */
function blendUnder(top: Uint8Array, t: number, bottom: Uint8Array, b: number): void {
  const topAlpha = (top[t + 3] ?? 0) / 255
  const bottomAlpha = (bottom[b + 3] ?? 0) / 255
  if (topAlpha === 1 || bottomAlpha === 0) return
  if (topAlpha === 0) {
    for (let i = 0; i < 4; i++) top[t + i] = bottom[b + i] ?? 0
    return
  }
  const shown = bottomAlpha * (1 - topAlpha)
  const alpha = topAlpha + shown
  for (let i = 0; i < 3; i++) {
    top[t + i] = Math.round(((top[t + i] ?? 0) * topAlpha + (bottom[b + i] ?? 0) * shown) / alpha)
  }
  top[t + 3] = Math.round(alpha * 255)
}
