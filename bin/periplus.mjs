#!/usr/bin/env node
import path from 'node:path'
import { buildPageFor } from '../scripts/build-page.mjs'
import { ensureInstalled } from '../scripts/install.mjs'
import { launchPinned, root } from '../scripts/pinned-node.mjs'

// `npx periplus ...` in a checkout: the command line, run by the pinned Node. The package has a command of its own.
const args = process.argv.slice(2)
await ensureInstalled('server')
await buildPageFor(args)
process.exitCode = await launchPinned([path.join(root, 'src', 'cli', 'main.ts'), ...args])
