// Measures the figures of the README: each interleaved with its limit or peer, as the ratio of the medians.
// npm run bench -- [--rounds 3] [--seconds 4] [--json] [accept] [reads] [drain] [through] [postfix] [lone] [webhooks] [backlog]
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import pg from "pg"
import { startDns } from "./dns.js"
import { startPostfix } from "./peers/postfix.js"
import { ask, cpuOf, makeService, startFile, stop } from "./service.js"

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    json: { type: "boolean", default: false }
  }
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const isWanted = (section) => positionals.length === 0 || positionals.includes(section)

const apiKey = `sk_sm_${"B".repeat(40)}`
const concurrency = 32
const html = "<p>Hello Ada, your order <b>#10293</b> has shipped and will arrive on Tuesday.</p>".repeat(12)
const text = "Hello Ada, your order #10293 has shipped and will arrive on Tuesday. ".repeat(3)

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const percentile = (list, part) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) * part)]
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const log = (line) => process.stderr.write(`${line}\n`)

const figures = {}
const put = (name, value) => {
  figures[name] ??= []
  figures[name].push(value)
}

const { child: sink, message: ports } = await startFile("sink.js")
const { child: loader } = await startFile("load.js")
const records = {}
const dns = await startDns(records)
const service = makeService({
  PORT: "0",
  INBOUND_SMTP_PORT: "0",
  SUBMISSION_PORT: "0",
  BOOTSTRAP_API_KEY: apiKey,
  RATE_LIMIT_REQUESTS: "0",
  RATE_LIMIT_SENDS: "0",
  SMTP_URL: `smtp://127.0.0.1:${ports.smtpPort}`,
  SMTP_CONFIRMATION: "accept",
  NETWORK_ALLOW: "127.0.0.0/8",
  DNS_SERVERS: dns.address,
  LOG_LEVEL: "warning"
})

process.once("exit", service.remove)

/** Measures the CPU per request of the API process and of its database. */
const measuringCpu = async (name, send) => {
  const before = [cpuOf(holder), service.databaseCpu()]
  const { count, ...rest } = await send()
  const [node, database] = [cpuOf(holder) - before[0], service.databaseCpu() - before[1]]
  put(`${name} CPU us, Node.js`, node / count)
  put(`${name} CPU us, PostgreSQL`, database / count)
  put(`${name} CPU us`, (node + database) / count)
  return rest
}

let serial = 0
/** Sends equal requests for `seconds`, or `total` of them; every response must be a success. */
const load = async (port, job) => {
  const result = await ask(loader, { concurrency, headers: { "x-api-key": apiKey }, first: serial, port, ...job })
  serial += result.count ?? 0
  if (result.failure !== undefined) throw new Error(`${job.method} ${job.path}: ${result.failure}`)
  return result
}
const sending = (from, body = "{n}") => ({
  method: "POST",
  path: "/v1/messages",
  body: JSON.stringify({
    channel: "email",
    to: [{ email: "ada{n}@example.org" }],
    tags: ["order", "shipping"],
    idempotencyKey: `bench-${body}`,
    email: { ...(from === undefined ? {} : { from }), subject: "Order {n} has shipped", html, text }
  })
})
const call = async (base, method, path, body, key = apiKey) => {
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
  return JSON.parse(answer)
}

/** An `api` process that runs the embedded PostgreSQL during all measurements. */
const holder = await service.start("api")
const own = new pg.Pool({ connectionString: service.databaseUrl(), max: 2 })
await own.query("CREATE DATABASE peers")
const peersUrl = Object.assign(new URL(service.databaseUrl()), { pathname: "/peers" }).href
const peers = new pg.Pool({ connectionString: peersUrl, max: 2 })

const numberOf = async (pool, query) => (await pool.query(query)).rows[0].n
const queued = "SELECT count(*)::int AS n FROM message_queue"
const untilAtMost = async (pool, query, most) => {
  const began = performance.now()
  while ((await numberOf(pool, query)) > most) await wait(50)
  return performance.now() - began
}
const untilNone = (pool, query) => untilAtMost(pool, query, 0)

