package dev.berth.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Tells the end of processes the moment they end, whoever their parent is. One thread waits for
/// all of them.
public final class ProcessWatch implements AutoCloseable {
  private static final long O_NONBLOCK = 0x800;
  private static final short POLLIN = 1;
  private static final long POLLFD_SIZE = 8;

  /// Between two rounds of asking.
  private static final Duration PAUSE = Duration.ofMillis(500);

  private record Watched(ProcessDescriptor process, Runnable onEnd) {}

  private final Descriptor wake;
  private final List<Watched> watched = new ArrayList<>(); // guarded by itself
  private boolean closed; // guarded by `watched`

  public ProcessWatch() {
    wake =
        new Descriptor(
            SystemCall.EVENTFD2.orThrow(
                () -> "make an event descriptor", 0, Descriptor.O_CLOEXEC | O_NONBLOCK));
    new OwnThread("process-watch", this::waitForEnds).start();
  }

  /// Runs `onEnd` on a virtual thread of its own when `process` has ended; soon, if it has already.
  public void watch(ProcessIdentity process, Runnable onEnd) {
    var held = ProcessDescriptor.open(process);
    if (held.isEmpty()) {
      Thread.startVirtualThread(onEnd);
      return;
    }
    synchronized (watched) {
      if (closed) {
        held.get().close();
        return;
      }
      watched.add(new Watched(held.get(), onEnd));
      wakeUp();
    }
  }

  /// Stops watching; nobody is told anything any more.
  @Override
  public void close() {
    synchronized (watched) {
      if (closed) return;
      closed = true;
      wakeUp();
    }
  }

  private void waitForEnds() {
    for (var round = nextRound(); round.isPresent(); round = nextRound()) {
      try (var arena = Arena.ofConfined()) {
        tellEnded(round.get(), poll(arena, round.get()));
      } catch (RuntimeException | OutOfMemoryError refused) {
        askEach(round.get());
      }
    }
    wake.close();
  }

  /// Whom to wait for now; empty: nobody any more, all descriptors are closed.
  private Optional<List<Watched>> nextRound() {
    synchronized (watched) {
      if (!closed) return Optional.of(List.copyOf(watched));
      watched.forEach(each -> each.process().close());
      watched.clear();
      return Optional.empty();
    }
  }

  /// Waits until one has ended or there is one more to wait for.
  private MemorySegment poll(Arena arena, List<Watched> round) {
    var list = arena.allocate(POLLFD_SIZE * (round.size() + 1), 8);
    enlist(list, 0, wake.number());
    for (int i = 0; i < round.size(); i++) enlist(list, i + 1, round.get(i).process().number());
    SystemCall.PPOLL.orThrow(
        () -> "wait for the end of processes", list.address(), round.size() + 1, 0, 0, 0);
    if (happened(list, 0)) {
      var count = arena.allocate(8, 8);
      SystemCall.READ.invoke(wake.number(), count.address(), 8);
    }
    return list;
  }

  /// The kernel does not wait for more processes than this one may have open files, and not without
  /// memory. Then they are asked one by one, until it does again.
  private void askEach(List<Watched> round) {
    for (var each : round) {
      try {
        if (hasEnded(each.process())) tell(each);
      } catch (RuntimeException | OutOfMemoryError noThread) {
        // stays watched and is asked again: the thread that tells everybody goes on
      }
    }
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  private static boolean hasEnded(ProcessDescriptor process) {
    try (var arena = Arena.ofConfined()) {
      var list = arena.allocate(POLLFD_SIZE, 8);
      enlist(list, 0, process.number());
      var atOnce = arena.allocate(16, 8);
      return SystemCall.PPOLL.invoke(list.address(), 1, atOnce.address(), 0, 0) > 0;
    }
  }

  private void tellEnded(List<Watched> round, MemorySegment list) {
    for (int i = 0; i < round.size(); i++) if (happened(list, i + 1)) tell(round.get(i));
  }

  private void tell(Watched ended) {
    Thread.startVirtualThread(ended.onEnd()); // first: what fails here is tried again
    synchronized (watched) {
      watched.remove(ended);
    }
    ended.process().close();
  }

  private void wakeUp() {
    try (var arena = Arena.ofConfined()) {
      var one = arena.allocateFrom(JAVA_LONG, 1);
      SystemCall.WRITE.invoke(wake.number(), one.address(), 8);
    }
  }

  private static void enlist(MemorySegment list, int index, int descriptor) {
    list.set(JAVA_INT, index * POLLFD_SIZE, descriptor);
    list.set(JAVA_SHORT, index * POLLFD_SIZE + 4, POLLIN);
  }

  private static boolean happened(MemorySegment list, int index) {
    return list.get(JAVA_SHORT, index * POLLFD_SIZE + 6) != 0;
  }
}
