// A relay that answers as fast as SMTP allows, as a process of its own: it tells its parent each mail's Message-ID.
import { createServer } from "node:net"

const server = createServer((socket) => {
  let text = ""
  let inData = false
  socket.setNoDelay(true)
  socket.write("220 sink\r\n")
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1")
    let out = ""
    for (;;) {
      if (inData) {
        const end = text.indexOf("\r\n.\r\n")
        if (end < 0) break
        process.send?.(/^message-id:\s*(\S+)/im.exec(text.slice(0, end))?.[1] ?? "")
        text = text.slice(end + 5)
        inData = false
        out += "250 ok\r\n"
        continue
      }
      const end = text.indexOf("\r\n")
      if (end < 0) break
      const verb = text.slice(0, 4).toUpperCase()
      text = text.slice(end + 2)
      if (verb === "EHLO") out += "250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n"
      else if (verb === "DATA") {
        inData = true
        out += "354 go\r\n"
      } else if (verb === "QUIT") {
        out += "221 bye\r\n"
        socket.end()
      } else out += "250 ok\r\n"
    }
    if (out !== "") socket.write(out)
  })
})
server.listen(0, "127.0.0.1", () => process.send?.({ port: server.address().port }))
