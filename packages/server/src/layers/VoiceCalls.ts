import { SandboxCarrier } from "@switchboard/channels/voice/SandboxCarrier"
import { DescribeCall } from "@switchboard/services/voice/calls/DescribeCall"
import { VoiceCalls } from "@switchboard/services/voice/calls/VoiceCalls"
import { Layer } from "effect"
import type { Settings } from "../Settings.js"
import { ObjectLinksLive } from "./Objects.js"

/** How calls are shown, and who carries them. */
export const CallsCarried = (settings: Settings) =>
  Layer.merge(DescribeCall.Default.pipe(Layer.provide(ObjectLinksLive(settings))), SandboxCarrier)

/** Placing calls and ending them. */
export const VoiceCallsLive = (settings: Settings) => VoiceCalls.Default.pipe(Layer.provide(CallsCarried(settings)))
