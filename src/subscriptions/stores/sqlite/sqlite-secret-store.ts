import type { SqliteFile } from '../../../storage/sqlite-file.ts'
import type { SecretStore } from '../../record/secret-store.ts'
import type { SecretCipher } from '../shared/secret-cipher.ts'
import { fromFile } from '../shared/store-problem.ts'
import { parseSecret } from '../shared/stored-secret.ts'

const LAYOUT = 'CREATE TABLE IF NOT EXISTS secret (subscription_id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT'

/** Secrets in the SQLite file. Throws if the key does not decrypt the latest one. */
export function sqliteSecretStore(file: SqliteFile, cipher: SecretCipher): SecretStore {
  file.prepare('secret', 1, LAYOUT)
  const { database } = file
  const find = database.prepare('SELECT content FROM secret WHERE subscription_id = ?')
  const write = database.prepare(
    'INSERT INTO secret VALUES (?, ?) ON CONFLICT (subscription_id) DO UPDATE SET content = excluded.content',
  )
  // A wrong key should fail at the start, not at the first delivery.
  const some = database.prepare('SELECT subscription_id, content FROM secret ORDER BY rowid DESC LIMIT 1').get()
  if (some !== undefined) cipher.open(String(some.subscription_id), String(some.content))
  return {
    get: (subscriptionId) =>
      fromFile(() => {
        const row = find.get(subscriptionId)
        if (row === undefined) return undefined
        return parseSecret(subscriptionId, cipher.open(subscriptionId, String(row.content)))
      }),
    put: async (subscriptionId, secret) => {
      const content = cipher.seal(subscriptionId, JSON.stringify(secret))
      await fromFile(() => file.commit(() => write.run(subscriptionId, content)))
    },
    close: async () => undefined,
  }
}
