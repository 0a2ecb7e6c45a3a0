import { loadSettings } from '../../src/config/load-settings.ts'
import { SqliteFile } from '../../src/storage/sqlite-file.ts'
import { systemClock } from '../../src/subscriptions/delivery/clock.ts'
import { createDelivery } from '../../src/subscriptions/delivery/create-delivery.ts'
import type { DeliveryStore } from '../../src/subscriptions/record/delivery-store.ts'
import { createSecretCipher } from '../../src/subscriptions/stores/shared/secret-cipher.ts'
import { sqliteDeliveryStore } from '../../src/subscriptions/stores/sqlite/sqlite-delivery-store.ts'
import { sqliteSecretStore } from '../../src/subscriptions/stores/sqlite/sqlite-secret-store.ts'
import { sqliteSubscriptionStore } from '../../src/subscriptions/stores/sqlite/sqlite-subscription-store.ts'

/**
 * Delivers pending notifications of a file and kills itself at a given point: `claimed`, `sent` or `recorded`, after a
 * given number of deliveries. With `end`, it stops when nothing is pending. Its clock is ahead by a given time.
 */
const [path = '', point = 'end', countText = '1', aheadText = '0'] = process.argv.slice(2)
const count = Number(countText)
const ahead = Number(aheadText)

const file = SqliteFile.open(path)
const store = sqliteDeliveryStore(file)
let reached = 0

function dieAt(name: string): void {
  if (name !== point) return
  reached += 1
  if (reached >= count) process.kill(process.pid, 'SIGKILL')
}

const deliveries: DeliveryStore = Object.assign(Object.create(store) as DeliveryStore, {
  claim: async (...given: Parameters<DeliveryStore['claim']>) => {
    const claimed = await store.claim(...given)
    if (claimed.length > 0) dieAt('claimed')
    return claimed
  },
  record: async (...given: Parameters<DeliveryStore['record']>) => {
    dieAt('sent')
    await store.record(...given)
    dieAt('recorded')
  },
  nextDue: (...given: Parameters<DeliveryStore['nextDue']>) => store.nextDue(...given),
  release: (...given: Parameters<DeliveryStore['release']>) => store.release(...given),
  attempts: (...given: Parameters<DeliveryStore['attempts']>) => store.attempts(...given),
  hasDelivered: (...given: Parameters<DeliveryStore['hasDelivered']>) => store.hasDelivered(...given),
  cancel: (...given: Parameters<DeliveryStore['cancel']>) => store.cancel(...given),
  clean: async () => undefined,
  onDue: (...given: Parameters<DeliveryStore['onDue']>) => store.onDue(...given),
})

const delivering = createDelivery({
  settings: loadSettings({ flags: { 'egress.allow': '127.0.0.1' } }),
  version: '1.2.3',
  base: () => 'http://localhost',
  subscriptions: sqliteSubscriptionStore(file),
  secrets: sqliteSecretStore(file, createSecretCipher(undefined)),
  deliveries,
  isShared: false,
  log: { warn: () => undefined, error: () => undefined },
  clock: { now: () => Date.now() + ahead, after: systemClock.after },
})
delivering.start()

while (
  Number(file.database.prepare('SELECT count(*) AS n FROM delivery WHERE next_attempt_at IS NOT NULL').get()?.n) > 0
) {
  await new Promise((resolve) => setTimeout(resolve, 10))
}
await delivering.stop()
file.close()
