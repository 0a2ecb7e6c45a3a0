import { readFileSync } from 'node:fs'

const described: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

export const version: string =
  typeof described === 'object' && described !== null && 'version' in described ? String(described.version) : 'unknown'
