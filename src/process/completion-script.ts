// Owns the scripts that make bash, zsh and fish complete a program: each asks the program itself. Pure text.

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export interface Completed {
  /** What is typed. */
  readonly name: string
  /** What runs it where no command of that name is installed, as the shell takes it; null = one is. */
  readonly command: string | null
}

export function completionScript(shell: Shell, { name, command }: Completed): string {
  return SCRIPTS[shell](name, `_${name.replaceAll('-', '_')}`, command)
}

type Script = (name: string, made: string, command: string | null) => string

/** The words go to the program, whose first line says which paths may follow, and each further line is a word and a tab with what it is. */
const SCRIPTS: Readonly<Record<Shell, Script>> = {
  bash: (name, made, command) => `# bash completion of ${name}
${command === null ? '' : `command -v ${name} >/dev/null || ${name}() { ${command} "$@"; }\n`}${made}() {
  local kind= line current=\${COMP_WORDS[COMP_CWORD]}
  [ "$current" = = ] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then kind=$line; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(${name} completion -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in files) line=-f ;; folders) line=-d ;; *) return ;; esac
  compopt -o filenames 2>/dev/null
  while IFS= read -r kind; do COMPREPLY+=("$kind"); done < <(compgen $line -- "$current")
}
complete -F ${made} ${name}
`,
  zsh: (name, made, command) => `#compdef ${name}
${command === null ? '' : `(( $+commands[${name}] )) || ${name}() { ${command} "$@" }\n`}${made}() {
  local kind line
  local -a found
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done < <(${name} completion -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe -t words ${name} found
  [[ \${words[CURRENT]} == --*=* ]] && compset -P '*='
  case $kind in files) _files ;; folders) _files -/ ;; esac
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then ${made} "$@"; else compdef ${made} ${name}; fi
`,
  fish: (name, made, command) => `# fish completion of ${name}
${command === null ? '' : `command -q ${name}; or function ${name}; ${command} $argv; end\n`}function ${made}
  set -l current "$(commandline -ct)"
  set -l words (commandline -opc)
  set -l found (${name} completion -- $words[2..-1] $current 2>/dev/null)
  for line in $found[2..-1]
    echo $line
  end
  switch "$found[1]"
    case files
      __fish_complete_path (string replace -r '^--[a-z-]+=' '' -- $current)
    case folders
      __fish_complete_directories (string replace -r '^--[a-z-]+=' '' -- $current)
  end
end
complete -c ${name} -f -a '(${made})'
`,
}
