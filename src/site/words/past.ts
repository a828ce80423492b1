// Owns the words of what changed in past numbers, and of the log of days, in every language. Knows no number.
import type { Language } from '../../contract/site-paths.ts'
import type { Translated, Words } from './shape.ts'

const en = {
  heading: 'What changed in past numbers',
  nothing: 'So far, no build has found past numbers to be other than published.',
  text: 'The numbers of the past are those that exist now. Where that changed them, the last changes are:',
  change: '{month}, {what}: {is} instead of {was}, since {date}',
  accepted: ', accepted by the publisher',
  undated: 'Without a date',
  notCompared: '{date}: past numbers could not be compared with those before',
  proof: 'Save today’s proof',
  proofText:
    'Keep this line of the {log}, with the totals of {date}. Whoever has it can show whether that day, or a day before it, was changed later:',
  log: 'log of days',
} as const satisfies Words

type Past = Translated<typeof en>

const de: Past = {
  heading: 'Was sich an früheren Zahlen geändert hat',
  nothing: 'Bisher waren frühere Zahlen bei jeder Prüfung so, wie sie veröffentlicht wurden.',
  text: 'Die Zahlen der Vergangenheit sind die, die es jetzt gibt. Wo sie sich dadurch änderten, sind die letzten Änderungen:',
  change: '{month}, {what}: {is} statt {was}, seit dem {date}',
  accepted: ', vom Herausgeber bestätigt',
  undated: 'Ohne Datum',
  notCompared: '{date}: Frühere Zahlen waren mit denen davor nicht vergleichbar',
  proof: 'Den Nachweis von heute aufbewahren',
  proofText:
    'Bewahren Sie diese Zeile des {log} mit den Summen vom {date} auf. Damit lässt sich später zeigen, ob dieser Tag oder einer davor verändert wurde:',
  log: 'Protokolls der Tage',
}

const fr: Past = {
  heading: 'Ce qui a changé dans les chiffres passés',
  nothing: 'Jusqu’ici, aucune vérification n’a trouvé de chiffres passés autres que ceux publiés.',
  text: 'Les chiffres du passé sont ceux qui existent maintenant. Là où cela les a changés, les derniers changements sont :',
  change: '{month}, {what} : {is} au lieu de {was}, depuis le {date}',
  accepted: ', confirmé par l’éditeur',
  undated: 'Sans date',
  notCompared: '{date} : les chiffres passés n’ont pas pu être comparés avec les précédents',
  proof: 'Garder la preuve d’aujourd’hui',
  proofText:
    'Gardez cette ligne du {log}, avec les totaux du {date}. Elle permet de montrer plus tard si ce jour, ou un jour antérieur, a été modifié :',
  log: 'journal des jours',
}

const es: Past = {
  heading: 'Qué ha cambiado en las cifras pasadas',
  nothing: 'Hasta ahora, ninguna comprobación ha encontrado cifras pasadas distintas de las publicadas.',
  text: 'Las cifras del pasado son las que existen ahora. Donde eso las cambió, los últimos cambios son:',
  change: '{month}, {what}: {is} en lugar de {was}, desde el {date}',
  accepted: ', confirmado por el editor',
  undated: 'Sin fecha',
  notCompared: '{date}: las cifras pasadas no se pudieron comparar con las anteriores',
  proof: 'Guardar la prueba de hoy',
  proofText:
    'Guarde esta línea del {log}, con los totales del {date}. Con ella se puede mostrar más tarde si ese día, o uno anterior, fue modificado:',
  log: 'registro de días',
}

export const PAST: Readonly<Record<Language, Past>> = { en, de, fr, es }
