package dev.berth.simulation.driver;

import dev.berth.csi.client.CsiException;
import dev.berth.simulation.time.SimulatedProcess;
import dev.berth.simulation.time.VirtualTime;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.function.Supplier;

/// The way from one process to the driver and back, with everything that can go wrong on it.
final class Door {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LATEST = Duration.ofSeconds(60);

  private final Backend backend;
  private final VirtualTime time;
  private final SimulatedProcess caller;
  private final Supplier<Flaws> flaws;

  Door(Backend backend, VirtualTime time, SimulatedProcess caller, Supplier<Flaws> flaws) {
    this.backend = backend;
    this.time = time;
    this.caller = caller;
    this.flaws = flaws;
  }

  /// Calls the driver.
  ///
  /// @param volume name or id of the volume that the call is about
  <T> T call(String volume, Supplier<T> operation) {
    return call(volume, operation, this::refusal);
  }

  /// Asks for a volume or a snapshot. A driver that has begun it refuses it only if it has looked
  /// what became of that (PROV-111).
  <T> T create(String name, Supplier<T> operation) {
    return call(
        name,
        operation,
        () -> {
          var refusal = refusal();
          return backend.hasBegun(name)
              ? new CsiException(Code.UNAVAILABLE, "cannot look")
              : refusal;
        });
  }

  private <T> T call(String volume, Supplier<T> operation, Supplier<CsiException> refusal) {
    var how = flaws.get();
    caller.pause(time.upTo(how.slowest()));
    if (time.chance(how.refuses())) throw refusal.get();
    if (time.chance(how.hangs())) throw hang(volume, operation);
    backend.begin(volume);
    T answer;
    try {
      answer = operation.get();
    } finally {
      backend.end(volume);
    }
    caller.pause(time.upTo(how.slowest()));
    if (time.chance(how.losesAnswers()))
      throw new CsiException(Code.UNAVAILABLE, "connection lost while waiting for the answer");
    return answer;
  }

  private CsiException refusal() {
    return switch (time.random().nextInt(4)) {
      case 0 -> new CsiException(Code.UNAVAILABLE, "the driver is not there");
      case 1 -> new CsiException(Code.INTERNAL, "something went wrong");
      case 2 -> new CsiException(Code.ABORTED, "another operation is under way");
      default -> new CsiException(Code.UNKNOWN, "something unknown went wrong");
    };
  }

  /// The driver goes on when its caller has given up, even if that does not exist any more.
  private CsiException hang(String volume, Supplier<?> operation) {
    backend.begin(volume);
    time.after(
        time.upTo(LATEST),
        () -> {
          try {
            var _ = operation.get();
          } catch (CsiException refused) {
            // nobody is there to hear it
          } finally {
            backend.end(volume);
          }
        });
    caller.pause(PATIENCE);
    return new CsiException(Code.DEADLINE_EXCEEDED, "no answer within " + PATIENCE);
  }
}
