/** Returns the name of a collection as part of a file name; unsafe characters become `_`. */
export const fileName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/gu, '_')
