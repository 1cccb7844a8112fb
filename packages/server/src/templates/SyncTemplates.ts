import { FileSystem, HttpClient, Path } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { make, type Switchboard, type Template, ValidationError } from "@switchboard/client/Switchboard"
import { defaultTemplateChannel } from "@switchboard/domain/email/templates/Template"
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"
import { Chunk, Console, Effect, Option, Stream } from "effect"
import { requestFailed, type ServiceAccess, withResponseTimeout } from "../access/ServiceAccess.js"
import { CommandFailed } from "../run/Run.js"
import {
  fieldProblems,
  filesOf,
  invalidTemplates,
  type LocalTemplate,
  listFolders,
  nameIn,
  partFiles,
  readTemplates,
  readText,
  repeatedNames,
  settingsFile,
  type TemplateFiles
} from "./TemplateFiles.js"

/** Runs a command with the client of the service, and describes its errors. */
const withClient = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  access: ServiceAccess,
  use: (client: Switchboard) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const http = withResponseTimeout(yield* HttpClient.HttpClient)
    return yield* use(yield* Effect.provideService(make(access), HttpClient.HttpClient, http))
  }).pipe(Effect.mapError(requestFailed(access)), Effect.provide(NodeHttpClient.layerUndici))

const listAll = (client: Switchboard) =>
  Effect.map(Stream.runCollect(client.templates.list.all()), Chunk.toReadonlyArray)

const noFiles: TemplateFiles = new Map()

/** Control characters of names and texts of the service are not printed to a terminal. */
const printable = (text: string) => text.replace(/[^\P{Cc}\t\n]/gu, "\u{fffd}")

const updateOf = ({ html, subject, text, variables = [] }: LocalTemplate["request"]) => ({
  ...(subject === undefined ? {} : { subject }),
  ...(html === undefined ? {} : { html }),
  text: text ?? null,
  variables
})

/** A template of the folder or of the service, and what a push does with it. */
type Change = {
  readonly name: string
  readonly folder: string
  readonly before: TemplateFiles
  readonly after: TemplateFiles
} & (
  | { readonly _tag: "Create"; readonly local: LocalTemplate }
  | { readonly _tag: "Update"; readonly local: LocalTemplate; readonly id: string }
  | { readonly _tag: "Delete"; readonly id: string }
  | { readonly _tag: "Unchanged" | "Kept" }
)

const differs = ({ after, before }: Pick<Change, "after" | "before">) =>
  [...before.keys(), ...after.keys()].some((file) => before.get(file) !== after.get(file))

const changeOf = (local: LocalTemplate, present: Template | undefined): Change => {
  const { folder, request } = local
  const after = filesOf(folder, request)
  if (present === undefined) return { _tag: "Create", name: request.name, folder, before: noFiles, after, local }
  const files = { name: request.name, folder, before: filesOf(folder, present), after }
  return differs(files) ? { ...files, _tag: "Update", local, id: present.id } : { ...files, _tag: "Unchanged" }
}

/** Compares the templates of a folder with those of the service. All of them are valid, as far as the folder shows. */
const planOf = Effect.fnUntraced(function* (client: Switchboard, directory: string, deletes: boolean) {
  const locals = yield* readTemplates(directory)
  const stored = yield* listAll(client)
  const byName = new Map(stored.map((template) => [template.name, template]))
  const problems = locals.flatMap(({ folder, request: { channel = defaultTemplateChannel, name } }) => {
    const present = byName.get(name)
    return present === undefined || present.channel === channel
      ? []
      : [
          `${folder}/${settingsFile}: channel is ${present.channel} on the service and can't be changed: choose another name`
        ]
  })
  if (problems.length > 0) return yield* invalidTemplates(problems)
  const names = new Set(locals.map(({ request }) => request.name))
  const others = stored
    .filter(({ name }) => !names.has(name))
    .map((template): Change => {
      const { id, name } = template
      const before = filesOf(name, template)
      return deletes
        ? { _tag: "Delete", name, folder: name, before, after: noFiles, id }
        : { _tag: "Kept", name, folder: name, before, after: before }
    })
  return [...locals.map((local) => changeOf(local, byName.get(local.request.name))), ...others]
})

/** Describes the 422 of a template by file. */
const withFiles = <A, E, R>(folder: string, call: Effect.Effect<A, E, R>, describe: typeof invalidTemplates) =>
  Effect.mapError(call, (error) =>
    error instanceof ValidationError && error.fields !== undefined
      ? describe(fieldProblems(folder, error.fields))
      : error
  )

/** The service checks changed templates before the first of them is stored: its release can be another one. */
const check = (client: Switchboard, change: Change) => {
  if (change._tag !== "Update") return Effect.void
  const { folder, id, local } = change
  const payload = { ...updateOf(local.request), data: Option.getOrElse(local.data, () => ({})) }
  return withFiles(folder, client.templates.render({ path: { id }, payload }), invalidTemplates)
}

const outcomes = { Create: "created", Update: "updated", Delete: "deleted", Unchanged: "unchanged", Kept: "kept" }

