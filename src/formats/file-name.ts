/** A collection's name as part of a file name: what every system takes stays, the rest becomes `_`. */
export const fileName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/gu, '_')
