// A Postfix with a queue of its own that relays to the sink. Requires root; Postfix stores each mail before it accepts it.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** The size of each mail in bytes, that of the service's. */
const mailSize = "3000"

/** Undefined if it can't be started. */
export const startPostfix = async (relayPort) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-postfix-"))
  const config = join(folder, "config")
  const port = await freePort()
  const postfix = (command) => execFileSync("postfix", ["-c", config, command], { stdio: "ignore" })
  for (const name of ["config", "queue/pid", "data"]) mkdirSync(join(folder, name), { recursive: true })
  try {
    execFileSync("chmod", ["711", folder])
    execFileSync("chown", ["postfix", join(folder, "data")], { stdio: "ignore" })
    const master = readFileSync("/usr/share/postfix/master.cf.dist", "utf8")
      .replace(/^smtp +inet .*$/m, `127.0.0.1:${port} inet n - n - 100 smtpd`)
      .replace(/^([a-z]+ +(?:unix|inet|unix-dgram) +[-ny] +[-ny] +)y/gm, "$1n")
    writeFileSync(join(config, "master.cf"), master)
    writeFileSync(
      join(config, "main.cf"),
      `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.bench.test
mydestination =
mynetworks = 127.0.0.0/8
relayhost = [127.0.0.1]:${relayPort}
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_count_limit = 0
smtpd_tls_security_level = none
smtp_tls_security_level = none
default_process_limit = 100
in_flow_delay = 0
alias_maps =
local_recipient_maps =
`
    )
    postfix("start")
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  const filesIn = (queue) =>
    readdirSync(join(folder, "queue", queue), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return {
    /** Submits mails over 32 connections. */
    submit: (count) =>
      execFileSync(
        "smtp-source",
        ["-s", "32", "-m", String(count), "-l", mailSize, "-f", "a@x.test", "-t", "b@y.test", `127.0.0.1:${port}`],
        { stdio: "ignore" }
      ),
    /** The mails that are not delivered yet. */
    left: () => ["incoming", "active", "deferred"].reduce((sum, queue) => sum + filesIn(queue).length, 0),
    stop: () => {
      postfix("abort")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
