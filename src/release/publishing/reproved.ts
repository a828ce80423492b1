// Owns how often a long piece of work proves again that it may go on. Knows no proof.

/** Nobody takes over a lock that was held so short a time ago (release/writing/lock.ts: 30 s). */
const BELIEVED_MS = 5_000
const TOO_OLD_MS = 25_000
const TRIES = 3

/** Who asks while a proof is under way waits for that. */
export function reproved(prove: () => Promise<void>, nowMs: () => number) {
  let proof = { sinceMs: Number.NEGATIVE_INFINITY, done: Promise.resolve() }
  // Clocks are set back, too.
  const isOlder = (ms: number): boolean => Math.abs(nowMs() - proof.sinceMs) > ms
  return {
    /** Returns when the proof is young: of a process that was paused, it is not. @throws what the proof throws */
    ask: async (): Promise<void> => {
      for (let tries = 0; tries < TRIES; tries++) {
        if (isOlder(BELIEVED_MS)) proof = { sinceMs: nowMs(), done: prove() }
        await proof.done
        if (!isOlder(TOO_OLD_MS)) return
      }
      throw new Error(`${TRIES} answers in a row took longer than ${TOO_OLD_MS / 1000} s, too long to go by`)
    },
    /** The next one who asks waits for a new proof. */
    forget: (): void => void (proof = { ...proof, sinceMs: Number.NEGATIVE_INFINITY }),
  }
}
