// Each script asks the program for suggestions. `command` runs the one on the PATH, not a shell function. No script
// evaluates what is typed or what the program answers.

const bash = `# bash completion for referral-auth; needs bash 4.3 or newer.
_referral_auth() {
  local answer
  mapfile -t answer < <(command referral-auth completion bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  COMPREPLY=()
  case \${answer[0]-} in
    words) COMPREPLY=("\${answer[@]:1}") ;;
    files) compopt -o default ;;
    commands) mapfile -t COMPREPLY < <(compgen -c -- "$2") ;;
  esac
}
complete -F _referral_auth referral-auth
`;

const zsh = `#compdef referral-auth
# zsh completion for referral-auth, to be sourced or put into a folder of fpath as _referral-auth.
_referral-auth() {
  local -a answer candidates
  answer=("\${(@f)$(command referral-auth completion zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  compset -P '--*='
  case $answer[1] in
    words)
      candidates=("\${(@)answer[2,-1]}")
      _describe 'referral-auth' candidates
      ;;
    files) _files ;;
    commands) _command_names -e ;;
  esac
}
if [[ $funcstack[1] == _referral-auth ]]; then
  _referral-auth "$@"
else
  compdef _referral-auth referral-auth
fi
`;

const fish = `# fish completion for referral-auth.
function __referral_auth
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command referral-auth completion fish -- $before[2..-1] "$current" 2>/dev/null)
    switch "$answer[1]"
        case words
            printf '%s\\n' $answer[2..-1]
        case files
            set -l flag (string match -r -- '^--[^=]+=' "$current")
            set -l start (string replace -r -- '^--[^=]+=' '' "$current")
            for path in (complete -C "'' $start")
                printf '%s\\n' "$flag$path"
            end
        case commands
            complete -C "$current"
    end
end
complete -c referral-auth -f -a '(__referral_auth)'
`;

/** The completion script of each shell. */
export const scripts = { bash, zsh, fish } as const;
/** A shell with a completion script. */
export type Shell = keyof typeof scripts;
/** The shells with a completion script. */
export const shells = Object.keys(scripts) as readonly Shell[];
