/** True for the paths of OGC API. */
export const isInteropPath = (target: string): boolean => /^\/ogc(?:[/?]|$)/.test(target)
