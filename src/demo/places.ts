// Owns the map of Havenport, an imaginary harbour city: what may stand in a {slot} of a wish. Proper names are names of
// places, made of trades, water and weather; none is a person's.

function words(list: string): readonly string[] {
  return list.split(/,\s+/)
}

export const SLOTS: Readonly<Record<string, readonly string[]>> = {
  street:
    words(`Mill Lane, Lantern Street, Herring Row, Tidewater Avenue, Gull Street, Copper Lane, Oyster Lane, Slip Lane,
    Saltmarsh Road, Anchor Street, Foundry Road, Cobble Hill, Chandlery Row, Beacon Road, Pilot Street, Net Loft Lane,
    Windlass Way, Quarry Road, Customs Street, Ferry Road, Barley Street, Pepper Alley, Linden Avenue, Signal Road,
    Brickfield Road, Cannery Street, Station Road, the Ropewalk`),
  place: words(`the fish market, the ferry terminal, the clock tower, Market Square, the old cannery, the tram depot,
    the swing bridge, the town hall, Saltmarsh station, Dock 4, the water tower, Canal Basin, Pilot Steps, Central station,
    the covered market, the bus station, Signal Hill, the old customs house, Lantern Square`),
  quay: words(`the ferry terminal, Dock 4, Canal Basin, Pilot Steps, the swing bridge, the fish market, the east mole`),
  district:
    words(`Old Harbour, Northquay, Saltmarsh, Lantern Hill, Eastmole, Brickfields, Westerlight, Ferryside, Gullcliff,
    Upper Town, Mill End, Lowtide, Canneryside, Southmole`),
  park: words(`Lighthouse Park, Orchard Park, Saltmarsh Meadow, Canal Gardens, Beacon Green, Ferry Green, Dune Park,
    Gullcliff Woods, Quarry Gardens, Brickfield Common`),
  school: words(`Northquay School, Mill End School, Lantern Hill School, Ferryside Primary, Harbour Secondary`),
  line: words(`tram 2, tram 5, bus 7, bus 14, bus 31, the N3 night bus, the harbour ferry, the airport bus`),
  day: words(`Mondays, Fridays, Saturdays, Sundays, weekday evenings, market days, public holidays`),
  season: words(`in winter, in summer, all year round, from April to October, during the school holidays`),
  hour: words(`until 22:00, until midnight, before 7 in the morning, after 20:00, in the evening, at lunchtime`),
}
