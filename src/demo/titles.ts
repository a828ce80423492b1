// Owns how a demo idea is worded: wishes written out, small human habits, and titles that break careless software.
// Knows words and chance; no dates, no counts.
import { SLOTS } from './places.ts'
import { pick, type Random } from './random.ts'
import type { Topic } from './vocabulary.ts'

/** Titles that real people have typed, or pasted, into idea forms. Each breaks some CSV, HTML, COPY or layout code. */
export const EDGE_TITLES: readonly string[] = [
  '=HYPERLINK("https://example.org/bus","Click for the new timetable")',
  '-5 °C in the gym of Northquay School: fix the heating',
  '@townhall please answer the ideas of last winter',
  '+1 for a second swimming pontoon',
  'Rename “Slip Lane” to "Slippery Lane", or make it less slippery, or both',
  'Two wishes in one:\n1. a bench\n2. a tree for the bench',
  'حديقة صغيرة بجانب الميناء للأطفال',
  'עוד ספסלים מול הים',
  '🚲🚲🚲 > 🚗',
  'A playground for everyone 👩‍🦽👨‍👩‍👧‍👦🧓🏽',
  '<script>alert("more trees")</script>',
  'Bins & benches & <b>shade</b> at the tram stops',
  'The timetable at Dock 4 prints \\N where the ferry should be\\',
  '\tIndented wish: a tab key on the library computers',
  '\u200B=SUM(A1:A9) bus stops on Signal Road is too many',
  'Crème brûlée & Smørrebrød: a food street for Ferryside – naïve? Maybe…',
  '海辺のベンチをもう少し増やしてください',
  '',
  `Please read to the end: ${'the bus comes, the bus is full, the next bus comes, that one is full too, '.repeat(12)}so: longer buses`,
]

function fill(random: Random, wish: string): string {
  return wish
    .replace(/\[([^\]]+)\]/g, (_, choices: string) => pick(random, choices.split('|')))
    .replace(/\{(\w+)\}/g, (_, slot: string) => pick(random, SLOTS[slot] ?? []))
}

const upperFirst = (title: string): string => title.charAt(0).toUpperCase() + title.slice(1)
const lowerFirst = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1)

/** How people write: most plainly, some politely, some in a hurry. A question keeps its question mark last. */
const HABITS: readonly ((title: string) => string)[] = [
  (title) => `${title}, please`,
  (title) => `Please: ${lowerFirst(title)}`,
  (title) => `${title}!`,
  (title) => `Idea: ${lowerFirst(title)}`,
  (title) => lowerFirst(title),
  (title) => `How about this: ${lowerFirst(title)}?`,
  (title) => `${title}. Other harbour cities manage it too`,
  (title) => `Could we try this? ${title}`,
  (title) => `${title} (yes, again)`,
  (title) => `Small wish: ${lowerFirst(title)}`,
  (title) => `${title} – who is in?`,
  (title) => `We need this: ${lowerFirst(title)}`,
  (title) => `${title}!!!`,
  (title) => `${title} (I would help)`,
]

/** One in four titles shows a habit. A wish begins with a common word or a line, so its first letter may be small. */
export function wishTitle(random: Random, topic: Topic): string {
  const title = upperFirst(fill(random, pick(random, topic.wishes)))
  return random() < 0.25 && !title.endsWith('?') ? pick(random, HABITS)(title) : title
}

/** `/ideas/42-a-bench-for-lantern-hill`; an idea whose title has no Latin letters is reached by its number alone. */
export function ideaPath(id: number, title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  const slug = words.slice(0, 60).trim().replaceAll(' ', '-')
  return slug === '' ? `/ideas/${id}` : `/ideas/${id}-${slug}`
}
