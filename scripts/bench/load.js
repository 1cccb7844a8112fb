// The load generator process: each persistent connection sends its next request after the response to the last one.
// `{n}` in a body or path is replaced by the number of the request.
import { connect } from "node:net"

/** Parses consecutive responses of a connection. */
const responses = (onResponse) => {
  let text = ""
  return (chunk) => {
    text += chunk.toString("latin1")
    for (;;) {
      const end = text.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = /content-length: (\d+)/i.exec(text.slice(0, end))
      if (length === null) throw new Error(`A response without Content-Length: ${text.slice(0, end)}`)
      const total = end + 4 + Number(length[1])
      if (text.length < total) return
      const response = { status: Number(text.slice(9, 12)), body: text.slice(end + 4, total) }
      text = text.slice(total)
      onResponse(response)
    }
  }
}

const run = ({ body, concurrency, first, headers, method, path, port, seconds, total }) =>
  new Promise((resolve, reject) => {
    const latencies = []
    const statuses = {}
    const began = performance.now()
    const until = seconds === undefined ? Infinity : began + seconds * 1_000
    let sent = 0
    let open = concurrency
    let failure
    const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
    const texts = { path: path.split("{n}"), body: body?.split("{n}") }
    for (let index = 0; index < concurrency; index++) {
      const socket = connect(port, "127.0.0.1")
      let started = 0
      const next = () => {
        if (performance.now() >= until || (total !== undefined && sent >= total)) {
          socket.end()
          return
        }
        const n = String(first + sent)
        sent += 1
        const content = texts.body?.join(n)
        const head = `${method} ${texts.path.join(n)} HTTP/1.1\r\n${lines.join("\r\n")}\r\n`
        started = performance.now()
        socket.write(
          content === undefined
            ? `${head}\r\n`
            : `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`
        )
      }
      const onResponse = ({ body: text, status }) => {
        latencies.push(performance.now() - started)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status >= 300) failure ??= text
        next()
      }
      socket.setNoDelay(true)
      socket.on("connect", next)
      socket.on("data", responses(onResponse))
      socket.on("error", reject)
      socket.on("close", () => {
        open -= 1
        if (open > 0) return
        latencies.sort((a, b) => a - b)
        const at = (part) => latencies[Math.floor((latencies.length - 1) * part)] ?? 0
        resolve({
          count: latencies.length,
          rate: (latencies.length * 1_000) / (performance.now() - began),
          p50: at(0.5),
          p99: at(0.99),
          statuses,
          failure
        })
      })
    }
  })

process.on("message", (job) => {
  run(job).then(
    (result) => process.send(result),
    (error) => process.send({ failure: String(error) })
  )
})
process.send({})
process.on("disconnect", () => process.exit())
