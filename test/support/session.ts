// Sessions of a server that is there: as which role, and for as long as something is asked.
import { Client } from 'pg'

/** The URL of a cluster's superuser, for another role. */
export const as = (role: string, url: string): string => url.replace('//postgres@', `//${encodeURIComponent(role)}@`)

export async function inSession<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
