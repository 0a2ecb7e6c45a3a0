/** Whether a change is checked for all (`CI`): then nothing may be left out for want of a program. */
export function isChecking(): boolean {
  const text = process.env.CI
  return text !== undefined && text !== '' && text !== 'false' && text !== '0'
}
