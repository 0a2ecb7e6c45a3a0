/** True in CI, where no suite may be skipped because a program is missing. */
export function isChecking(): boolean {
  const text = process.env.CI
  return text !== undefined && text !== '' && text !== 'false' && text !== '0'
}
