// The receiving process: an SMTP relay with PIPELINING and a webhook receiver, both without delay. It sends the
// Message-ID of each mail to lone@… to the parent.
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"

const endOfData = Buffer.from("\r\n.\r\n")

const relay = createServer((socket) => {
  let rest = Buffer.alloc(0)
  let inData = false
  let isLone = false
  socket.setNoDelay(true)
  socket.on("error", () => socket.destroy())
  socket.write("220 sink\r\n")
  socket.on("data", (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let out = ""
    for (;;) {
      const end = rest.indexOf(inData ? endOfData : "\r\n")
      if (end < 0) break
      if (inData) {
        if (isLone) process.send({ lone: /^message-id:\s*(\S+)/im.exec(rest.toString("latin1", 0, end))?.[1] })
        rest = rest.subarray(end + endOfData.length)
        inData = false
        isLone = false
        out += "250 ok\r\n"
        continue
      }
      const line = rest.toString("latin1", 0, end)
      const verb = line.slice(0, 4).toUpperCase()
      rest = rest.subarray(end + 2)
      if (verb === "EHLO") out += "250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 30000000\r\n"
      else if (verb === "DATA") {
        inData = true
        out += "354 go\r\n"
      } else if (verb === "QUIT") {
        socket.end("221 bye\r\n")
        return
      } else {
        if (verb === "RCPT" && line.includes("<lone@")) isLone = true
        out += "250 ok\r\n"
      }
    }
    if (out !== "") socket.write(out)
  })
})

let webhooks = 0
const receiver = createHttpServer((request, response) => {
  webhooks += 1
  request.resume()
  request.on("end", () => response.end())
})
process.on("message", () => process.send({ webhooks }))

relay.listen(0, "127.0.0.1", () =>
  receiver.listen(0, "127.0.0.1", () =>
    process.send({ smtpPort: relay.address().port, webhookPort: receiver.address().port })
  )
)
process.on("disconnect", () => process.exit())
