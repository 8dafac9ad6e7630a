package dev.berth.apiserver;

import dev.berth.apiserver.core.message.Refusal;

/// What a client that asks for a watch gets.
public sealed interface WatchAnswer {
  record Streaming(WatchStream stream) implements WatchAnswer {}

  /// The request itself is wrong; a watch that cannot go on says so in its stream.
  record Refused(Refusal refusal) implements WatchAnswer {}
}
