// Owns finding the Chromium of the machine.
import { findProgram, type RealComponent } from './real-component.ts'

export function chromiumAvailable(): RealComponent {
  return findProgram('chromium', 'chromium')
}