const { dnsRecords } = await call(holder.url, "POST", "/email/domains", { domain: "ship.example" })
for (const { name, priority = 10, type, value } of dnsRecords) {
  const known = type === "MX" ? `${priority} ${value}` : value
  records[`${name.toLowerCase()} ${type}`] = [known]
}
await call(holder.url, "POST", "/email/domains/verify", { domain: "ship.example" })

/** The messages that a worker sends while its code is compiled. */
const warmUp = 5_000
/** Starts a worker on a queue. It has 10,000 messages left when its code is compiled. */
const startDraining = async () => {
  const missing = 10_000 + warmUp - (await numberOf(own, queued))
  if (missing > 0) await load(holder.port, { ...sending(), total: missing })
  const worker = await service.start("worker")
  await untilAtMost(own, queued, 10_000)
  return worker
}

/** pgbench's transactions per second; NaN if it is not installed. */
const pgbench = async () => {
  const file = fileURLToPath(new URL("limit.sql", import.meta.url))
  try {
    const output = execFileSync(
      "pgbench",
      ["-n", "-M", "prepared", "-f", file, "-c", "32", "-j", "1", "-T", String(seconds), peersUrl],
      { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
    )
    return Number(/tps = ([\d.]+)/.exec(output)[1])
  } catch {
    return Number.NaN
  }
}

/** Measures from POST to delivered, with one process and the default settings. */
const sendThrough = async (name, from) => {
  const whole = await service.start("serve")
  await load(whole.port, { ...sending(from), seconds: seconds / 2 })
  await untilNone(own, queued)
  const began = performance.now()
  const sent = await load(whole.port, { ...sending(from), seconds })
  await untilNone(own, queued)
  put(`through ${name}/s`, (sent.count * 1_000) / (performance.now() - began))
  put(`through ${name} p99 ms`, sent.p99)
  await stop(whole)
}

const sections = {
  accept: async () => {
    put("pgbench INSERT/s", await pgbench())
    await load(holder.port, { ...sending(), seconds: seconds / 2 })
    const accepted = await measuringCpu("accept", () => load(holder.port, { ...sending(), seconds }))
    put("accept/s", accepted.rate)
    put("accept p99 ms", accepted.p99)
    const peer = await startFile("peers/accept.js", { env: { DATABASE_URL: peersUrl, API_KEY: apiKey } })
    await load(peer.message.port, { ...sending(), seconds: seconds / 2 })
    const other = await load(peer.message.port, { ...sending(), seconds })
    put("peer accept/s", other.rate)
    put("peer accept p99 ms", other.p99)
    await stop(peer)
  },

  reads: async () => {
    const { id } = await call(
      holder.url,
      "POST",
      "/messages",
      JSON.parse(sending().body.replaceAll("{n}", `get-${serial}`))
    )
    const replayed = sending(undefined, `replay-${serial}`)
    const kinds = {
      "GET message": { method: "GET", path: `/v1/messages/${id}` },
      "list of 20": { method: "GET", path: "/v1/messages?limit=20" },
      replay: { ...replayed, body: replayed.body.replaceAll("ada{n}@", "ada@").replaceAll("Order {n}", "Order") }
    }
    for (const [name, job] of Object.entries(kinds)) {
      await load(holder.port, { ...job, total: 300 })
      const { rate } = await measuringCpu(name, () => load(holder.port, { ...job, seconds: seconds / 2 }))
      put(`${name}/s`, rate)
    }
  },

  drain: async () => {
    const worker = await startDraining()
    const total = await numberOf(own, queued)
    put("drain/s", (total * 1_000) / (await untilNone(own, queued)))
    await stop(worker)
    const job = JSON.stringify({ count: 5_000, html, port: ports.smtpPort, text, warmUp })
    const { message } = await startFile("peers/pool.js", { args: [job] })
    put("nodemailer pool/s", message.rate)
  },

  through: async () => {
    for (const [name, from] of [
      ["plain", undefined],
      ["rsa2048", "orders@ship.example"]
    ]) {
      await sendThrough(name, from)
      const env = {
        DATABASE_URL: peersUrl,
        SMTP_PORT: String(ports.smtpPort),
        ...(from === undefined ? {} : { SIGN: "1" })
      }
      const peer = await startFile("peers/deliver.js", { env })
      const left = "SELECT count(*)::int AS n FROM mails WHERE status <> 'delivered'"
      await load(peer.message.port, { ...sending(from), seconds: seconds / 2 })
      await untilNone(peers, left)
      const peerBegan = performance.now()
      const other = await load(peer.message.port, { ...sending(from), seconds })
      await untilNone(peers, left)
      put(`peer through ${name}/s`, (other.count * 1_000) / (performance.now() - peerBegan))
      put(`peer through ${name} p99 ms`, other.p99)
      await stop(peer)
    }
  },

  postfix: async () => {
    await sendThrough("beside Postfix")
    const postfix = await startPostfix(ports.smtpPort)
    if (postfix === undefined) return
    postfix.submit(1_000)
    while (postfix.left() > 0) await wait(50)
    const began = performance.now()
    postfix.submit(8_000)
    while (postfix.left() > 0) await wait(50)
    put("Postfix through/s", 8_000_000 / (performance.now() - began))
    postfix.stop()
  },

  lone: async () => {
    const other = service.command("organizations", "create", "--name", "Other", "--slug", `other-${serial}`)
    const output = service.command("keys", "create", "--name", "other", "--organization", other)
    const [otherKey] = /sk_sm_\w+/.exec(output)
    const timeOfOne = async (n) => {
      const arrived = new Promise((resolve) => sink.once("message", () => resolve(performance.now())))
      const began = performance.now()
      const email = { subject: `Lone ${serial} ${n}`, text }
      await call(
        holder.url,
        "POST",
        "/messages",
        { channel: "email", to: [{ email: "lone@example.org" }], email },
        otherKey
      )
      return (await arrived) - began
    }
    const several = async (name, isOver) => {
      for (let n = 0; n < 100 && !(await isOver()); n++) put(name, await timeOfOne(`${name} ${n}`))
    }
    const first = await service.start("worker")
    await untilNone(own, queued)
    await timeOfOne("first")
    await several("lone at rest ms", async () => false)
    await stop(first)
    const second = await startDraining()
    await several("lone in a crowd ms", async () => (await numberOf(own, queued)) < 200)
    await untilNone(own, queued)
    await stop(second)
  },

  webhooks: async () => {
    const { id } = await call(holder.url, "POST", "/webhook-endpoints", {
      name: "Bench",
      url: `http://127.0.0.1:${ports.webhookPort}/`,
      events: ["message.delivered"]
    })
    await load(holder.port, { ...sending(), total: 5_000 })
    const { webhooks: before } = await ask(sink, "count")
    const worker = await service.start("worker")
    const began = performance.now()
    let received = 0
    while (received < 5_000) {
      await wait(50)
      received = (await ask(sink, "count")).webhooks - before
    }
    put("delivered with webhook/s", (received * 1_000) / (performance.now() - began))
    await call(holder.url, "DELETE", `/webhook-endpoints/${id}`)
    await stop(worker)
    const job = JSON.stringify({ count: 10_000, port: ports.webhookPort })
    const { message } = await startFile("peers/webhooks.js", { args: [job] })
    put("undici pool unsigned/s", message.rate)
  },

  backlog: async () => {
    const [{ organization_id: organization }] = (await own.query("SELECT organization_id FROM messages LIMIT 1")).rows
    await own.query(
      `INSERT INTO message_waiting (organization_id, id, message_id, due_at, due_since)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), now() + interval '1 day', now() FROM generate_series(1, 1000000)`,
      [organization]
    )
    const snapshot = await holdSnapshot()
    await load(holder.port, { ...sending(), total: 10_000 })
    const worker = await service.start("worker")
    put("drain under 1 M scheduled and a held snapshot/s", 10_000_000 / (await untilNone(own, queued)))
    await stop(worker)
    await snapshot.end()
    await own.query("TRUNCATE message_waiting")
  }
}

/** Opens a connection that holds a snapshot. */
const holdSnapshot = async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl() })
  await client.connect()
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
  await client.query("SELECT count(*) FROM message_queue")
  return client
}

