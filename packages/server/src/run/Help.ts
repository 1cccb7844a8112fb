import { stripVTControlCharacters } from "node:util"
import { BuiltInOptions, CliConfig, CommandDescriptor, CommandDirective, HelpDoc, ValidationError } from "@effect/cli"
import { Effect } from "effect"
import { distance } from "fastest-levenshtein"
import { variablesOf } from "../settings/Setting.js"
import { settingDocs } from "../settings/Settings.js"
import { alignColumns } from "./Output.js"
import { CommandFailed } from "./Run.js"

/*
 * Help and usage errors. @effect/cli prints only the last name of a command, and colours also without a terminal.
 */

type Descriptor = CommandDescriptor.Command<unknown>

/** The options of @effect/cli itself are not in the help. */
export const cliConfig = CliConfig.make({ showBuiltIns: false })

const plainText = (doc: HelpDoc.HelpDoc) => stripVTControlCharacters(HelpDoc.toAnsiText(doc)).trim()

const partsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  HelpDoc.isSequence(doc) ? [...partsOf(doc.left), ...partsOf(doc.right)] : [doc]

interface Usage {
  /** `["keys", "create"]` */
  readonly path: ReadonlyArray<string>
  /** `keys create --name NAME [--system]` */
  readonly usage: string
  readonly description: string
}

/** All commands and groups of commands. The help of @effect/cli has one line for each: its usage and its description. */
const usagesOf = (root: Descriptor): ReadonlyArray<Usage> =>
  partsOf(CommandDescriptor.getHelp(root, cliConfig))
    .flatMap((part) => (HelpDoc.isEnumeration(part) ? part.elements : []))
    .map((element) => {
      const [usage = "", description = ""] = plainText(element).split(/ {2,}/)
      return { path: /^[a-z-]+(?: [a-z][a-z-]*)*/.exec(usage)?.[0].split(" ") ?? [], usage, description }
    })

const isWithin = (group: ReadonlyArray<string>, { path }: Usage) =>
  path.length > group.length && group.every((name, at) => path[at] === name)

/** A command or a group, with the arguments after its name. */
interface Named {
  readonly path: ReadonlyArray<string>
  /** The commands of a group; none if it is a command. */
  readonly commands: ReadonlyArray<Usage>
  readonly usage: string
  readonly description: string
  readonly rest: ReadonlyArray<string>
}

/** Finds the command of these arguments: the longest path that they begin with. */
export const findCommand = (root: Descriptor, args: ReadonlyArray<string>): Named => {
  const usages = usagesOf(root)
  const found = usages.findLast(({ path }) => path.every((name, at) => args[at] === name))
  const path = found?.path ?? []
  const commands = usages.filter((one) => isWithin(path, one) && !usages.some((other) => isWithin(one.path, other)))
  return {
    path,
    commands,
    usage: ["switchboard", found?.usage ?? "", ...(commands.length > 0 ? ["COMMAND"] : [])].filter(Boolean).join(" "),
    description: found?.description ?? "",
    rest: args.slice(path.length)
  }
}

const nameOf = (path: ReadonlyArray<string>) => ["switchboard", ...path].join(" ")

/** Sentences of @effect/cli about the type of an option, which its placeholder shows. */
const generated =
  /^(?:A user-defined piece of text(?: that is confidential)?\.|A true or false value\.|This setting is optional\.|This option may be repeated zero or more times\.|This option can be set from environment variables\.)/

/** The arguments and options of a command, with their descriptions. */
const optionsOf = (root: Descriptor, path: ReadonlyArray<string>) =>
  Effect.map(CommandDescriptor.parse(root, ["switchboard", ...path, "--help"], cliConfig), (directive) => {
    if (!CommandDirective.isBuiltIn(directive) || !BuiltInOptions.isShowHelp(directive.option)) return []
    return partsOf(directive.option.helpDoc).flatMap((part) =>
      HelpDoc.isDescriptionList(part)
        ? part.definitions.map(([name, doc]) => [
            plainText(HelpDoc.p(name)),
            partsOf(doc)
              .map(plainText)
              .filter((text) => text !== "" && !generated.test(text))
              .join("; ")
          ])
        : []
    )
  })

const section = (title: string, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  rows.length === 0 ? [] : ["", `${title}:`, alignColumns(rows.map(([name = "", text = ""]) => [`  ${name}`, text]))]

const settingsText = settingDocs
  .map(
    (doc) =>
      `  ${variablesOf(doc).join(", ")} (${doc.unit === undefined ? doc.type : `${doc.type}, ${doc.unit}`}; default: ${doc.default})\n      ${doc.meaning}`
  )
  .join("\n")

/** The help of a command, of a group, or of the program. */
export const helpOf = (root: Descriptor, { commands, description, path, usage }: Named, version: string) =>
  Effect.map(commands.length > 0 ? Effect.succeed([]) : optionsOf(root, path), (options) =>
    [
      `Usage: ${usage}`,
      "",
      path.length === 0 ? `Switchboard ${version}. Without a command: serve.` : `${description}.`,
      ...section(
        "Commands",
        commands.map((one) => [one.path.join(" "), one.description])
      ),
      ...section("Arguments and options", options),
      ...(commands.length === 0 ? [] : ["", '"switchboard COMMAND --help" prints the options of a command.']),
      ...(path.length === 0
        ? ["", "Settings (environment variables; with _FILE: the path of a file with the value):", settingsText]
        : [])
    ].join("\n")
  )

/** A name that differs in more characters is not a typing error. */
const maxDistance = 2

const unknownCommand = ({ commands, path, rest: [name = ""] }: Named) => {
  const meant = commands.map((one) => one.path[path.length] ?? "").find((one) => distance(one, name) <= maxDistance)
  const hint = meant === undefined ? "" : ` Did you mean "${nameOf([...path, meant])}"?`
  return new CommandFailed({
    message: `There is no command "${nameOf([...path, name])}".${hint} Run "${nameOf([...path, "--help"])}" for the commands`
  })
}

/** An error of @effect/cli about arguments. One about a value has its remedy; others refer to the help. */
export const usageError =
  (path: ReadonlyArray<string>) =>
  (error: ValidationError.ValidationError): CommandFailed => {
    const problem = plainText(error.error)
    const help = `Run "${nameOf([...path, "--help"])}" for the arguments and options`
    return new CommandFailed({
      message: ValidationError.isInvalidValue(error) ? problem : `${problem.replace(/(?<![.?])$/, ".")} ${help}`
    })
  }

/** Requires that the arguments are those of their command. */
export const checkArguments = Effect.fnUntraced(function* (root: Descriptor, named: Named) {
  const { commands, path, rest } = named
  if (commands.length > 0 && rest[0] !== undefined && !rest[0].startsWith("-")) return yield* unknownCommand(named)
  const unknown = (argument: string) =>
    usageError(path)(ValidationError.invalidArgument(HelpDoc.p(`Unknown argument ${argument}`)))
  const directive = yield* Effect.mapError(
    CommandDescriptor.parse(root, ["switchboard", ...path, ...rest], cliConfig),
    (error) => (commands.length > 0 ? unknown(rest[0] ?? "") : usageError(path)(error))
  )
  if (CommandDirective.isUserDefined(directive) && directive.leftover[0] !== undefined) {
    return yield* unknown(directive.leftover[0])
  }
})
