// Measures what the README claims, each figure beside its limit or peer, interleaved, as ratios of medians.
import { execFileSync, fork, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { createTransport } from "nodemailer"
import pg from "pg"

const rounds = Number(process.env.ROUNDS ?? 3)
const key = `sk_sm_${"B".repeat(40)}`
const program = fileURLToPath(new URL("../packages/server/bin/switchboard.js", import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), "switchboard-bench-"))

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const percentile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)]

const arrivals = new Map()
const sink = fork(fileURLToPath(new URL("./bench/sink.js", import.meta.url)))
const waiting = new Map()
const sinkPort = await new Promise((resolve) => {
  sink.on("message", (message) => {
    if (typeof message === "object") return resolve(message.port)
    arrivals.set(message, (arrivals.get(message) ?? 0) + 1)
    waiting.get(message)?.(performance.now())
  })
})

const environment = {
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  PORT: "0",
  INBOUND_SMTP_PORT: "0",
  BOOTSTRAP_API_KEY: key,
  RATE_LIMIT_REQUESTS: "0",
  RATE_LIMIT_SENDS: "0",
  SMTP_URL: `smtp://127.0.0.1:${sinkPort}`,
  SMTP_CONFIRMATION: "accept",
  LOG_LEVEL: "warning"
}
const start = (part, says) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--max-semi-space-size=64", program, part], {
      env: environment,
      stdio: ["ignore", "pipe", "inherit"]
    })
    createInterface(child.stdout).on("line", (line) => {
      const said = says.exec(line)
      if (said) resolve({ child, said: said[1] })
    })
  })
const stop = async ({ child }) => {
  const stopped = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await stopped
}

// Two processes, so that accepting can be measured while nothing is delivered.
const api = await start("api", /^Switchboard serves (\S+)/)
const baseUrl = api.said
const startWorker = () => start("worker", /^Switchboard (delivers)/)
const { url: databaseUrl } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8"))

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
let serial = 0
const text = "x".repeat(1_000)
const post = (apiKey) =>
  new Promise((resolve, reject) => {
    serial += 1
    const body = JSON.stringify({
      channel: "email",
      to: [{ email: "ada@example.com" }],
      email: { subject: `Bench ${serial}`, html: `<p>${text}</p>`, text }
    })
    const outgoing = request(
      `${baseUrl}/v1/messages`,
      { method: "POST", agent, headers: { "X-API-Key": apiKey, "Content-Type": "application/json" } },
      (response) => {
        let answer = ""
        response.on("data", (chunk) => {
          answer += chunk
        })
        response.on("end", () =>
          response.statusCode === 201
            ? resolve(JSON.parse(answer))
            : reject(new Error(`${response.statusCode} ${answer}`))
        )
      }
    )
    outgoing.on("error", reject)
    outgoing.end(body)
  })

/** How many a second, with so many at a time. */
const rate = async (concurrency, total, one) => {
  const started = performance.now()
  let left = total
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await one()
    })
  )
  return (total * 1000) / (performance.now() - started)
}

const pool = new pg.Pool({ connectionString: databaseUrl, max: 32 })
await pool.query("CREATE TABLE bench_limit (id bigserial PRIMARY KEY, body text NOT NULL)")
const insert = () => pool.query("INSERT INTO bench_limit (body) VALUES ($1)", ["x".repeat(1_500)])

const counted = async (status) => {
  const { rows } = await pool.query("SELECT count(*)::int AS n FROM message_states WHERE status = $1", [status])
  return rows[0].n
}
const drained = async (total) => {
  while ((await counted("delivered")) < total) await new Promise((resolve) => setTimeout(resolve, 20))
}

const peer = createTransport({ host: "127.0.0.1", port: sinkPort, pool: true, maxConnections: 10, ignoreTLS: true })
const peerSend = () =>
  peer.sendMail({ from: "a@localhost.test", to: "ada@example.com", subject: "Peer", html: `<p>${text}</p>`, text })