/** Sections that are measured only in the first round. */
const once = new Set(["lone", "backlog"])

const of = (name) => (figures[name] === undefined ? Number.NaN : median(figures[name]))
const p95 = (name) => (figures[name] === undefined ? Number.NaN : percentile(figures[name], 0.95))

const table = () => [
  ["accept ÷ pgbench INSERT, 32 clients", of("accept/s"), of("pgbench INSERT/s"), "≥ 0.22"],
  ["accept ÷ written by hand", of("accept/s"), of("peer accept/s"), "≥ 1.6"],
  ["p99 of accept ÷ written by hand", of("accept p99 ms"), of("peer accept p99 ms"), "≤ 0.5"],
  ["POST to delivered ÷ written by hand, plain", of("through plain/s"), of("peer through plain/s"), "≥ 2.5"],
  ["POST to delivered ÷ written by hand, rsa2048", of("through rsa2048/s"), of("peer through rsa2048/s"), "≥ 2.5"],
  ["POST to delivered ÷ Postfix, SMTP to delivered", of("through beside Postfix/s"), of("Postfix through/s"), "≥ 2.5"],
  ["drain ÷ nodemailer's pool alone", of("drain/s"), of("nodemailer pool/s"), "≥ 2"],
  ["lone message while 10,000 drain, p95 ÷ at rest", p95("lone in a crowd ms"), p95("lone at rest ms"), "≤ 3"],
  ["GET message, CPU ÷ accept", of("GET message CPU us"), of("accept CPU us"), "≤ 0.6"],
  ["list of 20, CPU ÷ accept", of("list of 20 CPU us"), of("accept CPU us"), "≤ 1.0"],
  ["replay of a send, CPU ÷ accept", of("replay CPU us"), of("accept CPU us"), "≤ 0.6"],
  ["delivered with webhook ÷ undici's pool", of("delivered with webhook/s"), of("undici pool unsigned/s"), ""],
  [
    "drain under 1 M scheduled and a snapshot ÷ drain",
    of("drain under 1 M scheduled and a held snapshot/s"),
    of("drain/s"),
    "≥ 0.5"
  ]
]

