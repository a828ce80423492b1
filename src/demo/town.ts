// Owns Havenport, an imaginary harbour city: what its people wish for, and how they word it. Knows words and chance; no
// dates, no counts. Proper names are names of places, made of trades, water and weather; none is a person's.
import { pick, type Random } from './random.ts'

/** What may stand in a {slot} of a wish, separated by commas. */
const SLOTS: Readonly<Record<string, string>> = {
  street: `Mill Lane, Lantern Street, Herring Row, Tidewater Avenue, Gull Street, Copper Lane, Oyster Lane,
    Saltmarsh Road, Anchor Street, Foundry Road, Cobble Hill, Beacon Road, Net Loft Lane, Customs Street, Ferry Road,
    Barley Street, Pepper Alley, Linden Avenue, Signal Road, Cannery Street, Station Road, the Ropewalk`,
  place: `the fish market, the ferry terminal, the clock tower, Market Square, the old cannery, the tram depot,
    the swing bridge, the town hall, Saltmarsh station, Dock 4, Canal Basin, Pilot Steps, Central station`,
  district: `Old Harbour, Northquay, Saltmarsh, Lantern Hill, Eastmole, Brickfields, Westerlight, Ferryside,
    Gullcliff, Upper Town, Mill End, Lowtide, Canneryside, Southmole`,
  park: 'Lighthouse Park, Orchard Park, Canal Gardens, Beacon Green, Dune Park, Gullcliff Woods, Quarry Gardens',
  school: 'Northquay School, Mill End School, Lantern Hill School, Ferryside Primary, Harbour Secondary',
  line: 'tram 2, tram 5, bus 7, bus 14, bus 31, the N3 night bus, the harbour ferry, the airport bus',
  when: `on Mondays, on Saturdays, on Sundays, on weekday evenings, on market days, in winter, in summer,
    all year round, from April to October, during the school holidays, until midnight, before 7 in the morning`,
}

/** In a wish, [a|b] is a choice. Categories attract ideas by their number, and share some with those above them. */
const WISHES = `
Housing
  Turn empty offices on {street} into [flats|student rooms|a co-living house]
  Limit [short holiday lets|second homes|rent rises] in {district}
  Bring back the [caretaker|corner shop|post box|bakery] to {district}
  Fix the [lifts|damp cellars|draughty windows] in the city flats on {street}
Energy & Climate
  Solar panels on the roof of [{school}|the covered market|the tram depot|Central station]
  A neighbourhood [solar club|battery|heat pump plan] for {district}
  A rain garden on {street} so that the cellars stay dry
  Free advice on [insulation|heat pumps|balcony solar] in {district} {when}
Waste & Recycling
  [Bigger|Gull-proof|More|Underground] bins at {place}
  [Glass|Paper|Textile|Battery|Cooking-oil] bank in {district}
  Collect [food waste|bulky waste|garden waste|Christmas trees] in {district} {when}
Harbour & Beach
  [Changing cabins|Outdoor showers|Shade sails|Lockers|A lifeguard] at Mole Beach {when}
  A [swimming pontoon|kayak slip|floating sauna|jetty for small boats] at {place}
  Clean the [seaweed|rubbish|broken glass|fishing line] from [Mole Beach|the east mole|the slipway] {when}
  Rent [paddle boards|rowing boats|deck chairs] at {place} {when}
Parks & Nature
  Plant [lime trees|fruit trees|birches|a hedge|wild roses] along {street}
  [More benches|Shady benches|Picnic tables|A drinking fountain|Hammocks] in {park}
  Turn the [empty lot|old car park|gravel yard] on {street} into a [garden|pocket park|meadow]
  A [community garden|herb garden|bee hotel|pond for frogs] in {district}
Sports & Play
  [Table tennis tables|A climbing boulder|A basketball hoop|Outdoor gym|Skate bowl] in {park}
  A [water playground|toddler corner|zip line|rope pyramid] in {park}
  Open {school} gym for [badminton|parkour|seniors’ gymnastics|indoor football] {when}
  A [harbour swim|staircase run|kite festival|rowing regatta] from {place}
Schools & Youth
  A [safe crossing|car-free street|lollipop crossing] outside {school} at drop-off time
  [Warm lunches|Free fruit|A breakfast club|Water fountains] at {school}
  A [youth club|band room|homework room|skate workshop] in {district}, open {when}
  More [after-school places|music teachers|nature lessons|nursery places] in {district}
Libraries & Learning
  Open the {district} library {when}
  A [library of things|tool library|seed library|toy library] in {district}
  Lend [sewing machines|telescopes|board games|e-readers] at the {district} library
  Evening classes in [coding|first aid|sign language|bread baking|sailing theory] in {district}
Café & Culture
  Open-air [cinema|concerts|theatre|chess café] at {place} {when}
  A [repair café|language café|board-game café|tea house] in {district}
  Turn {place} into [studios for artists|a rehearsal room|a night market] [{when}|for one summer|for good]
  [Lantern parade|Winter market|Jazz night|Sea-shanty evening] in {district}
Digital City
  Free Wi-Fi [at {place}|on {line}|in {park}]
  Live departure board for {line} at {place}
  Report [potholes|broken lamps|overflowing bins|noise] in {district} with a photo
  Open data about [air quality|parking|tree planting|energy use] in {district}
Accessibility
  A [ramp|lift|handrail|tactile path] at {place}
  Step-free [boarding on|stops for] {line}
  [Sound signals|Longer green|Lowered kerbs] at the crossing of {street} and {street}
  Keep [e-scooters|café boards|bins] off the pavement on {street}
Transport
  Run {line} every [10|12|15] minutes {when}
  [Later|Earlier|More frequent] [trams|buses] to {district} {when}
  A [proper|heated|covered] bus shelter at {place}
  Bring back the [direct bus|shuttle|night bus] from {district} to {place}
  {line} should stop at {place} again
  [Give way to buses|Bus lane|A 30 km/h limit|Fewer parked lorries] on {street}
  [Residents-only parking|A car-free Saturday|Car-sharing spaces] on {street}
Cycling / Walking
  [Protected|Wider|Two-way|Red-painted] bike lane on {street}
  [Bike racks|Covered bike parking|A bike repair stand|Cargo bike spaces] at {place}
  A [zebra crossing|raised crossing|traffic island] on {street} near {place}
  Clear the bike lanes of [snow|leaves|broken glass|delivery vans] [on {street}|in {district}]
  Close {street} to cars {when}
  A [foot bridge|bike bridge|ramp] [across the canal|over the railway|beside the stairs] near {place}
Safety & Lighting
  [Brighter|Warmer|Motion-sensing|Working] street lights on {street}
  Light the path [through {park}|between {district} and {place}] [after dusk|{when}]
  Speed [bumps|display|camera] on {street}
  Quieter [sirens|fireworks|bottle banks] in {district} after 22:00
`

