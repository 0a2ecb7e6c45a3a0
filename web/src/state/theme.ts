import { computed, effect, signal } from '@preact/signals'
import type { Theme } from '../map/colour-scale.ts'

const KEY = 'periplus-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const system = signal<Theme>(dark.matches ? 'dark' : 'light')
dark.addEventListener('change', () => {
  system.value = dark.matches ? 'dark' : 'light'
})

const stored = localStorage.getItem(KEY)
const chosen = signal<Theme | undefined>(stored === 'dark' || stored === 'light' ? stored : undefined)

/** Light or dark: the choice of the user, else of the system. */
export const theme = computed<Theme>(() => chosen.value ?? system.value)

/** Switches the theme. Choosing the theme of the system follows the system again. */
export function switchTheme(): void {
  const next: Theme = theme.value === 'dark' ? 'light' : 'dark'
  chosen.value = next === system.value ? undefined : next
  if (chosen.value === undefined) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, chosen.value)
}

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

/** Returns the value of a CSS variable, for drawing on a canvas. */
export const styleValue = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()