/** Stores a change; returns the rest of its line. */
const write = (client: Switchboard, change: Change) => {
  const refused = (problems: ReadonlyArray<string>) =>
    new CommandFailed({
      message: `The service has refused a template:\n${problems.map((one) => `  ${one}`).join("\n")}`
    })
  switch (change._tag) {
    case "Create":
      return Effect.map(
        withFiles(change.folder, client.templates.create({ payload: change.local.request }), refused),
        ({ version }) => `version ${version}`
      )
    case "Update":
      return Effect.map(
        withFiles(
          change.folder,
          client.templates.update({ path: { id: change.id }, payload: updateOf(change.local.request) }),
          refused
        ),
        ({ version }) => `version ${version}`
      )
    case "Delete":
      return Effect.as(client.templates.remove({ path: { id: change.id } }), "")
    case "Unchanged":
      return Effect.succeed("")
    case "Kept":
      return Effect.succeed("not in the folder")
  }
}

const printOutcome = (outcome: string, name: string, note = "") =>
  Console.log(
    printable(`${outcome.padEnd("unchanged".length)}  ${name.replaceAll("\n", " ")}${note === "" ? "" : `  ${note}`}`)
  )

/** Stores the changed templates of a folder. Prints one line per template after it is stored. */
export const pushTemplates = (access: ServiceAccess, directory: string, deletes: boolean) =>
  withClient(access, (client) =>
    Effect.gen(function* () {
      const changes = yield* planOf(client, directory, deletes)
      yield* Effect.forEach(changes, (change) => check(client, change), { discard: true })
      for (const change of changes) {
        yield* printOutcome(outcomes[change._tag], change.name, yield* write(client, change))
      }
    })
  )

/** The maximum time for the differences of one file. Two long files without a common line would take much longer. */
const diffTimeout = 2_000

const patchOf = ({ after, before, folder }: Change, directory: string) =>
  [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((file) => {
    const [from, to] = [before.get(file), after.get(file)]
    if (from === to) return []
    const fromName = from === undefined ? "/dev/null" : `service/${folder}/${file}`
    const toName = to === undefined ? "/dev/null" : `${directory.replace(/\/+$/, "")}/${folder}/${file}`
    const patch = createTwoFilesPatch(fromName, toName, from ?? "", to ?? "", undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      timeout: diffTimeout
    })
    return [patch ?? `--- ${fromName}\n+++ ${toName}\nThe files differ in too many lines to be compared\n`]
  })

/** Prints what a push would change as a unified diff, and fails if there is a difference. */
export const diffTemplates = (access: ServiceAccess, directory: string, deletes: boolean) =>
  withClient(access, (client) =>
    Effect.gen(function* () {
      const changes = (yield* planOf(client, directory, deletes)).filter(differs)
      if (changes.length === 0) return
      yield* Effect.forEach(changes, (change) =>
        Effect.forEach(patchOf(change, directory), (patch) => Console.log(printable(patch.trimEnd())))
      )
      return yield* new CommandFailed({
        message: `${changes.length === 1 ? "1 template differs" : `${changes.length} templates differ`}: run "switchboard templates push ${directory}" to store the changes`
      })
    })
  )

/** A name as a name of a folder, on any file system. The name of the template is then in template.json. */
const folderName = ({ id, name }: Template, taken: ReadonlySet<string>) => {
  const safe = name.replace(/[^\p{L}\p{N}_.-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "")
  const folder = [...safe].slice(0, 60).join("")
  return folder === "" || taken.has(folder.toLowerCase()) ? id : folder
}

/** Writes a file, or removes it if the template has none; returns whether it was another one. */
const writeFile = Effect.fnUntraced(function* (
  directory: string,
  folder: string,
  file: string,
  text: string | undefined
) {
  const fs = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, folder, file)
  const present = Option.getOrUndefined(
    yield* Effect.catchAll(readText(folder, file, directory), () => Effect.succeedNone)
  )
  if (text === present) return false
  yield* text === undefined ? fs.remove(path) : fs.writeFileString(path, text)
  return true
})

/** Writes the templates of the service to a folder. data.json, and templates that the service lacks, stay. */
export const pullTemplates = (access: ServiceAccess, directory: string) =>
  withClient(access, (client) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      // Oldest first, so that a newer template does not take the folder of an older one.
      const stored = [...(yield* listAll(client))].reverse()
      yield* fs.makeDirectory(directory, { recursive: true })
      const [problems, named] = yield* Effect.partition(yield* listFolders(directory), nameIn(directory))
      const all = [...problems, ...repeatedNames(named)]
      if (all.length > 0) return yield* invalidTemplates(all)
      const folders = new Map(named.map(({ folder, name }) => [name, folder]))
      const taken = new Set((yield* fs.readDirectory(directory)).map((name) => name.toLowerCase()))
      for (const template of stored) {
        const folder = folders.get(template.name) ?? folderName(template, taken)
        taken.add(folder.toLowerCase())
        const files = filesOf(folder, template)
        yield* fs.makeDirectory(path.join(directory, folder), { recursive: true })
        const written = yield* Effect.forEach([...Object.values(partFiles), settingsFile], (file) =>
          writeFile(directory, folder, file, files.get(file))
        )
        yield* printOutcome(
          written.includes(true) ? "written" : "unchanged",
          template.name,
          folder === template.name ? "" : `in ${folder}`
        )
      }
      const names = new Set(stored.map(({ name }) => name))
      yield* Effect.forEach(named, ({ name }) =>
        names.has(name) ? Effect.void : printOutcome("kept", name, "not on the service")
      )
    })
  )
