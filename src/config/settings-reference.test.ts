import { expect, test } from 'vitest'
import { settingsReference } from './print-settings.ts'

test('docs/settings.md is current (vitest run src/config --update writes it)', async () => {
  await expect(settingsReference()).toMatchFileSnapshot('../../docs/settings.md')
})
