// Invented databases that no mapping is made for, of over 100 tables each, in the conventions of the frameworks that make
// such tables, and by hand. What is ours is among much that is not, and some of that sounds as if it were.

export interface UnknownSchema {
  readonly name: string
  readonly sql: string
  /** What must be proposed first. */
  readonly ideas: string
  readonly users: string
  readonly votes: string
  readonly comments: string
  readonly categories: string
  readonly bookkeeping: readonly string[]
}

/** What applications have besides, many before "ideas" in the alphabet. */
const OTHERS =
  `ability abuse_report access_grant access_token activity address admin_note advert agreement alert announcement
  answer_option api_key app_setting application approval archive article asset assignment attachment audit_event avatar badge
  badge_grant banner billing_plan block blog blog_entry bookmark calendar campaign cart certificate channel_member chat_room
  checklist comment_flag comment_revision consent consent_log contact content_block country coupon credit currency custom_field
  dashboard data_export delivery device digest discount document domain download draft email_event email_template event_type
  export_job faq feature_flag feed file follow form form_field gallery gateway glossary group_role holiday hook identity image
  import_job inbox integration invite invoice invoice_line ip_block job_run label_setting language layout ledger license link
  locale location login_attempt mail_log mailing media_item membership_plan menu menu_item metric milestone moderation_log
  news newsletter notice notification_setting oauth_client oauth_grant order_line page page_view payment permission_set
  plan_price poll_setting post_revision preference product profile_field push_device rate_limit redirect refund region
  report_template request_log reset_token review_queue role schedule search_query secret segment session_record shipment
  site_setting slide snippet sso_config stat_daily status_page subscription survey sync_run tag_alias task team_setting
  template tenant_plan theme_setting ticket_type timezone token translation_key upload usage_record user_badge user_device
  user_import user_preference user_session vote_setting vote_type webhook webhook_delivery widget workflow zone`.split(
    /\s+/,
  )

