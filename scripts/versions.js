// Owns the order of versions, such as 1.2.3-rc.1.

/** Whether `version` is newer than `other`: by its numbers; of equal ones a pre-release is before what it leads to. */
export function isNewer(version, other) {
  // In the alphabet, as it happens: beta, rc, release.
  const [[base, pre], [otherBase, otherPre]] = [version, other].map((one) => `${one}-release`.split('-'))
  const order = (a, b) => a.localeCompare(b, 'en', { numeric: true })
  return (order(base, otherBase) || order(pre, otherPre)) > 0
}
