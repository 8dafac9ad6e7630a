package dev.berth.node.runtime.host;

import dev.berth.linux.process.ProcessDescriptor;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.process.ProcessWatch;
import dev.berth.linux.process.Signal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The processes of containers, each container's known by its shim: asks them to end, ends them,
/// tells when they have.
final class ShimTrees implements AutoCloseable {
  /// What the kernel gets to take a killed process away, and a shim to get through or give up.
  private static final Duration SETTLING = Duration.ofSeconds(10);

  private final ProcessWatch watch = new ProcessWatch();

  /// Of those that are waited for: each is watched once, however often it is tried to end it.
  private final Map<ProcessIdentity, CountDownLatch> ends = new ConcurrentHashMap<>();

  /// Runs `then` on a virtual thread of its own when the shim has ended, and all that it holds has.
  void onEnd(ProcessIdentity shim, Runnable then) {
    watch.watch(shim, then);
  }

  /// The container's first process, whose name spaces are the container's; empty: it has ended.
  Optional<ProcessIdentity> first(ProcessIdentity shim) {
    return Tree.of(shim).first();
  }

  /// Asks the container's program to end, by the signal that it expects for that.
  void terminate(ProcessIdentity shim, Signal stop) {
    Tree.of(shim).main().ifPresent(main -> send(main, stop));
  }

  /// Kills all of a container.
  ///
  /// @return whether it is gone
  boolean kill(ProcessIdentity shim) throws InterruptedException {
    Tree.of(shim).root().ifPresent(root -> send(root, Signal.KILL));
    return awaitEnd(shim);
  }

  /// Kills the shim itself, of a start that went wrong; its container dies with it.
  ///
  /// @return whether it is gone
  boolean killShim(ProcessIdentity shim) throws InterruptedException {
    send(shim, Signal.KILL);
    return awaitEnd(shim);
  }

  private boolean awaitEnd(ProcessIdentity shim) throws InterruptedException {
    return end(shim).await(SETTLING.toSeconds(), TimeUnit.SECONDS);
  }

  /// A shim that lost its agent while starting gives up or gets through within milliseconds.
  ///
  /// @param decides looked at as long as it does
  void awaitDecision(ProcessIdentity shim, BooleanSupplier decides) throws InterruptedException {
    var end = end(shim);
    long last = System.nanoTime() + SETTLING.toNanos();
    while (decides.getAsBoolean()
        && System.nanoTime() < last
        && !end.await(5, TimeUnit.MILLISECONDS)) {}
  }

  private CountDownLatch end(ProcessIdentity shim) {
    return ends.computeIfAbsent(shim, this::watched);
  }

  private CountDownLatch watched(ProcessIdentity shim) {
    var end = new CountDownLatch(1);
    watch.watch(
        shim,
        () -> {
          end.countDown();
          ends.remove(shim);
        });
    return end;
  }

  private static void send(ProcessIdentity process, Signal signal) {
    ProcessDescriptor.open(process)
        .ifPresent(held -> {
          try (held) {
            held.send(signal);
          }
        });
  }

  /// Stops watching.
  @Override
  public void close() {
    watch.close();
  }

  /// The processes of a running container as its shim has started them.
  ///
  /// @param entered the shim's youngest child, which entered the name spaces
  /// @param first the container's first process, the child of `entered`; it inherits all others
  /// @param main the program; the oldest child of `first`
  private record Tree(
      Optional<ProcessIdentity> entered,
      Optional<ProcessIdentity> first,
      Optional<ProcessIdentity> main) {
    static Tree of(ProcessIdentity shim) {
      var entered = shim.children().reversed().stream().findFirst();
      var first = entered.flatMap(it -> it.children().stream().findFirst());
      return new Tree(entered, first, first.flatMap(it -> it.children().stream().findFirst()));
    }

    /// What takes all of the container along when it is killed. With the program the first process
    /// ends, which tells the shim the exit code, and with that process all others.
    Optional<ProcessIdentity> root() {
      return main.or(() -> entered);
    }
  }
}