const plural = (name: string): string => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`)
const camel = (name: string): string => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
const words = (name: string): string => name.replaceAll('_', '')
/** Rows without content: only their number is known. */
const rows = (table: string, n: number): string =>
  `INSERT INTO ${table} (${table.startsWith('"') ? '"createdAt"' : 'created_at'}) SELECT now() FROM generate_series(1, ${n});`

const rails: UnknownSchema = {
  name: 'rails',
  // Without foreign keys, as Rails has long made them; "posts" are a blog's.
  sql: `
    CREATE TABLE schema_migrations (version varchar PRIMARY KEY);
    CREATE TABLE ar_internal_metadata (key varchar PRIMARY KEY, value varchar, created_at timestamp, updated_at timestamp);
    CREATE TABLE users (id bigserial PRIMARY KEY, email varchar, encrypted_password varchar, last_sign_in_at timestamp, created_at timestamp);
    CREATE TABLE suggestions (id bigserial PRIMARY KEY, user_id bigint, category_id bigint, title varchar, body text, state varchar,
                              published boolean, cached_votes_total int, created_at timestamp, updated_at timestamp);
    CREATE TABLE posts (id bigserial PRIMARY KEY, title varchar, body text, created_at timestamp);
    CREATE TABLE votes (id bigserial PRIMARY KEY, votable_type varchar, votable_id bigint, voter_type varchar, voter_id bigint,
                        vote_flag boolean, created_at timestamp);
    CREATE TABLE comments (id bigserial PRIMARY KEY, commentable_type varchar, commentable_id bigint, user_id bigint, body text, created_at timestamp);
    CREATE TABLE categories (id bigserial PRIMARY KEY, name varchar, position int);
    ${OTHERS.map((name) => `CREATE TABLE ${plural(name)} (id bigserial PRIMARY KEY, name varchar, user_id bigint, created_at timestamp, updated_at timestamp);`).join('\n')}
    ${rows('users', 900)} ${rows('suggestions', 300)} ${rows('votes', 5000)} ${rows('comments', 700)} ${rows('posts', 20)}`,
  ideas: 'suggestions',
  users: 'users',
  votes: 'votes',
  comments: 'comments',
  categories: 'categories',
  bookkeeping: ['schema_migrations', 'ar_internal_metadata'],
}

const django: UnknownSchema = {
  name: 'django',
  // The application before the name, model names run together, foreign keys everywhere.
  sql: `
    CREATE TABLE django_migrations (id serial PRIMARY KEY, app varchar(255), name varchar(255), applied timestamptz);
    CREATE TABLE accounts_customuser (id serial PRIMARY KEY, password varchar(128), last_login timestamptz, is_superuser boolean, username varchar(150),
                                      email varchar(254), is_active boolean, date_joined timestamptz, created_at timestamptz);
    CREATE TABLE auth_group (id serial PRIMARY KEY, name varchar(150));
    CREATE TABLE auth_permission (id serial PRIMARY KEY, name varchar(255), codename varchar(100));
    CREATE TABLE accounts_customuser_groups (id serial PRIMARY KEY, customuser_id int REFERENCES accounts_customuser, group_id int REFERENCES auth_group);
    CREATE TABLE participation_theme (id serial PRIMARY KEY, name varchar(80), slug varchar(50));
    CREATE TABLE participation_citizenproposal (id serial PRIMARY KEY, title varchar(200), description text, status varchar(20), is_public boolean,
                                      author_id int REFERENCES accounts_customuser, theme_id int REFERENCES participation_theme, created_at timestamptz);
    CREATE TABLE participation_proposalsupport (id serial PRIMARY KEY, proposal_id int REFERENCES participation_citizenproposal,
                                      user_id int REFERENCES accounts_customuser, created_at timestamptz);
    CREATE TABLE participation_proposalcomment (id serial PRIMARY KEY, proposal_id int REFERENCES participation_citizenproposal,
                                      user_id int REFERENCES accounts_customuser, body text, created_at timestamptz);
    CREATE TABLE blog_post (id serial PRIMARY KEY, title varchar(200), body text, author_id int REFERENCES accounts_customuser, created_at timestamptz);
    ${OTHERS.map((name) => `CREATE TABLE core_${words(name)} (id serial PRIMARY KEY, name varchar(90), user_id int REFERENCES accounts_customuser, created_at timestamptz);`).join('\n')}
    ${rows('accounts_customuser', 500)} ${rows('participation_citizenproposal', 90)} ${rows('participation_proposalsupport', 900)}`,
  ideas: 'participation_citizenproposal',
  users: 'accounts_customuser',
  votes: 'participation_proposalsupport',
  comments: 'participation_proposalcomment',
  categories: 'participation_theme',
  bookkeeping: ['django_migrations'],
}

const prisma: UnknownSchema = {
  name: 'prisma',
  sql: `
    CREATE TYPE "IdeaStatus" AS ENUM ('OPEN', 'PLANNED', 'SHIPPED', 'DECLINED');
    CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64), finished_at timestamptz, migration_name varchar(255), logs text,
                                     rolled_back_at timestamptz, started_at timestamptz, applied_steps_count int);
    CREATE TABLE "User" (id text PRIMARY KEY DEFAULT gen_random_uuid()::text, email text, "emailVerified" timestamp(3), name text, "createdAt" timestamp(3));
    CREATE TABLE "Account" (id text PRIMARY KEY, "userId" text REFERENCES "User", type text, provider text, "providerAccountId" text, refresh_token text);
    CREATE TABLE "Session" (id text PRIMARY KEY, "sessionToken" text, "userId" text REFERENCES "User", expires timestamp(3));
    CREATE TABLE "Board" (id text PRIMARY KEY, name text, slug text);
    CREATE TABLE "Post" (id text PRIMARY KEY DEFAULT gen_random_uuid()::text, title text, content text, status "IdeaStatus", "boardId" text REFERENCES "Board",
                         "authorId" text REFERENCES "User", "isPublic" boolean, "createdAt" timestamp(3));
    CREATE TABLE "Upvote" ("postId" text REFERENCES "Post", "userId" text REFERENCES "User", "createdAt" timestamp(3));
    CREATE TABLE "Comment" (id text PRIMARY KEY, "postId" text REFERENCES "Post", "authorId" text REFERENCES "User", content text, "createdAt" timestamp(3));
    CREATE TABLE "Reaction" (id text PRIMARY KEY, "commentId" text REFERENCES "Comment", "userId" text REFERENCES "User", emoji text, "createdAt" timestamp(3));
    ${OTHERS.map((name) => `CREATE TABLE "${camel(name)}" (id text PRIMARY KEY, name text, "userId" text REFERENCES "User", "createdAt" timestamp(3));`).join('\n')}
    ${rows('"User"', 200)} ${rows('"Post"', 60)} ${rows('"Upvote"', 800)}`,
  ideas: '"Post"',
  users: '"User"',
  votes: '"Upvote"',
  comments: '"Comment"',
  categories: '"Board"',
  bookkeeping: ['_prisma_migrations'],
}

const laravel: UnknownSchema = {
  name: 'laravel',
  // Votes are partitioned by month; of the whole PostgreSQL knows no number of rows.
  sql: `
    CREATE TABLE migrations (id serial PRIMARY KEY, migration varchar(255), batch int);
    CREATE TABLE users (id bigserial PRIMARY KEY, name varchar(255), email varchar(255), password varchar(255), remember_token varchar(100), created_at timestamp(0));
    CREATE TABLE password_reset_tokens (email varchar(255), token varchar(255), created_at timestamp(0));
    CREATE TABLE failed_jobs (id bigserial PRIMARY KEY, payload text, exception text);
    CREATE TABLE statuses (id bigserial PRIMARY KEY, name varchar(255));
    CREATE TABLE feature_requests (id bigserial PRIMARY KEY, user_id bigint REFERENCES users, status_id bigint REFERENCES statuses, title varchar(255),
                                   slug varchar(255), description text, created_at timestamp(0), deleted_at timestamp(0));
    CREATE TABLE feature_request_votes (feature_request_id bigint, user_id bigint, created_at timestamp(0)) PARTITION BY RANGE (created_at);
    ${Array.from({ length: 60 }, (_, i) => `CREATE TABLE feature_request_votes_${i} PARTITION OF feature_request_votes FOR VALUES FROM ('${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01') TO ('${2020 + Math.floor((i + 1) / 12)}-${String(((i + 1) % 12) + 1).padStart(2, '0')}-01');`).join('\n')}
    CREATE TABLE feature_request_comments (id bigserial PRIMARY KEY, feature_request_id bigint REFERENCES feature_requests, user_id bigint REFERENCES users, content text, created_at timestamp(0));
    CREATE TABLE tags (id bigserial PRIMARY KEY, name varchar(255), slug varchar(255));
    CREATE TABLE feature_request_tag (feature_request_id bigint REFERENCES feature_requests, tag_id bigint REFERENCES tags);
    CREATE TABLE messages (id bigserial PRIMARY KEY, user_id bigint REFERENCES users, body text, created_at timestamp(0));
    ${OTHERS.map((name) => `CREATE TABLE ${plural(name)} (id bigserial PRIMARY KEY, name varchar(255), user_id bigint REFERENCES users, created_at timestamp(0));`).join('\n')}
    ${rows('users', 50)} ${rows('feature_requests', 40)}
    INSERT INTO feature_request_votes SELECT 1, 1, '2020-01-15' FROM generate_series(1, 900);`,
  ideas: 'feature_requests',
  users: 'users',
  votes: 'feature_request_votes',
  comments: 'feature_request_comments',
  categories: 'tags',
  bookkeeping: ['migrations'],
}

const byHand: UnknownSchema = {
  name: 'by_hand',
  sql: `
    CREATE TABLE flyway_schema_history (installed_rank int PRIMARY KEY, version varchar(50), description varchar(200), script varchar(1000), success boolean);
    CREATE TABLE tbl_benutzer (benutzer_id serial PRIMARY KEY, anmeldename varchar(40), email varchar(80), passwort_hash text, created_at timestamp);
    CREATE TABLE tbl_bereiche (bereich_nr serial PRIMARY KEY, name varchar(60), farbe varchar(7));
    CREATE TABLE tbl_vorschläge (vorschlag_nr serial PRIMARY KEY, titel varchar(200), beschreibung text, zustand smallint,
                                 bereich int REFERENCES tbl_bereiche, verfasser int REFERENCES tbl_benutzer, created_at timestamp);
    CREATE TABLE tbl_zustimmungen (vorschlag int REFERENCES tbl_vorschläge, wer int REFERENCES tbl_benutzer, created_at timestamp);
    CREATE TABLE tbl_kommentare (kommentar_nr serial PRIMARY KEY, vorschlag int REFERENCES tbl_vorschläge, wer int REFERENCES tbl_benutzer, inhalt text, created_at timestamp);
    CREATE TABLE tbl_beitragszahlungen (nr serial PRIMARY KEY, wer int REFERENCES tbl_benutzer, betrag numeric, created_at timestamp);
    ${OTHERS.map((name) => `CREATE TABLE tbl_${words(name)} (nr serial PRIMARY KEY, name varchar(90), wer int REFERENCES tbl_benutzer, created_at timestamp);`).join('\n')}
    ${rows('tbl_benutzer', 500)} ${rows('tbl_vorschläge', 90)} ${rows('tbl_zustimmungen', 900)}`,
  ideas: `"tbl_vorschläge"`,
  users: 'tbl_benutzer',
  votes: 'tbl_zustimmungen',
  comments: 'tbl_kommentare',
  categories: 'tbl_bereiche',
  bookkeeping: ['flyway_schema_history'],
}

const spanish: UnknownSchema = {
  name: 'spanish',
  // Without foreign keys.
  sql: `
    CREATE TABLE knex_migrations (id serial PRIMARY KEY, name varchar(255), batch int, migration_time timestamptz);
    CREATE TABLE knex_migrations_lock (index serial PRIMARY KEY, is_locked int);
    CREATE TABLE "__EFMigrationsHistory" ("MigrationId" varchar(150) PRIMARY KEY, "ProductVersion" varchar(32));
    CREATE TABLE usuarios (id serial PRIMARY KEY, correo text, contrasena text, created_at timestamptz);
    CREATE TABLE temas (id serial PRIMARY KEY, nombre text, name text);
    CREATE TABLE propuestas (id serial PRIMARY KEY, id_usuario int, id_tema int, titulo text, descripcion text, estado text, created_at timestamptz);
    CREATE TABLE apoyos (id serial PRIMARY KEY, id_propuesta int, id_usuario int, created_at timestamptz);
    CREATE TABLE comentarios (id serial PRIMARY KEY, id_propuesta int, id_usuario int, texto text, created_at timestamptz);
    ${OTHERS.map((name) => `CREATE TABLE ${plural(name)} (id serial PRIMARY KEY, name text, id_usuario int, created_at timestamptz);`).join('\n')}
    ${rows('usuarios', 500)} ${rows('propuestas', 90)} ${rows('apoyos', 900)}`,
  ideas: 'propuestas',
  users: 'usuarios',
  votes: 'apoyos',
  comments: 'comentarios',
  categories: 'temas',
  bookkeeping: ['knex_migrations', 'knex_migrations_lock', '"__EFMigrationsHistory"'],
}

export const UNKNOWN_SCHEMAS: readonly UnknownSchema[] = [rails, django, prisma, laravel, byHand, spanish]
