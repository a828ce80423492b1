// Owns the demo platform: who joined, which ideas they had, who voted and commented when. Pure: a clock and a seed in,
// the rows of the native schema out. Knows neither SQL nor snapshots.
import { type Account, Crowd, type UnseenIdea, pareto, visits } from './activity.ts'
import { pick, type Random, randomStream, WeightedDraw } from './random.ts'
import { DAY_MS, momentsBefore } from './rhythm.ts'
import { EDGE_TITLES, ideaPath, wishTitle } from './titles.ts'
import { type Topic, TOPICS } from './vocabulary.ts'

interface DemoUser {
  readonly id: number
  readonly createdAtMs: number
}

interface DemoIdea {
  readonly id: number
  readonly title: string
  readonly createdAtMs: number
  readonly launched: boolean
  readonly launchedAtMs: number | null
  readonly url: string | null
  readonly authorId: number | null
  readonly status: string | null
}

interface DemoIdeaCategory {
  readonly ideaId: number
  readonly category: string
}

interface DemoVote {
  readonly ideaId: number
  readonly userId: number | null
  readonly value: number
  readonly createdAtMs: number | null
}

interface DemoComment {
  readonly id: number
  readonly ideaId: number
  readonly userId: number | null
  readonly createdAtMs: number
}

/** Rows by id, which is by time; votes by time, the undated last. */
export interface DemoPlatform {
  readonly users: readonly DemoUser[]
  readonly categories: readonly { readonly name: string }[]
  readonly ideas: readonly DemoIdea[]
  readonly ideaCategories: readonly DemoIdeaCategory[]
  readonly votes: readonly DemoVote[]
  readonly comments: readonly DemoComment[]
}

const SIZE = { accounts: 2_600, ideas: 1_850, votes: 68_000, importedVotes: 180, comments: 11_200 } as const

/** The community of `nowMs`: everything is dated before it, but two ideas that are scheduled for later. */
export function demoPlatform(nowMs: number, seed = 1): DemoPlatform {
  const accounts = makeAccounts(nowMs, seed)
  const unseenIdeas = makeIdeas(nowMs, seed, accounts)
  const votes = castVotes(nowMs, seed, accounts, unseenIdeas)
  return {
    // A closed account leaves its votes, comments and ideas behind. The first one is the town hall's own.
    users: accounts.filter(({ id }) => id % 67 !== 0).map(({ id, createdAtMs }) => ({ id, createdAtMs })),
    categories: TOPICS.map(({ category }) => ({ name: category })),
    ideas: published(nowMs, seed, unseenIdeas, votes),
    ideaCategories: unseenIdeas.flatMap(({ id, categories }) =>
      categories.map((category) => ({ ideaId: id, category })),
    ),
    votes,
    comments: writeComments(nowMs, seed, accounts, unseenIdeas),
  }
}

function makeAccounts(nowMs: number, seed: number): Account[] {
  const random = randomStream(seed, 'accounts')
  return momentsBefore(nowMs, SIZE.accounts, randomStream(seed, 'account times')).map((createdAtMs, i) => ({
    id: i + 1,
    createdAtMs,
    zeal: random() < 0.2 ? 0 : pareto(random, 0.55, 20),
  }))
}

/** Who acts: newcomers often, old hands now and then, the readers never. */
function crowdOf(accounts: readonly Account[]): Crowd<Account> {
  return new Crowd(accounts, 250, ({ zeal }) => zeal)
}

function makeIdeas(nowMs: number, seed: number, accounts: readonly Account[]): UnseenIdea[] {
  const random = randomStream(seed, 'ideas')
  const crowd = crowdOf(accounts)
  const topics = new WeightedDraw(TOPICS.map(({ share }) => share))
  const taken = new Set<string>()
  return momentsBefore(nowMs, SIZE.ideas, randomStream(seed, 'idea times'), callForIdeas).map((createdAtMs, i) => {
    const topic = TOPICS[topics.draw(random)] ?? pick(random, TOPICS)
    let title = wishTitle(random, topic)
    // People do ask for the same thing twice without searching first: one repetition in fifty is let through.
    while (taken.has(title) && random() > 0.02) title = wishTitle(random, topic)
    taken.add(title)
    // Every 23rd of the newest ideas has an edge title, so that each window from 30d on lists some.
    const fromLast = SIZE.ideas - 5 - i
    const edgeTitle = fromLast % 23 === 0 ? EDGE_TITLES[fromLast / 23] : undefined
    return {
      id: i + 1,
      createdAtMs,
      title: edgeTitle ?? title,
      isEdge: edgeTitle !== undefined,
      authorId: random() < 0.04 ? null : (crowd.oneAt(createdAtMs, random)?.id ?? null),
      categories: categoriesOf(random, topic),
      appeal: pareto(random, 0.7, 30),
    }
  })
}

/** Weeks in which the town hall asked for ideas on every tram; one began yesterday. */
function callForIdeas(daysAgo: number): number {
  if (daysAgo < 2) return 4
  return (daysAgo >= 95 && daysAgo < 102) || (daysAgo >= 450 && daysAgo < 460) ? 5 : 1
}

/** None, one, two or three: the town hall files most ideas, and many twice. */
function categoriesOf(random: Random, topic: Topic): string[] {
  const chance = random()
  if (chance < 0.04) return []
  const names = new Set([topic.category])
  if (chance > 0.5) names.add(pick(random, topic.near))
  if (chance > 0.85) names.add(pick(random, topic.near))
  return [...names]
}

