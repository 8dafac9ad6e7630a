package dev.berth.csi.registrar;

/// Whether a node agent that looks for the driver now would find it (REG-05).
public sealed interface Reach {
  /// Its registration socket answers with its name.
  record Answers() implements Reach {}

  /// There is no registration socket.
  record Missing() implements Reach {}

  /// The socket does not answer, or in another name.
  record Failing(String why) implements Reach {}
}
