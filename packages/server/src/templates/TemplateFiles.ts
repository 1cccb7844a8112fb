import { FileSystem, Path } from "@effect/platform"
import { decodeBody } from "@switchboard/api/http/body/DecodeBody"
import {
  CreateTemplate,
  defaultTemplateChannel,
  maxTemplateBytes,
  type TemplateData,
  type TemplateVariable
} from "@switchboard/domain/email/templates/Template"
import { compileTemplate, renderTemplate } from "@switchboard/services/email/templates/RenderTemplate"
import { checkTemplate } from "@switchboard/services/email/templates/Templates"
import { Array, Effect, Either, Option, Predicate, Record } from "effect"
import { CommandFailed } from "../run/Run.js"

/*
 * A template in a repository: a folder with a file for each part. The name of the folder is the name of the template,
 * unless template.json has another one.
 */

export const partFiles = { subject: "subject.txt", html: "html.html", text: "text.txt" } as const
export const settingsFile = "template.json"
export const dataFile = "data.json"

const fileNames: ReadonlyArray<string> = [...Object.values(partFiles), settingsFile, dataFile]

/** The files of a template by name, with LF as line end. */
export type TemplateFiles = ReadonlyMap<string, string>

/** A problem with a file: one line that begins with its path. */
type Problem = string

export const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Git changes line ends between systems: they are not a change of a template. */
const withLineFeeds = (text: string) => text.replaceAll("\r\n", "\n")

/** The files of a template in a folder. Equal files are an equal template, also if the folder has them in another form. */
export const filesOf = (
  folder: string,
  template: {
    readonly name: string
    readonly channel?: string | undefined
    readonly subject?: string | undefined
    readonly html?: string | undefined
    readonly text?: string | undefined
    readonly variables?: ReadonlyArray<Partial<TemplateVariable> & { readonly name: string }> | undefined
  }
): TemplateFiles => {
  const { channel = defaultTemplateChannel, html, name, subject, text, variables = [] } = template
  const fallbacks = variables
    .flatMap((variable) =>
      variable.fallback === undefined ? [] : [{ name: variable.name, fallback: variable.fallback }]
    )
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  const settings = {
    ...(name === folder ? {} : { name }),
    ...(channel === defaultTemplateChannel ? {} : { channel }),
    ...(fallbacks.length === 0 ? {} : { variables: fallbacks })
  }
  const files: ReadonlyArray<readonly [string, string | undefined]> = [
    [settingsFile, Object.keys(settings).length === 0 ? undefined : jsonText(settings)],
    [partFiles.subject, subject === undefined ? undefined : `${subject}\n`],
    [partFiles.html, html],
    [partFiles.text, text]
  ]
  return new Map(files.flatMap(([file, content]) => (content === undefined ? [] : [[file, withLineFeeds(content)]])))
}

/** The problems of a template by field, as lines that begin with the path of the file of the field. */
export const fieldProblems = (
  folder: string,
  fields: Readonly<Record<string, ReadonlyArray<string>>>
): ReadonlyArray<Problem> =>
  Object.entries(fields).flatMap(([field, sentences]) => {
    const part = Object.entries(partFiles).find(([name]) => name === field)?.[1]
    const file = part ?? (/^data\b/.test(field) ? dataFile : settingsFile)
    return sentences.map((sentence) => `${folder}/${file}: ${part === undefined ? `${field} ` : ""}${sentence}`)
  })

const reasonOf = (error: unknown) => (Predicate.isError(error) ? error.message : String(error))

/** The text of a file of a template, with LF as line end; none if there is no file. */
export const readText = Effect.fnUntraced(function* (folder: string, file: string, directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, folder, file)
  const problem = (sentence: string) => Effect.fail(`${folder}/${file}: ${sentence}`)
  const read = Effect.gen(function* () {
    const { size, type } = yield* fs.stat(path)
    if (type !== "File") return yield* problem("is not a file")
    if (size > maxTemplateBytes) return yield* problem(`is larger than ${maxTemplateBytes / 1024} KiB`)
    const bytes = yield* fs.readFile(path)
    return yield* Effect.try({
      // Removes a byte order mark.
      try: () => Option.some(withLineFeeds(new TextDecoder("utf-8", { fatal: true }).decode(bytes))),
      catch: () => `${folder}/${file}: is not UTF-8`
    })
  })
  return yield* Effect.catchTags(read, {
    BadArgument: ({ message }) => problem(message),
    SystemError: ({ message, reason }) =>
      reason === "NotFound" ? Effect.succeed(Option.none<string>()) : problem(message)
  })
})

const readJson = Effect.fnUntraced(function* (folder: string, file: string, directory: string) {
  const text = yield* readText(folder, file, directory)
  return yield* Effect.transposeMapOption(text, (json) =>
    Effect.gen(function* () {
      const value = yield* Effect.try({
        try: (): unknown => JSON.parse(json),
        catch: (error) => `${folder}/${file}: is not JSON: ${reasonOf(error)}`
      })
      return Predicate.isReadonlyRecord(value) ? value : yield* Effect.fail(`${folder}/${file}: must be a JSON object`)
    })
  )
})

