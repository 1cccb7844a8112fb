import { execFileSync, spawn } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mxCertificate } from "@switchboard/channels/testing/Certificates"
import { findProgram, skipReason } from "@switchboard/domain/testing/Programs"
import { Effect } from "effect"
import { listens, stopped } from "../postfix/Postfix.js"

const program = findProgram("exim4")

/** Why tests of Exim are skipped; empty if they run. Its package conflicts with Postfix: only the program is installed. */
export const noExim =
  skipReason(program !== undefined, "exim4", "extract the program of exim4-daemon-light as .ci/run does") ||
  (process.getuid?.() === 0 ? "" : " (skipped: Exim requires root)")

/** The user of Exim, which the program of Debian has compiled in. */
const eximUser = "Debian-exim"

const idOfUser = (flag: "-u" | "-g") => Number(execFileSync("id", [flag, eximUser], { encoding: "utf8" }))

interface EximOptions {
  readonly host: string
  readonly port: number
  readonly domain: string
  /** The local parts of the mailboxes. */
  readonly users: ReadonlyArray<string>
  /** Further lines of the main configuration. */
  readonly settings: ReadonlyArray<string>
}

/** The recipient `late@` is deferred until the file `open` exists. */
const configuration = (folder: string, { domain, host, port, settings, users }: EximOptions) => `exim_path = ${program}
primary_hostname = mx.exim.test
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/spool/pid
local_interfaces = ${host}
daemon_smtp_ports = ${port}
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
keep_environment =
deliver_drop_privilege
check_spool_space = 0
acl_smtp_rcpt = rcpt
dkim_verify_signers =
${settings.join("\n")}
begin acl
rcpt:
  defer local_parts = late
        condition = \${if exists{${folder}/open}{no}{yes}}
        message = 450 4.2.0 Greylisted, try again later
  require domains = ${domain}
          verify = recipient
  accept
begin routers
mailbox:
  driver = accept
  local_parts = ${users.join(" : ")}
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = ${folder}/mail/$local_part_data
  maildir_format
`

/** Starts Exim as the mail server of a domain, with a self-signed certificate. */
export const exim = Effect.fnUntraced(function* (options: EximOptions) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-exim-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const config = join(folder, "exim.conf")
  yield* Effect.sync(() => {
    const [user, group] = [idOfUser("-u"), idOfUser("-g")]
    execFileSync("chmod", ["755", folder])
    for (const name of ["spool", "log", "mail"]) {
      mkdirSync(join(folder, name))
      chownSync(join(folder, name), user, group)
    }
    for (const [name, content] of Object.entries(mxCertificate)) {
      writeFileSync(join(folder, `${name}.pem`), content, { mode: 0o600 })
      chownSync(join(folder, `${name}.pem`), user, group)
    }
    writeFileSync(config, configuration(folder, options))
  })
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(program ?? "", ["-C", config, "-bdf"], {
        env: { PATH: process.env.PATH ?? "" },
        stdio: ["ignore", "ignore", "inherit"]
      })
    ),
    (daemon) => Effect.promise(() => stopped(daemon))
  )
  yield* listens(options.host, options.port)
  return {
    /** The folder with the mailboxes (maildir). */
    mailboxes: join(folder, "mail"),
    /** Accepts mail for `late@` from now on. */
    endGreylisting: Effect.sync(() => writeFileSync(join(folder, "open"), ""))
  } as const
})