export const CATEGORIES: readonly string[] = WISHES.split('\n').filter((line) => /^\S/.test(line))

/** Each wish with the place of its category. */
const WORDED = WISHES.split(/\n(?=\S)/).flatMap((topic, i) =>
  [...topic.matchAll(/^ +(.*)$/gm)].map(([, text = '']) => [i - 1, text] as const),
)

/** Titles that real people have typed, or pasted, into idea forms. Each breaks some CSV, HTML, COPY or layout code. */
export const EDGE_TITLES: readonly string[] = [
  'حديقة صغيرة بجانب الميناء للأطفال',
  'A playground for everyone 👩‍🦽👨‍👩‍👧‍👦🧓🏽',
  `Please read to the end: ${'the bus comes, the bus is full, the next one comes, that one is full too, '.repeat(12)}so: longer buses`,
  '<script>alert("more trees")</script>',
  'Two wishes in one:\n1. a bench\n2. a tree for the bench',
  '=HYPERLINK("https://example.org/bus","Click for the new timetable")',
  'Rename “Slip Lane” to "Slippery Lane", or make it less slippery, or both',
  '海辺のベンチをもう少し増やしてください',
  'The timetable at Dock 4 prints \\N where the ferry should be\\',
  '\tCrème brûlée & Smørrebrød: a food street for Ferryside – naïve? Maybe…',
  '',
]

/** How people write: most plainly, some politely, some in a hurry. */
const HABITS: readonly ((title: string) => string)[] = [
  (title) => `${title}, please`,
  (title) => `${title}!!!`,
  (title) => `${title} (yes, again)`,
  (title) => title.charAt(0).toLowerCase() + title.slice(1),
]

/** An idea is filed under no, one, two or three categories. One title in five shows a habit. */
export function wish(random: Random): { readonly title: string; readonly categories: readonly string[] } {
  const [topic, text] = pick(random, WORDED)
  const title = text
    .replace(/\[([^\]]+)\]/g, (_, choices: string) => pick(random, choices.split('|')))
    .replace(/\{(\w+)\}/g, (_, slot: string) => pick(random, (SLOTS[slot] ?? '').split(/,\s+/)))
    .replace(/^./, (first) => first.toUpperCase())
  const chance = random()
  const topics =
    chance < 0.04 ? [] : [topic, ...(chance > 0.5 ? [topic - 1] : []), ...(chance > 0.85 ? [topic - 2] : [])]
  return {
    title: random() < 0.2 && !title.endsWith('?') ? pick(random, HABITS)(title) : title,
    categories: topics.map((one) => CATEGORIES.at(one) ?? ''),
  }
}