/** New ideas are read first; the good old ones are found again. */
function shelfOf(unseenIdeas: readonly UnseenIdea[]): Crowd<UnseenIdea> {
  return new Crowd(unseenIdeas, 20, ({ appeal }) => appeal)
}

function castVotes(
  nowMs: number,
  seed: number,
  accounts: readonly Account[],
  unseenIdeas: readonly UnseenIdea[],
): DemoVote[] {
  const random = randomStream(seed, 'votes')
  const crowd = crowdOf(accounts)
  const shelf = shelfOf(unseenIdeas)
  const voted = new Set<string>()
  const votes: DemoVote[] = []
  for (const { timeMs, to } of visits(nowMs, seed, 'vote times', { count: SIZE.votes, burstShare: 1 }, unseenIdeas)) {
    const idea = to ?? shelf.oneAt(timeMs, random)
    if (idea === null) continue
    const known = random() < (to === null ? 0.97 : 0.7) ? crowd.oneAt(timeMs, random) : null
    // One vote per person and idea: the second time it is a friend's, who has no account.
    const ballot = known === null ? null : `${known.id} ${idea.id}`
    const userId = known !== null && ballot !== null && !voted.has(ballot) ? known.id : null
    if (ballot !== null) voted.add(ballot)
    votes.push({ ideaId: idea.id, userId, value: weight(random), createdAtMs: timeMs })
  }
  // Raised hands at the founding assembly, recorded without names and dates.
  for (let i = 0; i < SIZE.importedVotes; i++) {
    votes.push({ ideaId: pick(random, unseenIdeas.slice(0, 40)).id, userId: null, value: 1, createdAtMs: null })
  }
  return votes
}

/** Votes, mostly; some double ones of neighbourhood councils, a few withdrawn, a few against. */
function weight(random: Random): number {
  const chance = random()
  if (chance < 0.96) return 1
  if (chance < 0.97) return 2
  return chance < 0.975 ? 0 : -1
}

function writeComments(
  nowMs: number,
  seed: number,
  accounts: readonly Account[],
  unseenIdeas: readonly UnseenIdea[],
): DemoComment[] {
  const random = randomStream(seed, 'comments')
  const crowd = crowdOf(accounts)
  const shelf = shelfOf(unseenIdeas)
  const comments: DemoComment[] = []
  for (const { timeMs, to } of visits(
    nowMs,
    seed,
    'comment times',
    { count: SIZE.comments, burstShare: 0.12 },
    unseenIdeas,
  )) {
    const idea = to ?? shelf.oneAt(timeMs, random)
    if (idea === null) continue
    const userId = random() < 0.02 ? null : (crowd.oneAt(timeMs, random)?.id ?? null)
    comments.push({ id: comments.length + 1, ideaId: idea.id, userId, createdAtMs: timeMs })
  }
  return comments
}

function published(
  nowMs: number,
  seed: number,
  unseenIdeas: readonly UnseenIdea[],
  votes: readonly DemoVote[],
): DemoIdea[] {
  const random = randomStream(seed, 'outcomes')
  const support = new Map<number, number>()
  for (const { ideaId, value } of votes) support.set(ideaId, (support.get(ideaId) ?? 0) + value)
  const ideas = unseenIdeas.map(({ id, title, createdAtMs, authorId }) => ({
    id,
    title,
    createdAtMs,
    ...outcome(random, nowMs, createdAtMs, support.get(id) ?? 0),
    url: random() < 0.02 ? null : ideaPath(id, title),
    authorId,
  }))
  for (const [title, daysAhead] of SCHEDULED) {
    const id = ideas.length + 1
    const createdAtMs = nowMs + daysAhead * DAY_MS
    ideas.push({ id, title, createdAtMs, ...UNDECIDED, url: ideaPath(id, title), authorId: 1 })
  }
  return ideas
}

/** Written ahead by the town hall; a build before that day counts them as not there yet. */
const SCHEDULED = [
  ['Vote for the next lantern parade route', 3],
  ['Your wishes for the new harbour plan', 12],
] as const

type Outcome = Pick<DemoIdea, 'launched' | 'launchedAtMs' | 'status'>

const UNDECIDED: Outcome = { launched: false, launchedAtMs: null, status: 'open' }

/** What the city makes of an idea: it launches what many want, and takes its time. */
function outcome(random: Random, nowMs: number, createdAtMs: number, support: number): Outcome {
  const chance = random()
  if (chance < Math.min(0.7, support / 160)) {
    const launchedAtMs = Math.floor(createdAtMs + (20 + 300 * random() ** 2) * DAY_MS)
    if (launchedAtMs >= nowMs) return { ...UNDECIDED, status: chance < 0.1 ? 'in progress' : 'planned' }
    // Some dates were lost when the town hall moved from spreadsheets.
    return { launched: true, launchedAtMs: random() < 0.08 ? null : launchedAtMs, status: 'launched' }
  }
  if (nowMs - createdAtMs > 90 * DAY_MS && chance > 0.85) return { ...UNDECIDED, status: 'declined' }
  return chance > 0.82 ? { ...UNDECIDED, status: null } : UNDECIDED
}
