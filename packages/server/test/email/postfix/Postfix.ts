import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { Effect, Schedule } from "effect"

const outputOf = (command: string, ...args: ReadonlyArray<string>): string | undefined => {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return undefined
  }
}

const daemons = outputOf("postconf", "-dh", "daemon_directory")

/** Why tests of Postfix are skipped; empty if they run. Its daemons run as different users, which requires root. */
export const noPostfix =
  skipReason(daemons !== undefined, "postfix", "apt-get install postfix") ||
  (process.getuid?.() === 0 ? "" : " (skipped: Postfix requires root)")

/** The domain with local mailboxes, its final destination. */
export const mailboxDomain = "mailbox.test"

/** The owner of the mailboxes: an unprivileged user id, since Postfix refuses root. */
const mailboxOwner = 65_534

interface PostfixOptions {
  /** The address on loopback. Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free port. */
  readonly port?: number
  /** A local port for each destination domain. */
  readonly routes?: Readonly<Record<string, number>>
  /** The relay for all mail, in place of routes. */
  readonly relay?: SmartHost
  /** The local parts of the mailboxes. */
  readonly users?: ReadonlyArray<string>
  /** Further lines of main.cf. */
  readonly settings?: ReadonlyArray<string>
}

const mainCf = (folder: string, users: ReadonlyArray<string>) => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.postfix.test
mydestination =
mynetworks = 127.0.0.0/8
local_transport = error:no such user
alias_maps =
alias_database =
smtpd_peername_lookup = no
smtpd_recipient_restrictions = permit_mynetworks, reject
smtp_dns_support_level = disabled
virtual_mailbox_domains = ${mailboxDomain}
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = inline:{ ${users.map((user) => `${user}@${mailboxDomain}=${user}/`).join(", ")} }
virtual_uid_maps = static:${mailboxOwner}
virtual_gid_maps = static:${mailboxOwner}
`

/** The routes by destination domain; other domains have none. */
const routesCf = (routes: Readonly<Record<string, number>>) => {
  const maps = Object.entries(routes).map(([domain, port]) => `${domain}=smtp:[127.0.0.1]:${port}`)
  return [
    ...(maps.length === 0 ? [] : [`transport_maps = inline:{ ${maps.join(", ")} }`]),
    "default_transport = error:no route to the domain"
  ].join("\n")
}

/** The relay for all mail, and the key that authenticates to it. */
interface SmartHost {
  readonly port: number
  readonly key: string
}

/** The settings of `docs/submission.md`. */
const smartHost = (folder: string, { port }: SmartHost) => `relayhost = [127.0.0.1]:${port}
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = texthash:${folder}/config/sasl_passwd
smtp_sasl_security_options = noanonymous
smtp_tls_security_level = encrypt
`

const masterCf = (host: string, port: number) => `${host}:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
`

/** Stops a mail server: its first process, and with it all others. */
export const stopped = async (server: ChildProcess) => {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill("SIGTERM")
  await once(server, "exit")
}

/** Connects to a port. */
const connected = (host: string, port: number) =>
  Effect.async<void, Error>((resume) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.once("error", (error) => resume(Effect.fail(error)))
  })

/** Waits until a server listens. */
export const listens = (host: string, port: number) =>
  Effect.retry(connected(host, port), Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(200)))

/** Starts Postfix. */
export const postfix = Effect.fnUntraced(function* ({
  host = "127.0.0.1",
  relay,
  routes = {},
  settings = [],
  users = ["ada"],
  ...fixed
}: PostfixOptions) {
  const port = fixed.port ?? (yield* freePort)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-postfix-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const config = join(folder, "config")
  yield* Effect.sync(() => {
    execFileSync("chmod", ["755", folder])
    for (const name of ["config", "queue", "data", "mail"]) mkdirSync(join(folder, name))
    execFileSync("chown", [outputOf("postconf", "-dh", "mail_owner") ?? "postfix", join(folder, "data")])
    chownSync(join(folder, "mail"), mailboxOwner, mailboxOwner)
    writeFileSync(
      join(config, "main.cf"),
      [mainCf(folder, users), relay === undefined ? routesCf(routes) : smartHost(folder, relay), ...settings, ""].join(
        "\n"
      )
    )
    writeFileSync(join(config, "master.cf"), masterCf(host, port))
    if (relay !== undefined) {
      writeFileSync(join(config, "sasl_passwd"), `[127.0.0.1]:${relay.port} any:${relay.key}\n`)
    }
    // Creates the folders of the queue with their owners.
    execFileSync("postfix", ["-c", config, "check"], { stdio: "ignore" })
  })
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(join(daemons ?? "", "master"), ["-c", config, "-s"], {
        env: { PATH: process.env.PATH ?? "" },
        stdio: ["ignore", "ignore", "inherit"]
      })
    ),
    (master) => Effect.promise(() => stopped(master))
  )
  yield* listens(host, port)
  return {
    port,
    /** Gives a mail to `sendmail`, as a program on this host does. */
    sendmail: (from: string, recipient: string, mail: string) =>
      Effect.sync(() =>
        execFileSync("sendmail", ["-C", config, "-f", from, "-i", recipient], {
          input: mail,
          env: { PATH: process.env.PATH ?? "", MAIL_CONFIG: config }
        })
      ),
    /** The folder with the mailboxes (maildir). */
    mailboxes: join(folder, "mail"),
    log: Effect.sync(() => readFileSync(join(folder, "log"), "utf8"))
  } as const
})
