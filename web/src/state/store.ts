import { computed, signal } from '@preact/signals'
import { type Chip, chip } from '../filters/chip.ts'
import { type ExplorerState, initialState } from './explorer-state.ts'
import { parseState, printState } from './state-url.ts'
import { untickAll } from './ticked.ts'

const current = signal<ExplorerState>(parseState(location.hash))

/** The state of the page; only `change` replaces it. */
export const state = computed(() => current.value)

/** A patch of the state; undefined takes a member away. */
type Patch = { readonly [K in keyof ExplorerState]?: ExplorerState[K] | undefined }

/**
 * Changes the state and the address with it. `replace` is for what happens all the time and is no step to go back to:
 * a map that was moved, a row that was looked at.
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

/** Another collection: nothing of what was chosen for the one before fits it. */
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

/** Raised to ask for everything again. */
export const revision = signal(0)

const readAddress = (): void => {
  const read = parseState(location.hash)
  if (printState(read) === printState(current.value)) return
  if (read.collection !== current.value.collection) untickAll()
  current.value = read
}
window.addEventListener('popstate', readAddress)
window.addEventListener('hashchange', readAddress)