const print = async () => {
  const rows = table().filter(([, value, against]) => !Number.isNaN(value / against))
  const ratios = rows.map(([name, value, against, goal]) => ({ name, value, against, ratio: value / against, goal }))
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ node: process.version, rounds, seconds, ratios, figures })}\n`)
    return
  }
  const line = (name, value, against, ratio, goal) =>
    `${name.padEnd(52)}${value.padStart(10)}${against.padStart(10)}${ratio.padStart(8)}  ${goal}\n`
  process.stdout.write(line("", "ours", "against", "ratio", "goal"))
  for (const { against, goal, name, ratio, value } of ratios) {
    process.stdout.write(line(name, value.toFixed(1), against.toFixed(1), ratio.toFixed(2), goal))
  }
  for (const [name, list] of Object.entries(figures)) {
    const several =
      list.length > 10
        ? `p50 ${percentile(list, 0.5).toFixed(1)}  p99 ${percentile(list, 0.99).toFixed(1)}`
        : list.map((one) => one.toFixed(1)).join("  ")
    process.stdout.write(`${name.padEnd(52)}${several}\n`)
  }
}

await peers.query(readFileSync(new URL("limit.schema.sql", import.meta.url), "utf8"))
await load(holder.port, { ...sending(), total: 2_000 })
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(sections)) {
    if (!isWanted(name) || (once.has(name) && round > 0)) continue
    log(`round ${round + 1}: ${name}`)
    await run()
  }
}
const ended = await own.query("SELECT count(*) FILTER (WHERE status <> 'delivered')::int AS n FROM message_states")
const lost = ended.rows[0].n - (await numberOf(own, queued))
if (lost !== 0) throw new Error(`${lost} messages are neither delivered nor queued`)
await print()
await Promise.all([own.end(), peers.end()])
await stop(holder)
process.exit(0)
