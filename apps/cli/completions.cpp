#include "completions.h"

#include "commands.h"
#include "operation/presets.h"
#include "options.h"
#include "settings.h"

#include <fmt/format.h>

namespace caprock::cli {

namespace {

std::string option_words(const std::vector<std::string>& names) {
    std::string words;
    for (const std::string& name : names) words += " --" + name;
    return words;
}

// {} in order: operations, commands, presets, choices, options per operation and command, options of every run.
constexpr const char* script = R"(# bash completion for caprock
_caprock_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }}
_caprock_files() {{ mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$word"); }}
_caprock() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local operations="{}" commands="{}" presets="{}" subject="" options="" w
    COMPREPLY=()
    # --kind=ri arrives as three words.
    if [[ "$word" == "=" ]]; then word=""; fi
    if [[ "$before" == "=" ]]; then before="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
    for w in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        if [[ "$w" == then ]]; then
            subject=""
        elif [[ -z "$subject" && " $operations $commands " == *" $w "* ]]; then
            subject="$w"
        fi
    done
    case "$subject $before" in
{}        "help help") _caprock_words "$operations $commands"; return ;;
        "presets presets") _caprock_words "$presets"; return ;;
        "run run") _caprock_words "$presets"; _caprock_files; return ;;
        "completions completions") _caprock_words "bash"; return ;;
    esac
    case "$before" in
        --device) _caprock_words "auto cpu gpu opencl"; return ;;
        --as) _caprock_words "usual frontier"; return ;;
        --byte-order) _caprock_words "little big"; return ;;
        then) _caprock_words "$operations"; return ;;
    esac
    if [[ "$word" == -* ]]; then
        case "$subject" in
{}            *) options="{}" ;;
        esac
        _caprock_words "$options"
    elif (( COMP_CWORD == 1 )); then
        _caprock_words "$operations $commands"
        _caprock_files
    else
        [[ " $commands " == *" $subject "* ]] || [[ "$before" == -* ]] || _caprock_words "then"
        _caprock_files
    fi
}}
complete -o filenames -F _caprock caprock
)";

}  // namespace

std::string bash_completions() {
    RunSettings settings;
    Declaration common;
    settings.describe(common);
    std::string common_words = option_words(option_names(common)) + " -o";
    std::string choices;
    std::string options;
    for (const std::string& name : operation_names()) {
        std::unique_ptr<Operation> operation = make_operation(name);
        Declaration declaration = operation->declare();
        options += fmt::format("            {}) options=\"{}{}\" ;;\n", name,
                               option_words(option_names(declaration)), common_words);
        for (const Parameter& parameter : declaration.parameters())
            if (parameter.type() == ParameterType::choice)
                choices += fmt::format("        \"{} --{}\") _caprock_words \"{}\"; return ;;\n", name,
                                       parameter.name(), fmt::join(parameter.choices(), " "));
    }
    std::vector<std::string> command_names;
    for (const Command& command : commands()) {
        command_names.emplace_back(command.name);
        std::string own = command.option_names ? option_words(command.option_names()) : "";
        options += fmt::format("            {}) options=\"{}\" ;;\n", command.name, own);
    }
    return fmt::format(script, fmt::join(operation_names(), " "), fmt::join(command_names, " "),
                       fmt::join(preset_names(), " "), choices, options, common_words);
}

}  // namespace caprock::cli
