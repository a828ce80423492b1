// Owns what setup prints at its end: where the page is, and the lines that keep it running with systemd, compose or cron,
// with real paths. Pure text.
import { resolve } from 'node:path'
import { shellWord } from '../../process/called-as.ts'

export interface Places {
  /** The folder of the package, as it was typed: `deploy/` is in it. */
  readonly root: string
  /** The same without links. */
  readonly real: string
  readonly node: string
  /** The file of variables. */
  readonly file: string
  /** Where the set-up was made; relative paths are read from here. */
  readonly folder: string
  /** The value of --source: a name, or the path of a mapping file. */
  readonly source: string
}

/** Units with ProtectHome and PrivateTmp do not see these. */
const HIDDEN = /^\/(?:home|root|run\/user|tmp|var\/tmp)\//
/** Where the units of deploy/systemd have Node. */
const UNITS_NODE = '/usr/bin/node'
/** Where the units of deploy/systemd look for the program. */
const UNITS_ROOT = '/opt/analytics'

/**
 * The lines are neither indented nor wrapped, because they are copied.
 * @param snapshots folder of the releases
 */
export function finalLines(snapshots: string, publicUrl: string | null, places: Places): string {
  const { root, node, file } = places
  return [
    '',
    `the page: file://${encodeURI(snapshots)}/current/index.html`,
    'or, with the API, http://127.0.0.1:8080/ while this runs:',
    `${shellWord(node)} ${shellWord(`${root}/bin/analytics-proxy.js`)} --env-file ${shellWord(file)}`,
    ...(publicUrl === null ? [] : [`and, once it is served there, ${publicUrl}/`]),
    `Its title, address, licence and languages are in ${file}: the next build takes what is changed there.`,
    '',
    'Three ways to keep it running:',
    ...waysToRun(places).flatMap(({ name, lines }) => ['', `# ${name}`, ...lines]),
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Lines to copy: each is a whole command. */
export function waysToRun(places: Places): { readonly name: string; readonly lines: readonly string[] }[] {
  const { root, node, file, folder, source } = places
  const fault = unitsFault(places)
  const mapping = source.endsWith('.sql') ? resolve(folder, source) : null
  const env = shellWord(file)
  // The unit has its own folder of snapshots, and sees no other.
  const changed = mapping === null ? '^ANALYTICS_SNAPSHOTS=' : "'^ANALYTICS_(SNAPSHOTS|SOURCE)='"
  return [
    {
      name: 'systemd, as root (docs/deployment.md has more, also for a second site on this machine)',
      lines: fault ?? [
        // If a folder is there, ln fails: otherwise the units would run what that has.
        `${root === UNITS_ROOT ? '' : `ln -sfnT ${shellWord(root)} ${UNITS_ROOT} && `}cd ${UNITS_ROOT}/deploy/systemd`,
        `cp *.service *.timer /etc/systemd/system/`,
        `install -m 755 analytics-build /usr/local/sbin/`,
        ...(node === UNITS_NODE
          ? []
          : [
              `sed -i 's#${UNITS_NODE}#${node}#' /etc/systemd/system/analytics-*.service /usr/local/sbin/analytics-build`,
            ]),
        `install -D -m 644 sysusers.conf /etc/sysusers.d/analytics.conf`,
        `systemd-sysusers`,
        // With set -C, the options of a site that is there already are not replaced.
        `mkdir -p /etc/analytics && (umask 077; set -C; grep -vE ${changed} ${env} > /etc/analytics/build.env)${
          mapping === null
            ? ''
            : ` && install -m 644 ${shellWord(mapping)} /etc/analytics/mapping.sql && echo ANALYTICS_SOURCE=/etc/analytics/mapping.sql >> /etc/analytics/build.env`
        }`,
        'systemctl daemon-reload && systemctl start analytics-build.service',
        'systemctl enable --now analytics-build.timer analytics-proxy analytics-nginx',
      ],
    },
    {
      name: 'compose, with the image of docs/containers.md',
      lines: [
        ...(mapping === null ? [] : [`# first: mount ${mapping} into builder, and name it there as ANALYTICS_SOURCE`]),
        '# the database must be reachable from a container, whose 127.0.0.1 is not this machine',
        `cd ${shellWord(`${root}/deploy/compose`)} && mkdir -p -m 700 secrets`,
        `grep -vE '^(DATABASE_URL|ANALYTICS_SNAPSHOTS)=' ${env} > analytics.env`,
        // The secret holds the value itself, and is mounted as it is, for the user of the image.
        `(. ${env} && printf %s "$DATABASE_URL" > secrets/database-url)`,
        'chown 10001 secrets/database-url && chmod 400 secrets/database-url',
        'docker compose up -d',
      ],
    },
    {
      name: 'cron (crontab -e)',
      lines: [
        `*/5 * * * *  cd ${shellWord(folder)} && ${shellWord(node)} ${shellWord(`${root}/bin/analytics-build.js`)} --env-file ${env} --quiet`,
      ],
    },
  ]
}

/** Why the units cannot run this program with this Node; null = they can. */
function unitsFault({ root, real, node }: Places): string[] | null {
  if ([root, real, node].some((path) => HIDDEN.test(path)))
    return [
      `# not from here: the units see nothing below /home, /root, /tmp and /var/tmp, so they cannot run the program in ${root} with Node in ${node}`,
      '# install both for all users (docs/deployment.md, "Installing"), run setup there again, and copy the lines that it prints',
    ]
  // The path becomes a part of a line of the units.
  return /^[\w./:@+-]+$/.test(node)
    ? null
    : [`# not from here: the path of Node, ${node}, cannot be written into a unit`]
}
