// Only nodemailer's pool: mails with HTML and text over ten connections, without storage.
import nodemailer from "nodemailer"

const { count, html, port, text, warmUp } = JSON.parse(process.argv[2])
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
const sendAll = (total) => Promise.all(Array.from({ length: total }, (_, n) => send(n)))
await sendAll(warmUp)
const began = performance.now()
await sendAll(count)
process.send({ rate: (count * 1_000) / (performance.now() - began) })
transport.close()
