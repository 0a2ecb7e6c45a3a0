import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Launch, ServerCommand } from '../server-command.ts'
import type { UnprivilegedUser } from '../unprivileged-user.ts'

/** Uses its start script, which passes arguments to the server in a private form. */
export async function elasticsearchCommand(
  { home, java, work, heapMiB, purpose, jvmOptions }: Launch,
  user: UnprivilegedUser,
): Promise<ServerCommand> {
  const conf = join(work, 'conf')
  const options = [
    `-Xms${heapMiB}m`,
    `-Xmx${heapMiB}m`,
    `-Djava.io.tmpdir=${join(work, 'tmp')}`,
    '-XX:+ExitOnOutOfMemoryError',
    ...(purpose === 'testing'
      ? ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-AlwaysPreTouch']
      : ['-XX:+UseG1GC']),
    ...jvmOptions,
  ]
  await writeFile(join(conf, 'jvm.options'), `${options.join('\n')}\n`)
  await user.own(conf)
  return {
    command: [join(home, 'bin', 'elasticsearch'), '-Expack.security.enabled=false'],
    cwd: work,
    env: { ES_JAVA_HOME: java, ES_TMPDIR: join(work, 'tmp'), ES_PATH_CONF: conf },
  }
}
