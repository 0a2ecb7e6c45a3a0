import { mapInTurns } from '../turn.ts'

/** Shorter lists are printed in less than a turn. */
const LONG = 200

export function printJson(value: unknown, pretty: boolean): string {
  return pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value)
}

/** The same text; the members of a long list, which large answers have directly below their top, are printed in turns. */
export async function printJsonInTurns(value: unknown, pretty: boolean): Promise<string> {
  if (pretty || !isRecord(value) || !Object.values(value).some(isLong)) return printJson(value, pretty)
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    const text = isLong(member) ? await printList(member) : JSON.stringify(member)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

async function printList(list: readonly unknown[]): Promise<string> {
  const items = await mapInTurns(list, (item) => JSON.stringify(item) ?? 'null')
  return `[${items.join(',')}]`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > LONG
