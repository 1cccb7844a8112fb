import * as McpServer from "@effect/ai/McpServer"
import { HttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as RpcServer from "@effect/rpc/RpcServer"
import { make } from "@switchboard/client/Switchboard"
import { Version } from "@switchboard/services/Version"
import { Effect, Layer, Logger, Stream } from "effect"
import { type ServiceAccess, withResponseTimeout } from "../access/ServiceAccess.js"
import { registerTools } from "./AgentTool.js"
import { JsonRpcLines } from "./JsonRpc.js"
import { messageTools } from "./MessageTools.js"
import { serviceTools } from "./ServiceTools.js"

const serverName = "switchboard"

const Tools = (access: ServiceAccess, canSend: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const http = withResponseTimeout(yield* HttpClient.HttpClient)
      const client = yield* Effect.provideService(make(access), HttpClient.HttpClient, http)
      yield* registerTools(access, client, [...messageTools(canSend), ...serviceTools])
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))

/** Standard output has only messages of the protocol. */
const LogsToStandardError = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** Serves the tools over standard input and output, until the input ends. */
export const serveStdio = (access: ServiceAccess, canSend: boolean) =>
  Effect.gen(function* () {
    const version = yield* Version
    const Protocol = RpcServer.layerProtocolStdio({
      stdin: NodeStream.stdin.pipe(Stream.decodeText(), Stream.splitLines, Stream.encodeText),
      stdout: NodeSink.stdout
    })
    const Server = McpServer.layer({ name: serverName, version }).pipe(
      Layer.provide(Protocol),
      Layer.provide(JsonRpcLines)
    )
    return yield* Layer.launch(Tools(access, canSend).pipe(Layer.provide(Server)))
  }).pipe(Effect.provide(LogsToStandardError))
