// A headless Chromium for one test: shows one page until stop(), with a profile that is removed afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, type RealComponent } from './real-component.ts'

export interface Chromium {
  /** What it wrote to stderr. */
  log(): string
  stop(): Promise<void>
}

export function chromiumAvailable(): RealComponent {
  return findProgram('chromium', 'chromium')
}

/** @param local a host name that is to lead to 127.0.0.1: unlike localhost, such a page is not a secure one */
export function startChromium(bin: string, url: string, local: string): Chromium {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-test-'))
  const child = spawn(
    bin,
    [
      '--headless',
      // Of a container, which root owns and whose /dev/shm is small.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      // Nothing but the page is to be asked for.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--no-proxy-server',
      `--host-resolver-rules=MAP ${local} 127.0.0.1`,
      `--user-data-dir=${profile}`,
      url,
    ],
    // A new process group, so that all its processes end together; what it writes to HOME is in the profile, too.
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, HOME: profile, DBUS_SESSION_BUS_ADDRESS: '' },
    },
  )
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  process.once('exit', kill)
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = once(child, 'close')
  return {
    log: () => log,
    async stop() {
      kill()
      await ended
      process.off('exit', kill)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