const seen = async (apiKey) => {
  const started = performance.now()
  const message = await post(apiKey)
  const id = message.emailMetadata.messageId
  if (arrivals.has(id)) return performance.now() - started
  return (await new Promise((resolve) => waiting.set(id, resolve))) - started
}

const latencies = async (apiKey, count) => {
  const values = []
  for (let n = 0; n < count; n++) values.push(await seen(apiKey))
  return values
}

const figures = { accept: [], insert: [], drain: [], through: [], peer: [] }
const batch = 3_000
let total = 0
const command = (...args) => execFileSync(process.execPath, [program, ...args], { env: environment, encoding: "utf8" })
const timed = async (count, work) => {
  const began = performance.now()
  await work()
  return (count * 1000) / (performance.now() - began)
}

try {
  const other = command("organizations", "create", "--name", "Other", "--slug", "other").trim()
  const otherKey = /sk_sm_\w+/.exec(command("keys", "create", "--name", "other", "--organization", other))[0]
  await rate(32, 2_000, () => post(key))
  total += 2_000

  let worker
  for (let round = 0; round < rounds; round++) {
    figures.insert.push(await rate(32, 6_000, insert))
    figures.accept.push(await rate(32, batch, () => post(key)))
    total += batch
    const queued = total - (await counted("delivered"))
    worker = await startWorker()
    figures.drain.push(await timed(queued, () => drained(total)))
    total += batch
    figures.through.push(
      await timed(batch, async () => {
        await rate(32, batch, () => post(key))
        await drained(total)
      })
    )
    figures.peer.push(await rate(10, batch, peerSend))
    if (round < rounds - 1) await stop(worker)
  }
  const alone = await latencies(otherKey, 100)
  total += 100
  await drained(total)
  await stop(worker)
  await rate(32, 10_000, () => post(key))
  worker = await startWorker()
  const crowded = []
  while (crowded.length < 100 && (await counted("pending")) > 200) crowded.push(await seen(otherKey))
  total += 10_000 + crowded.length
  await drained(total)
  await stop(worker)

  const duplicates = [...arrivals.entries()].filter(
    ([id, copies]) => id.includes("localhost.test") && copies > 1 && !/^<[0-9a-f]{8}-[0-9a-f]{4}-4/.test(id)
  ).length
  const row = (name, value, against, other) =>
    `${name.padEnd(34)}${value.toFixed(0).padStart(9)}   ${against.padEnd(44)}${other.toFixed(0).padStart(9)}   ratio ${(value / other).toFixed(2)}`
  process.stdout.write(
    [
      `${rounds} rounds, medians, node ${process.version}, everything on this machine`,
      row(
        "accepted over HTTP, messages/s",
        median(figures.accept),
        "limit: one INSERT a row, 32 clients, rows/s",
        median(figures.insert)
      ),
      row(
        "delivered from the queue, messages/s",
        median(figures.drain),
        "peer: nodemailer's pool alone, mails/s",
        median(figures.peer)
      ),
      row(
        "POST to delivered, messages/s",
        median(figures.through),
        "peer: nodemailer's pool alone, mails/s",
        median(figures.peer)
      ),
      `POST to the relay, at rest           p50 ${percentile(alone, 0.5).toFixed(1)} ms   p95 ${percentile(alone, 0.95).toFixed(1)} ms`,
      crowded.length === 0
        ? "the backlog was drained before another organization's message could be measured"
        : `the same while another organization's 10,000 drain   p95 ${percentile(crowded, 0.95).toFixed(1)} ms (${crowded.length} messages)   ratio ${(percentile(crowded, 0.95) / percentile(alone, 0.95)).toFixed(2)}`,
      `messages ${total}, lost ${total - (await counted("delivered"))}, duplicates ${duplicates}`,
      ""
    ].join("\n")
  )
} finally {
  peer.close()
  agent.destroy()
  await pool.end()
  await stop(api)
  sink.kill()
  rmSync(dataDir, { recursive: true, force: true })
}
