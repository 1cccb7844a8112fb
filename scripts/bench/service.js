// The processes of a measurement: the service with its embedded PostgreSQL, the peers, and the receiver.
import { execFileSync, fork, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../packages/server/bin/switchboard.js", import.meta.url))
const local = (file) => fileURLToPath(new URL(file, import.meta.url))
const flags = ["--max-semi-space-size=64"]
const children = new Set()

const keep = (child) => {
  children.add(child)
  child.once("exit", () => children.delete(child))
  return child
}

/** Starts a file of this folder as a process, and waits for its first message. */
export const startFile = async (file, { args = [], env = {} } = {}) => {
  const child = keep(
    fork(local(file), args, { env: { PATH: process.env.PATH, NODE_ENV: "production", ...env }, execArgv: flags })
  )
  const message = await new Promise((resolve, reject) => {
    child.once("message", resolve)
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)))
  })
  return { child, message }
}

/** Sends a message to a child process, and waits for its next message. */
export const ask = (child, question) =>
  new Promise((resolve) => {
    child.once("message", resolve)
    child.send(question)
  })

export const stop = async ({ child }) => {
  const stopped = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await stopped
}

/** The fields of /proc/<pid>/stat after the command; those of proc(5) minus 3. Only on Linux. */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").map(Number)

/** CPU time of a process in microseconds. */
export const cpuOf = ({ child }) => {
  try {
    const fields = statOf(child.pid)
    return (fields[11] + fields[12]) * 10_000
  } catch {
    return Number.NaN
  }
}

/** CPU time of a process and of its children, including exited ones, in microseconds. */
const cpuOfTree = (root) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = statOf(pid)
        const isRoot = Number(pid) === root
        return isRoot || fields[1] === root ? [fields.slice(11, isRoot ? 15 : 13)] : []
      } catch {
        // It has exited since.
        return []
      }
    })
    .flat()
    .reduce((sum, ticks) => sum + ticks, 0) * 10_000

/** The service in its own data directory. */
export const makeService = (settings) => {
  const dataDir = mkdtempSync(join(tmpdir(), "switchboard-bench-"))
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...settings }
  const start = async (part, more = {}) => {
    const child = keep(
      spawn(process.execPath, [...flags, program, part, ...(more.arguments ?? [])], {
        env: { ...env, ...more.env },
        stdio: ["ignore", "pipe", "inherit"]
      })
    )
    const url = await new Promise((resolve, reject) => {
      createInterface(child.stdout).on("line", (line) => {
        const match = /^Switchboard (?:serves (\S+)|delivers)/.exec(line)
        if (match) resolve(match[1])
      })
      child.once("exit", (code) => reject(new Error(`switchboard ${part} ended with ${code}`)))
    })
    return { child, url, port: url === undefined ? undefined : Number(new URL(url).port) }
  }
  return {
    start,
    command: (...words) => execFileSync(process.execPath, [program, ...words], { env, encoding: "utf8" }).trim(),
    databaseUrl: () => JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")).url,
    databaseCpu: () => {
      try {
        return cpuOfTree(Number.parseInt(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10))
      } catch {
        return Number.NaN
      }
    },
    remove: () => {
      for (const child of children) child.kill("SIGKILL")
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}
