import { InputFault } from '../../source/input-fault.ts'

/** Chooses a layer by name, else the first; the note tells the others. */
export function chooseLayer(
  names: readonly string[],
  wanted: string | undefined,
  file: string,
  kind = 'layer',
): { readonly chosen: string; readonly notes: readonly string[] } {
  const chosen = wanted === undefined ? names[0] : names.find((name) => name === wanted)
  if (chosen === undefined) {
    throw new InputFault(
      names.length === 0
        ? `${file} has no ${kind} with documents.`
        : `${file} has no ${kind} ${wanted}: choose one of ${names.join(', ')}.`,
    )
  }
  const others = names.filter((name) => name !== chosen)
  const told = wanted === undefined && others.length > 0
  return {
    chosen,
    notes: told ? [`Reading ${kind} ${chosen}; --layer selects another: ${others.slice(0, 20).join(', ')}.`] : [],
  }
}
