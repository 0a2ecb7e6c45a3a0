import { readFileSync } from 'node:fs'

const described: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
const manifest = typeof described === 'object' && described !== null ? described : {}

export const version: string = 'version' in manifest ? String(manifest.version) : 'unknown'

/** How a user calls this program. Only the manifest of a checkout is private. */
export const ownCommand: string = 'private' in manifest && manifest.private === true ? 'npx periplus' : 'periplus'
