#include "completions.h"

#include "commands.h"
#include "document_command.h"
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

std::string blend_modes() {
    return fmt::format("{}", fmt::join(make_operation("blend")->schema().at("mode").choices(), " "));
}

// {} in order: operations, commands, presets, commands of documents, choices, ways of blending, options per operation
// and command, options of every run, those of documents' commands.
constexpr const char* script = R"(# bash completion for caprock
_caprock_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }}
_caprock_kernels() {{ mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -X '!*.kernel' -- "$word"); }}
_caprock_files() {{ mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$word"); }}
_caprock() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local operations="{}" commands="{}" presets="{}" subject="" options="" w
    local of_documents="{}" document="" first=1
    COMPREPLY=()
    # --kind=ri arrives as three words.
    if [[ "$word" == "=" ]]; then word=""; fi
    if [[ "$before" == "=" ]]; then before="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
    # Of documents: the command, the project, perhaps a layer, and then perhaps operations.
    if [[ "${{COMP_WORDS[1]}}" == document ]] && (( COMP_CWORD > 1 )); then
        if (( COMP_CWORD == 2 )); then _caprock_words "$of_documents help"; return; fi
        document="${{COMP_WORDS[2]}}"
        if [[ "$document" == help ]]; then _caprock_words "$of_documents"; return; fi
        case "$document $COMP_CWORD" in
            "add 4") _caprock_words "$operations $presets painted"; _caprock_files; return ;;
            "operations 5" | "mask 5") [[ "$word" == -* ]] || {{ _caprock_words "$operations"; return; }} ;;
        esac
        subject="document $document"
        first=4
    fi
    for w in "${{COMP_WORDS[@]:first:COMP_CWORD-first}}"; do
        if [[ "$w" == then ]]; then
            subject=""
        elif [[ "$subject" == "document "* && " $operations " == *" $w "* ]]; then
            subject="$w"
        elif [[ -z "$subject" && " $operations $commands " == *" $w "* ]]; then
            subject="$w"
        fi
    done
    case "$subject $before" in
{}        "help help") _caprock_words "$operations $commands"; return ;;
        "help document") _caprock_words "$of_documents"; return ;;
        "presets presets") _caprock_words "$presets"; return ;;
        "run run") _caprock_words "$presets"; _caprock_files; return ;;
        "completions completions") _caprock_words "bash"; return ;;
    esac
    case "$before" in
        --device) _caprock_words "auto cpu gpu opencl"; return ;;
        --as) _caprock_words "usual frontier"; return ;;
        --byte-order) _caprock_words "little big"; return ;;
        then) _caprock_words "$operations take from"; _caprock_kernels; return ;;
        as) return ;;
        take | from) _caprock_files; return ;;
        --mode) [[ -z "$document" ]] || {{ _caprock_words "{}"; return; }} ;;
    esac
    if [[ "$word" == -* ]]; then
        case "$subject" in
{}            "document "*) options="" ;;
            *) options="{}" ;;
        esac
        # Options of the layer stand among those of its operations.
        case "$document" in
{}        esac
        _caprock_words "$options"
    elif (( COMP_CWORD == 1 )); then
        _caprock_words "$operations $commands"
        _caprock_files
    else
        [[ " $commands " == *" $subject "* ]] || [[ "$subject" == "document "* ]] || [[ "$before" == -* ]] || _caprock_words "then as"
        _caprock_files
    fi
}}
complete -o filenames -F _caprock caprock
)";

}  // namespace

std::string bash_completions() {
    ChainSettings settings;
    Declaration common;
    settings.describe(common);
    std::string common_words = option_words(option_names(common)) + " -o";
    std::string choices;
    std::string options;
    for (const std::string& name : operation_names()) {
        std::unique_ptr<Operation> operation = make_operation(name);
        options += fmt::format("            {}) options=\"{}{}\" ;;\n", name,
                               option_words(option_names(*operation)), common_words);
        for (const Parameter& parameter : operation->schema().parameters())
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
    std::string of_documents;
    for (const std::string& name : document_command_names())
        if (const Command* command = document_command_named(name); command->option_names)
            of_documents += fmt::format("            {}) options+=\"{}\" ;;\n", name,
                                        option_words(command->option_names()));
    return fmt::format(script, fmt::join(operation_names(), " "), fmt::join(command_names, " "),
                       fmt::join(preset_names(), " "), fmt::join(document_command_names(), " "), choices,
                       blend_modes(), options, common_words, of_documents);
}

}  // namespace caprock::cli
