/** True for the paths of OGC API and STAC API. */
export const isInteropPath = (target: string): boolean => /^\/(?:ogc|stac)(?:[/?]|$)/.test(target)
