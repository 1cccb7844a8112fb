// Only nodemailer's pool: mails with HTML and text over ten connections, without storage.
import nodemailer from "nodemailer"

const { count, html, port, text } = JSON.parse(process.argv[2])
const transport = nodemailer.createTransport({
  host: "127.0.0.1",
  port,
  pool: true,
  maxConnections: 10,
  maxMessages: Infinity,
  ignoreTLS: true
})
const send = (n) =>
  transport.sendMail({ from: "a@localhost.test", to: `ada${n}@example.org`, subject: `Order ${n}`, html, text })
await send(0)
const began = performance.now()
await Promise.all(Array.from({ length: count }, (_, n) => send(n + 1)))
process.send({ rate: (count * 1_000) / (performance.now() - began) })
transport.close()