/** The folders of templates in a folder, by name. Files beside them and hidden folders are not read. */
export const listFolders = Effect.fnUntraced(
  function* (directory: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if ((yield* fs.stat(directory)).type !== "Directory") {
      return yield* new CommandFailed({ message: `${directory} is not a folder` })
    }
    const names = (yield* fs.readDirectory(directory)).filter((name) => !name.startsWith(".")).sort()
    return yield* Effect.filter(names, (name) =>
      Effect.map(fs.stat(path.join(directory, name)), ({ type }) => type === "Directory")
    )
  },
  (listed, directory) =>
    Effect.catchTags(listed, {
      BadArgument: ({ message }) => new CommandFailed({ message }),
      SystemError: ({ message, reason }) =>
        new CommandFailed({ message: reason === "NotFound" ? `There is no folder ${directory}` : message })
    })
)

/** The name of the template in a folder. */
export const nameIn = (directory: string) => (folder: string) =>
  Effect.map(readJson(folder, settingsFile, directory), (settings) => {
    const name = Option.map(settings, (fields) => fields.name)
    return { folder, name: Option.getOrElse(Option.filter(name, Predicate.isString), () => folder) }
  })

/** A template in a folder, which the rules of the service accept. */
export interface LocalTemplate {
  readonly folder: string
  readonly request: CreateTemplate
  /** The sample data of data.json. */
  readonly data: Option.Option<TemplateData>
}

/** A file whose name is that of a file of a template but for its end: a typing error. */
const misnamed = (folder: string, file: string): ReadonlyArray<Problem> => {
  const stem = file.replace(/\.[^.]*$/, "").toLowerCase()
  const meant = fileNames.find((name) => name.startsWith(`${stem}.`))
  return meant === undefined || fileNames.includes(file)
    ? []
    : [`${folder}/${file}: is not read: rename it to ${meant}, or to a name that does not begin with "${stem}."`]
}

const settingsFields = ["name", "channel", "variables"]

const decodeRequest = decodeBody(CreateTemplate)

/** Reads the template of a folder and checks it by the rules of the service. Fails with all problems. */
const readTemplate = Effect.fnUntraced(function* (folder: string, directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const files = yield* Effect.mapError(fs.readDirectory(path.join(directory, folder)), ({ message }) => [message])
  const wrong = files.flatMap((file) => misnamed(folder, file))
  if (wrong.length > 0) return yield* Effect.fail(wrong)

  const read = Effect.all({
    settings: readJson(folder, settingsFile, directory),
    data: readJson(folder, dataFile, directory),
    // Editors end a file with a line break; a subject has none.
    subject: Effect.map(
      readText(folder, partFiles.subject, directory),
      Option.map((text) => text.replace(/\n$/, ""))
    ),
    html: readText(folder, partFiles.html, directory),
    text: readText(folder, partFiles.text, directory)
  })
  const { data, settings, ...parts } = yield* Effect.mapError(read, Array.of)
  const unknown = Object.keys(Option.getOrElse(settings, () => ({}))).filter((field) => !settingsFields.includes(field))
  if (unknown.length > 0) {
    return yield* Effect.fail(
      unknown.map((field) => `${folder}/${settingsFile}: ${field} is none of ${settingsFields.join(", ")}`)
    )
  }

  const checked = Effect.gen(function* () {
    const request = yield* decodeRequest({
      name: folder,
      ...Option.getOrElse(settings, () => ({})),
      ...Record.getSomes(parts)
    })
    const source = { ...request, channel: request.channel ?? defaultTemplateChannel }
    const { variables } = yield* checkTemplate(source, request.variables ?? [], new Map())
    const compiled = yield* compileTemplate(source)
    const problems = Option.match(data, {
      onNone: () => [],
      onSome: (sample) =>
        Either.match(renderTemplate(compiled, variables, sample), {
          onLeft: (problem) => [problem],
          onRight: ({ missing }) => missing.map((name) => `lacks ${name}, which the template requires`)
        })
    })
    return { request, problems }
  })
  const { problems, request } = yield* Effect.mapError(checked, ({ fields = {} }) => fieldProblems(folder, fields))
  if (problems.length > 0) return yield* Effect.fail(problems.map((problem) => `${folder}/${dataFile}: ${problem}`))
  const template: LocalTemplate = { folder, request, data }
  return template
})

/** The error of invalid templates. Nothing is written before all of them are valid. */
export const invalidTemplates = (problems: ReadonlyArray<Problem>) =>
  new CommandFailed({
    message: `Nothing was changed: correct these files first\n${problems.map((one) => `  ${one}`).join("\n")}`
  })

/** The folders that have the name of an earlier one. */
export const repeatedNames = (named: ReadonlyArray<{ readonly folder: string; readonly name: string }>) =>
  named.flatMap(({ folder, name }, at) => {
    const earlier = named.slice(0, at).find((other) => other.name === name)
    return earlier === undefined
      ? []
      : [
          `${folder}: is named ${JSON.stringify(name)}, as ${earlier.folder} is: name one of them otherwise in ${settingsFile}`
        ]
  })

/** Reads and checks all templates of a folder. */
export const readTemplates = Effect.fnUntraced(function* (directory: string) {
  const folders = yield* listFolders(directory)
  const [problems, templates] = yield* Effect.partition(folders, (folder) => readTemplate(folder, directory))
  const names = templates.map(({ folder, request: { name } }) => ({ folder, name }))
  const all = [...problems.flat(), ...repeatedNames(names)]
  if (all.length > 0) return yield* invalidTemplates(all)
  if (templates.length > 0) return templates
  return yield* new CommandFailed({ message: `${directory} has no templates: each is a folder with ${fileNames[0]}` })
})
