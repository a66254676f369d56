#include "completions.h"

#include "commands.h"
#include "operation/operation.h"
#include "settings.h"

#include <fmt/format.h>

namespace caprock::cli {

namespace {

std::string option_words(const Declaration& declaration) {
    std::string words;
    for (const Parameter& parameter : declaration.parameters()) words += " --" + parameter.name();
    return words;
}

}  // namespace

std::string bash_completions() {
    RunSettings settings;
    Declaration common;
    settings.describe(common);
    std::string operations;
    std::string command_names;
    std::string options;
    std::string choices;
    for (const std::string& name : operation_names()) {
        std::unique_ptr<Operation> operation = make_operation(name);
        Declaration declaration = operation->declare();
        operations += " " + name;
        options += fmt::format("        {}) options=\"{}\" ;;\n", name, option_words(declaration));
        for (const Parameter& parameter : declaration.parameters())
            if (parameter.type() == ParameterType::choice)
                choices += fmt::format("        {}--{}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", name,
                                       parameter.name(), fmt::join(parameter.choices(), " "));
    }
    for (const Command& command : commands()) command_names += fmt::format(" {}", command.name);
    return fmt::format(
        R"(# bash completion for caprock
_caprock() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local operations="{}" commands="{}" operation="" options="" w
    for w in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$w" in
            then) operation="" ;;
            *) [[ " $operations " == *" $w "* ]] && operation="$w" ;;
        esac
    done
    case "$operation$before" in
{}    esac
    case "$before" in
        --device) COMPREPLY=($(compgen -W "auto cpu gpu opencl" -- "$word")); return ;;
        then) COMPREPLY=($(compgen -W "$operations" -- "$word")); return ;;
        help) COMPREPLY=($(compgen -W "$operations $commands" -- "$word")); return ;;
    esac
    if [[ "$word" == -* ]]; then
        case "$operation" in
{}        esac
        COMPREPLY=($(compgen -W "$options{} -o" -- "$word"))
    elif (( COMP_CWORD == 1 )); then
        COMPREPLY=($(compgen -W "$operations $commands" -- "$word") $(compgen -f -- "$word"))
    else
        COMPREPLY=($(compgen -W "then" -- "$word") $(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _caprock caprock
)",
        operations, command_names, choices, options, option_words(common));
}

}  // namespace caprock::cli
