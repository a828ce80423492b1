// Requests of each endpoint that are answered with 200, for tests of what holds for whatever the API answers with. The compiler
// asks for those of a new endpoint. Knows no server.
import type { EndpointName } from '../../src/contract/kinds/register.ts'

/** A whole file, a part of one, no file (an unknown category), and what is over 1 MiB with LARGE_IDEAS: streamed. */
export const TARGETS_OF = {
  stats: { whole: '/api/public/stats' },
  trending: {
    whole: '/api/analytics/trending?limit=100',
    cut: '/api/analytics/trending?limit=3',
    'of a category': '/api/analytics/trending?category=Product&period=90d',
    'of an unknown category': '/api/analytics/trending?category=nobody%20knows',
  },
  categories: { whole: '/api/analytics/categories?period=all' },
  timeline: {
    whole: '/api/analytics/timeline?period=90d',
    'of all by day': '/api/analytics/timeline?period=all&interval=day',
    'of a category': '/api/analytics/timeline?category=Product',
    'of an unknown category': '/api/analytics/timeline?category=nobody%20knows',
  },
  outcomes: {
    whole: '/api/analytics/outcomes',
    'of a category': '/api/analytics/outcomes?category=Product',
    'of an unknown category': '/api/analytics/outcomes?category=nobody%20knows',
  },
  export: {
    'small JSON': '/api/analytics/export?type=users',
    'large JSON': '/api/analytics/export?type=ideas&period=all',
    'small CSV': '/api/analytics/export?type=users&format=csv',
    'large CSV': '/api/analytics/export?type=ideas&period=all&format=csv',
  },
} as const satisfies Record<EndpointName, Readonly<Record<string, string>>>

export const LARGE_IDEAS = { ideas: 2500, titleChars: 600 } as const

/** All of them, each with its name. */
export const TARGETS: readonly (readonly [name: string, target: string])[] = Object.entries(TARGETS_OF).flatMap(
  ([endpoint, targets]) => Object.entries(targets).map(([name, target]) => [`${endpoint}, ${name}`, target] as const),
)
