// A hand-written API: Fastify, zod, and one transaction per request for message, queue and usage.
import { createHash } from "node:crypto"
import Fastify from "fastify"
import pg from "pg"
import { z } from "zod"
import { uuid7 } from "./uuid7.js"

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
await pool.query(`
CREATE TABLE IF NOT EXISTS usage (org int, month text, n bigint, PRIMARY KEY (org, month));
INSERT INTO usage VALUES (1, 'now', 0) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS messages (id uuid PRIMARY KEY, org int NOT NULL, status text NOT NULL, channel text NOT NULL,
  recipients jsonb NOT NULL, subject text, html text, body text, tags text[], idempotency_key text, request_hash text,
  created_at timestamptz DEFAULT now());
CREATE UNIQUE INDEX IF NOT EXISTS messages_key ON messages (org, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS messages_created ON messages (org, created_at DESC);
CREATE INDEX IF NOT EXISTS messages_status ON messages (org, status);
CREATE TABLE IF NOT EXISTS queue (id bigserial PRIMARY KEY, message_id uuid NOT NULL, run_at timestamptz DEFAULT now());
CREATE INDEX IF NOT EXISTS queue_run ON queue (run_at, id)`)

const sha256 = (text) => createHash("sha256").update(text).digest("hex")
const keys = new Map([[sha256(process.env.API_KEY), { org: 1 }]])
const address = z.object({ email: z.email().max(254), name: z.string().max(200).optional() })
const Body = z.object({
  channel: z.literal("email"),
  to: z.array(address).min(1).max(50),
  cc: z.array(address).optional(),
  bcc: z.array(address).optional(),
  idempotencyKey: z.string().max(255).optional(),
  tags: z.array(z.string()).optional(),
  email: z.object({ subject: z.string().max(998), html: z.string().optional(), text: z.string().optional() })
})

const app = Fastify()
app.addHook("onRequest", async (request, reply) => {
  const key = request.headers["x-api-key"]
  if (!key || !keys.get(sha256(key))) return reply.code(401).send({ _tag: "UnauthorizedError" })
})
app.setValidatorCompiler(({ schema }) => (value) => {
  const result = schema.safeParse(value)
  return result.success ? { value: result.data } : { error: result.error }
})
app.post("/v1/messages", { schema: { body: Body } }, async (request, reply) => {
  const id = uuid7()
  const { channel, email, idempotencyKey = null, tags = [], to, cc = [], bcc = [] } = request.body
  const now = new Date().toISOString()
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await client.query({
      name: "message",
      text: `INSERT INTO messages (id, org, status, channel, recipients, subject, html, body, tags, idempotency_key, request_hash)
        VALUES ($1, 1, 'pending', $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [
        id,
        channel,
        JSON.stringify(to),
        email.subject,
        email.html,
        email.text,
        tags,
        idempotencyKey,
        sha256(JSON.stringify(request.body))
      ]
    })
    await client.query({ name: "queue", text: "INSERT INTO queue (message_id) VALUES ($1)", values: [id] })
    await client.query({ name: "usage", text: "UPDATE usage SET n = n + 1 WHERE org = 1 AND month = 'now'" })
    await client.query("COMMIT")
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
  reply.code(201)
  return { id, status: "pending", channel, to, cc, bcc, tags, email, createdAt: now, updatedAt: now, idempotencyKey }
})
await app.listen({ port: 0, host: "127.0.0.1" })
process.send({ port: app.server.address().port })
