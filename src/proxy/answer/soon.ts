// Owns going on with what is there already, or is on its way. Knows no answer.

export type Soon<T> = T | Promise<T>

/**
 * Goes on at once with what is there, which nearly every answer is: with `await` in its place a request took a tenth more
 * of the processor. Whatever is thrown in either step, then or later, goes to `failed`.
 */
export function soon<T, R>(
  make: () => Soon<T>,
  goOn: (made: T) => Soon<R>,
  failed: (error: unknown) => Soon<R> = rethrow,
): Soon<R> {
  try {
    const made = make()
    const done = made instanceof Promise ? made.then(goOn) : goOn(made)
    return done instanceof Promise ? done.catch(failed) : done
  } catch (error) {
    return failed(error)
  }
}

function rethrow(error: unknown): never {
  throw error
}
