// Owns what the columns of platforms are called, in the languages in which such applications are written. Pure; knows no table.

/** Without accents; `createdAt` is created_at. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
}

const is = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`)

/** What applications call a site where they have several, for a regular expression; some have an account for each site. */
export const SITE_WORDS = 'tenant|organi[sz]ation|org|site|workspace|instance|community'
export const SITE_OR_ACCOUNT_WORDS: string = `${SITE_WORDS}|account`

export const COLUMN_NAMES = {
  title: is('title', 'name', 'subject', 'headline', 'summary', 'wish', 'titel', 'betreff', 'titulo', 'asunto', 'titre'),
  text: is(
    '(?:body|text|content|message|description|comment|details)(?:_(?:html|md|markdown|raw))?',
    'raw|cooked|inhalt|beschreibung|nachricht|kommentar|texto|contenido|cuerpo|descripcion|mensaje|texte|contenu',
  ),
  created: is(
    '(?:date_)?(?:created|inserted|submitted|posted|registered|joined|added)(?:_?(?:at|on|date|time))?',
    'erstellt(?:_(?:am|um))?|angelegt(?:_am)?|registriert(?:_am)?|creado(?:_en)?|fecha_(?:creacion|alta|registro)|cree_le|date_creation|date_joined',
  ),
  launched: is(
    '(?:launched|done|completed|implemented|shipped|released|finished|realised|realized)_?(?:at|on|date)',
    '(?:umgesetzt|erledigt|fertig)_am|fecha_(?:realizacion|implementacion)',
  ),
  person: is(
    '(?:author|user|creator|owner|member|account|person|voter|profile|participant)s?_?id|created_by(?:_id)?',
    '(?:benutzer|nutzer|mitglied|autor|verfasser|ersteller|usuario|persona|miembro|utilisateur|auteur)_?id',
    'id_(?:usuario|autor|persona|utilisateur)',
  ),
  idea: is('(?:idea|proposal|suggestion|wish|feature|request|post|topic|submission|issue)s?_?id'),
  status: is('status', 'state', 'stage', 'phase', 'zustand', 'bearbeitungsstand', 'estado', 'etat', 'statut'),
  /** What else may decide who sees a row, or what it counts as. */
  kind: is(
    'type|kind|visibility|privacy|access|audience|(?:.+_)?(?:status|state)',
    'moderation|review|approval|publication|direction|(?:vote|reaction)(?:_type)?',
    'sichtbarkeit|visibilidad|visibilite',
  ),
  /** For or against, where it is a number: under this name there are also texts of any kind. */
  weight: is('value|vote|weight|points'),
  category: is(
    '(?:category|topic|tag|label|theme|area)(?:_?name)?',
    'kategorie|thema|bereich|categoria|tema|categorie|rubrique',
  ),
  shown: is('(?:is_?)?(?:published|public|visible|approved|active)', 'sichtbar|oeffentlich|offentlich|publicado'),
  hidden: is(
    '(?:is_?)?(?:hidden|deleted|draft|private|spam|archived|rejected|blocked|banned)',
    'geloescht|geloscht|versteckt|eliminado|oculto|borrado',
  ),
  gone: is('(?:deleted|hidden|archived|merged|blocked|banned)_?(?:at|on)', 'geloescht_am|geloscht_am|eliminado_en'),
  email: /^(?:e_?mail|correo|courriel)/,
  password: /(?:^|_)(?:password|passwd|passwort|kennwort|contrasena|mot_de_passe)(?:_|$)|^encrypted_password$/,
  login: is('(?:user_?name|nick_?name|login|display_name|handle|benutzername)', 'last_(?:login|sign_in|seen)(?:_at)?'),
  /** The other end is said in the next column: `votable_type`, `votable_id`. */
  anyOther: /^(.+)_type(?:_id)?$/,
} as const

export type ColumnRole = keyof typeof COLUMN_NAMES
