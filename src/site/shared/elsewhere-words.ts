// Owns the words that are shown on other pages: badges, feeds and embeds, in each language. A language that lacks one does
// not compile. Knows no document.
import type { Language } from '../../contract/site-paths.ts'
import type { BadgeName } from './badges.ts'

export interface ElsewhereWords {
  readonly badges: Readonly<Record<BadgeName, string>>
  /** What a badge says in place of a number. */
  readonly closed: string
  readonly noData: string
  readonly feedTitle: (site: string) => string
  readonly feedSummary: string
  readonly launchedOn: (launched: string) => string
  /** @param days from creation to launch, in words */
  readonly createdBefore: (days: string, created: string) => string
  readonly totalsTitle: (site: string) => string
  readonly trendingTitle: (site: string) => string
  readonly asOf: (when: string) => string
  readonly inLastDays: (change: string) => string
  readonly nothingTrending: string
  readonly votesInWeek: (votes: string) => string
  readonly allNumbers: string
  readonly closedNotice: string
  readonly demoNotice: string
}

export const ELSEWHERE_WORDS: Readonly<Record<Language, ElsewhereWords>> = {
  en: {
    badges: {
      users: 'accounts',
      ideas: 'ideas',
      votes: 'votes',
      comments: 'comments',
      launched: 'launched ideas',
      categories: 'categories',
      'launch-rate': 'launch rate',
    },
    closed: 'closed',
    noData: 'no data',
    feedTitle: (site) => `Launched ideas – ${site}`,
    feedSummary: 'Ideas that were launched, newest first.',
    launchedOn: (launched) => `Launched on ${launched}.`,
    createdBefore: (days, created) => `Created ${days} before, on ${created}.`,
    totalsTitle: (site) => `${site}: totals`,
    trendingTitle: (site) => `${site}: trending this week`,
    asOf: (when) => `As of ${when} (UTC)`,
    inLastDays: (change) => `${change} in the last 30 days`,
    nothingTrending: 'No idea had a vote or a comment in the last 7 days.',
    votesInWeek: (votes) => `${votes} in the last 7 days`,
    allNumbers: 'All numbers',
    closedNotice: 'The site is closed to visitors.',
    demoNotice: 'This is a demo: all numbers are invented.',
  },
  de: {
    badges: {
      users: 'Konten',
      ideas: 'Ideen',
      votes: 'Stimmen',
      comments: 'Kommentare',
      launched: 'umgesetzte Ideen',
      categories: 'Kategorien',
      'launch-rate': 'umgesetzt',
    },
    closed: 'geschlossen',
    noData: 'keine Daten',
    feedTitle: (site) => `Umgesetzte Ideen – ${site}`,
    feedSummary: 'Ideen, die umgesetzt wurden, die neuesten zuerst.',
    launchedOn: (launched) => `Umgesetzt am ${launched}.`,
    createdBefore: (days, created) => `Von der Einreichung am ${created} bis dahin: ${days}.`,
    totalsTitle: (site) => `${site}: Gesamtzahlen`,
    trendingTitle: (site) => `${site}: diese Woche im Trend`,
    asOf: (when) => `Stand: ${when} (UTC)`,
    inLastDays: (change) => `${change} in den letzten 30 Tagen`,
    nothingTrending: 'In den letzten 7 Tagen gab es weder Stimmen noch Kommentare.',
    votesInWeek: (votes) => `${votes} in den letzten 7 Tagen`,
    allNumbers: 'Alle Zahlen',
    closedNotice: 'Die Seite ist für Besucher geschlossen.',
    demoNotice: 'Dies ist eine Demo: Alle Zahlen sind erfunden.',
  },
  fr: {
    badges: {
      users: 'comptes',
      ideas: 'idées',
      votes: 'votes',
      comments: 'commentaires',
      launched: 'idées réalisées',
      categories: 'catégories',
      'launch-rate': 'taux de réalisation',
    },
    closed: 'fermé',
    noData: 'pas de données',
    feedTitle: (site) => `Idées réalisées – ${site}`,
    feedSummary: 'Les idées qui ont été réalisées, les plus récentes d’abord.',
    launchedOn: (launched) => `Réalisée le ${launched}.`,
    createdBefore: (days, created) => `Déposée ${days} plus tôt, le ${created}.`,
    totalsTitle: (site) => `${site} : totaux`,
    trendingTitle: (site) => `${site} : tendances de la semaine`,
    asOf: (when) => `État au ${when} (UTC)`,
    inLastDays: (change) => `${change} ces 30 derniers jours`,
    nothingTrending: 'Aucune idée n’a reçu de vote ni de commentaire ces 7 derniers jours.',
    votesInWeek: (votes) => `${votes} ces 7 derniers jours`,
    allNumbers: 'Tous les chiffres',
    closedNotice: 'Le site est fermé aux visiteurs.',
    demoNotice: 'Ceci est une démo : tous les chiffres sont inventés.',
  },
  es: {
    badges: {
      users: 'cuentas',
      ideas: 'ideas',
      votes: 'votos',
      comments: 'comentarios',
      launched: 'ideas realizadas',
      categories: 'categorías',
      'launch-rate': 'tasa de realización',
    },
    closed: 'cerrado',
    noData: 'sin datos',
    feedTitle: (site) => `Ideas realizadas – ${site}`,
    feedSummary: 'Las ideas que se han realizado, las más recientes primero.',
    launchedOn: (launched) => `Realizada el ${launched}.`,
    createdBefore: (days, created) => `Presentada ${days} antes, el ${created}.`,
    totalsTitle: (site) => `${site}: totales`,
    trendingTitle: (site) => `${site}: tendencias de la semana`,
    asOf: (when) => `Datos del ${when} (UTC)`,
    inLastDays: (change) => `${change} en los últimos 30 días`,
    nothingTrending: 'Ninguna idea recibió votos ni comentarios en los últimos 7 días.',
    votesInWeek: (votes) => `${votes} en los últimos 7 días`,
    allNumbers: 'Todas las cifras',
    closedNotice: 'El sitio está cerrado a los visitantes.',
    demoNotice: 'Esto es una demostración: todas las cifras son inventadas.',
  },
}
