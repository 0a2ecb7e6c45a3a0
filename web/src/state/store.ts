import { computed, signal } from '@preact/signals'
import { type Chip, chip } from '../filters/chip.ts'
import { type ExplorerState, initialState } from './explorer-state.ts'
import { parseState, printState } from './state-url.ts'
import { untickAll } from './ticked.ts'

const current = signal<ExplorerState>(parseState(location.hash))

/** State of the page; only `change` replaces it. */
export const state = computed(() => current.value)

/** Partial state; undefined removes a member. */
type Patch = { readonly [K in keyof ExplorerState]?: ExplorerState[K] | undefined }

/**
 * Changes the state and the URL. Use `replace` for frequent changes that should not be history entries, such as map
 * moves.
 */
export function change(patch: Patch, history: 'push' | 'replace' = 'push'): void {
  const next = Object.fromEntries(
    Object.entries({ ...current.value, ...patch }).filter(([, value]) => value !== undefined),
  )
  const made: ExplorerState = { ...initialState, ...next }
  if (made.collection !== current.value.collection) untickAll()
  const [before, after] = [printState(current.value), printState(made)]
  current.value = made
  if (before === after) return
  if (history === 'push') window.history.pushState(null, '', `#${after}`)
  else window.history.replaceState(null, '', `#${after}`)
}

/** Opens another collection and resets everything chosen for the previous one. */
export const openCollection = (collection: string, history: 'push' | 'replace' = 'push'): void => {
  const fresh: Patch = {
    view: undefined,
    metric: undefined,
    rankings: undefined,
    histograms: undefined,
    span: undefined,
  }
  change(
    { ...fresh, columns: undefined, sort: undefined, document: undefined, chips: [], mode: 'auto', collection },
    history,
  )
}

export const setChips = (chips: readonly Chip[], history: 'push' | 'replace' = 'push'): void =>
  change({ chips }, history)

export const addChip = (text: string, kind: Chip['kind'] = 'f'): void => {
  const isThere = current.value.chips.some((one) => one.kind === kind && one.text === text && !one.off)
  if (!isThere) setChips([...current.value.chips, chip(text, kind)])
}

/** Increment to fetch everything again. */
export const revision = signal(0)

const readAddress = (): void => {
  const read = parseState(location.hash)
  if (printState(read) === printState(current.value)) return
  if (read.collection !== current.value.collection) untickAll()
  current.value = read
}
window.addEventListener('popstate', readAddress)
window.addEventListener('hashchange', readAddress)
