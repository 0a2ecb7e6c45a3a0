import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export type Color = readonly [number, number, number, number]

export const RED: Color = [255, 0, 0, 255]
export const GREEN: Color = [0, 255, 0, 255]
export const BLUE: Color = [0, 0, 255, 255]
export const NOTHING: Color = [0, 0, 0, 0]

/** An image with pixels computed by a function, as raw RGBA for sharp. */
function painted(width: number, height: number, colorAt: (x: number, y: number) => Color): Sharp {
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(colorAt(x, y), (y * width + x) * 4)
  return sharp(data, { raw: { width, height, channels: 4 } })
}

export const png = (colorAt: (x: number, y: number) => Color, width = 256, height = width): Promise<Buffer> =>
  painted(width, height, colorAt).png().toBuffer()

export const plain = (color: Color, width = 256, height = width): Promise<Buffer> => png(() => color, width, height)

export const leftHalf = (color: Color): Promise<Buffer> => png((x) => (x < 128 ? color : NOTHING))
export const rightHalf = (color: Color): Promise<Buffer> => png((x) => (x >= 128 ? color : NOTHING))

export const jpeg = (color: Color): Promise<Buffer> =>
  painted(256, 256, () => color)
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()

/** Encoders for other image forms: without alpha, with a palette, with 16 bits per channel and more. */
export const otherForms: Readonly<Record<string, (color: Color) => Promise<Buffer>>> = {
  'without alpha': (color) =>
    painted(256, 256, () => color)
      .removeAlpha()
      .png()
      .toBuffer(),
  'with a palette': (color) =>
    painted(256, 256, () => color)
      .png({ palette: true })
      .toBuffer(),
  'with 16 bits': (color) =>
    painted(256, 256, () => color)
      .toColourspace('rgb16')
      .png()
      .toBuffer(),
  interlaced: (color) =>
    painted(256, 256, () => color)
      .png({ progressive: true })
      .toBuffer(),
}

/** Returns a valid black PNG with one bit per pixel: a few kilobytes for hundreds of millions of pixels. */
export function vastPng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))), { level: 9 })
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const bytes = Buffer.alloc(body.length + 8)
    bytes.writeUInt32BE(data.length, 0)
    bytes.set(body, 4)
    bytes.writeUInt32BE(crc32(body), body.length + 4)
    return bytes
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}
