import path from 'node:path'
import { launchPinned, root } from './pinned-node.mjs'

/**
 * Builds the explorer page if its sources have changed. The server starts without it too, and shows a plain page
 * instead.
 */
export function buildPage() {
  return launchPinned([path.join(root, 'scripts', 'build-web.ts')])
}

/** Builds the page before a command that serves it. */
export async function buildPageFor(args) {
  if (args[0] === 'serve' && !args.includes('--help')) await buildPage()
}
