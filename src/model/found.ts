// Owns finding the value of a key in a map, where the first who asks makes it.

export function found<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
