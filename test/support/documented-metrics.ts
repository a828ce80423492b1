// What docs/operations.md says of the types of all metrics.

/** @param name perhaps with its labels behind it */
export const documentedType = (name: string): string => (/_total(?:\{|$)/.test(name) ? 'counter' : 'gauge')
