// The hand-written API with delivery: Fastify, zod, pg-boss, and nodemailer's pool with DKIM as in its documentation.
import { generateKeyPairSync } from "node:crypto"
import Fastify from "fastify"
import nodemailer from "nodemailer"
import pg from "pg"
import PgBoss from "pg-boss"
import { z } from "zod"
import { uuid7 } from "./uuid7.js"

const connectionString = process.env.DATABASE_URL
const pool = new pg.Pool({ connectionString, max: 16 })
await pool.query(`CREATE TABLE IF NOT EXISTS mails (id uuid PRIMARY KEY, status text NOT NULL, recipients jsonb NOT NULL,
  subject text, html text, body text, idempotency_key text UNIQUE, created_at timestamptz DEFAULT now(),
  delivered_at timestamptz)`)
const boss = new PgBoss({ connectionString, max: 8 })
boss.on("error", (error) => process.stderr.write(`${error}\n`))
await boss.start()
await boss.createQueue("mail")
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const dkim = {
  domainName: "ship.example",
  keySelector: "s1",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" })
}
const transport = nodemailer.createTransport({
  host: "127.0.0.1",
  port: Number(process.env.SMTP_PORT),
  pool: true,
  maxConnections: 10,
  maxMessages: Infinity,
  ignoreTLS: true,
  ...(process.env.SIGN ? { dkim } : {})
})
const Body = z.object({
  channel: z.literal("email"),
  to: z
    .array(z.object({ email: z.email() }))
    .min(1)
    .max(50),
  idempotencyKey: z.string().optional(),
  email: z.object({
    from: z.string().optional(),
    subject: z.string(),
    html: z.string().optional(),
    text: z.string().optional()
  })
})

const app = Fastify()
app.setValidatorCompiler(({ schema }) => (value) => {
  const result = schema.safeParse(value)
  return result.success ? { value: result.data } : { error: result.error }
})
app.post("/v1/messages", { schema: { body: Body } }, async (request, reply) => {
  const id = uuid7()
  const { email, idempotencyKey = null, to } = request.body
  await pool.query({
    name: "insert",
    text: `INSERT INTO mails (id, status, recipients, subject, html, body, idempotency_key)
      VALUES ($1, 'pending', $2, $3, $4, $5, $6)`,
    values: [id, JSON.stringify(to), email.subject, email.html, email.text, idempotencyKey]
  })
  await boss.send("mail", { id })
  reply.code(201)
  return { id, status: "pending", ...request.body }
})

const deliver = async ({ data: { id } }) => {
  const { rows } = await pool.query({ name: "get", text: "SELECT * FROM mails WHERE id = $1", values: [id] })
  const [mail] = rows
  await transport.sendMail({
    from: "orders@ship.example",
    to: mail.recipients.map(({ email }) => email),
    subject: mail.subject,
    html: mail.html,
    text: mail.body
  })
  await pool.query({
    name: "delivered",
    text: "UPDATE mails SET status = 'delivered', delivered_at = now() WHERE id = $1",
    values: [id]
  })
}
for (let worker = 0; worker < 4; worker++) {
  boss.work("mail", { batchSize: 500, pollingIntervalSeconds: 0.5 }, (jobs) => Promise.all(jobs.map(deliver)))
}
await app.listen({ port: 0, host: "127.0.0.1" })
process.send({ port: app.server.address().port })
