import { Effect, Schema } from "effect"
import { CommandFailed } from "../run/Run.js"
import { runTool } from "./RunTool.js"

/**
 * The entries of a backup, a tar archive: the manifest, the database as `database.dump` (pg_dump) or as the folder
 * `postgres` of the embedded server with its password, and the folder `objects`.
 */
export const entries = {
  manifest: "manifest.json",
  dump: "database.dump",
  cluster: ["postgres", "postgres.password"],
  objects: "objects"
} as const

/** The first entry of a backup. */
export const Manifest = Schema.parseJson(
  Schema.Struct({
    format: Schema.Literal(1),
    createdAt: Schema.DateTimeUtc,
    database: Schema.Literal("dump", "files"),
    /** Of the master key that the secrets are encrypted under. */
    keyFingerprint: Schema.String,
    hasObjects: Schema.Boolean
  })
)

/** Reads the manifest of a backup. */
export const readManifest = (file: string) =>
  runTool("tar", ["-xOf", file, entries.manifest]).pipe(
    Effect.flatMap(Schema.decode(Manifest)),
    Effect.mapError((cause) => new CommandFailed({ message: `${file} is not a backup: ${cause.message}` }))
  )
