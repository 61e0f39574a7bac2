# completion.bash - bash completion of the command `satin`
#
# SPDX-License-Identifier: Apache-2.0

# _satin_options SUBCOMMAND...: prints the long options that the help of SUBCOMMAND lists.
_satin_options() {
  satin "$@" --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u
}

_satin() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "run hub node sim status top why dump stacks nodes leave stop migrate apps inspect checkpoint conformance journal page report trace copy new-plugin course bench help --help --version" -- "$word")
    return
  fi
  case $command:$word in
    checkpoint:*)
      if [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "list show verify compact export import --help" -- "$word")
      elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_satin_options "$command" "${COMP_WORDS[2]}")" -- "$word")
      fi
      ;;
    nodes:*)
      if [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "list add remove --help" -- "$word")
      elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_satin_options "$command" "${COMP_WORDS[2]}")" -- "$word")
      fi
      ;;
    help:*) mapfile -t COMPREPLY < <(compgen -W "run hub node sim status top why dump stacks nodes leave stop migrate apps inspect checkpoint conformance journal page report trace copy new-plugin course bench" -- "$word") ;;
    *:-*) mapfile -t COMPREPLY < <(compgen -W "$(_satin_options "$command")" -- "$word") ;;
    new-plugin:*)
      if [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "policy transport registry storage provision adaptation part" -- "$word")
      fi
      ;;
    course:*)
      if [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "list start grade" -- "$word")
      elif [ "$COMP_CWORD" -eq 3 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(satin course list 2>/dev/null | awk '{ print $1 }')" -- "$word")
      fi
      ;;
    sim:*)
      mapfile -t COMPREPLY < <(compgen -W "sweep $(satin apps 2>/dev/null | awk '{ print $1 }')" -f -- "$word")
      ;;
    bench:*) mapfile -t COMPREPLY < <(compgen -W "spawn steal links" -- "$word") ;;
    inspect:* | conformance:*)
      mapfile -t COMPREPLY < <(compgen -W "$(satin inspect 2>/dev/null | awk '/^[a-z]/ { print $1 }')" -- "$word")
      ;;
    run:* | node:*)
      mapfile -t COMPREPLY < <(compgen -W "$(satin apps 2>/dev/null | awk '{ print $1 }')" -f -- "$word")
      ;;
  esac
}

complete -o default -F _satin satin
