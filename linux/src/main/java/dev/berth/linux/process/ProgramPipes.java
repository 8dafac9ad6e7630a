package dev.berth.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The three standard streams of a program, as pipes. One platform thread waits in the kernel for
/// all of them: whoever reads and writes may be on a virtual thread, which holds no carrier
/// meanwhile, and is woken when the pipes are closed here, whoever else still holds their other
/// ends.
public final class ProgramPipes implements AutoCloseable {
  private static final short POLLIN = 1;
  private static final short POLLOUT = 4;
  private static final int BLOCK = 16 * 1024;

  /// Blocks kept of a stream that nobody has read yet; then the program waits, or the writer.
  private static final int MOST = 16;

  /// What is still taken of a stream at the end: as much as a pipe holds (pipe(7)).
  private static final int MOST_AT_END = (1 << 20) / BLOCK;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Lane input;
  private final Lane output;
  private final Lane error;
  private final Descriptor wake;
  private boolean finishing; // guarded by lock
  private boolean closed; // guarded by lock
  private boolean over; // guarded by lock: all descriptors are closed

  /// One pipe. `ours` is closed by the carrying thread alone.
  private static final class Lane {
    final Descriptor ours;
    final Descriptor programs;
    final Deque<byte[]> blocks = new ArrayDeque<>(); // guarded by lock
    boolean ended; // guarded by lock: nothing more comes, or goes

    Lane(boolean toProgram) {
      try (var arena = Arena.ofConfined()) {
        var both = arena.allocate(8, 4);
        long flags = Descriptor.O_CLOEXEC | Descriptor.O_NONBLOCK;
        SystemCall.PIPE2.orThrow(() -> "make a pipe", both.address(), flags);
        var read = new Descriptor(both.get(JAVA_INT, 0));
        var write = new Descriptor(both.get(JAVA_INT, 4));
        ours = toProgram ? write : read;
        programs = toProgram ? read : write;
      }
    }

    void close() {
      ours.close();
      programs.close();
    }
  }

  public ProgramPipes() {
    this(work -> new OwnThread("program-streams", work).start());
  }

  /// @param carrier begins, on another thread, what carries the streams
  ProgramPipes(Consumer<Runnable> carrier) {
    var made = new ArrayDeque<Runnable>();
    try {
      input = lane(true, made);
      output = lane(false, made);
      error = lane(false, made);
      wake =
          new Descriptor(
              SystemCall.EVENTFD2.orThrow(
                  () -> "make an event descriptor",
                  0,
                  Descriptor.O_CLOEXEC | Descriptor.O_NONBLOCK));
      made.add(wake::close);
      carrier.accept(this::carry);
    } catch (RuntimeException | Error e) { // an Error too: a thread may not be had
      made.forEach(Runnable::run);
      throw e;
    }
  }

  private static Lane lane(boolean toProgram, Deque<Runnable> made) {
    var lane = new Lane(toProgram);
    made.add(lane::close);
    return lane;
  }

  /// Where the program's input is opened, before [#started].
  public Path programsInput() {
    return input.programs.asPath();
  }

  /// Where the program's output is opened, before [#started].
  public Path programsOutput() {
    return output.programs.asPath();
  }

  /// Where the program's standard error is opened, before [#started].
  public Path programsError() {
    return error.programs.asPath();
  }

  /// Lets go of the program's ends here: it has opened them.
  public void started() {
    input.programs.close();
    output.programs.close();
    error.programs.close();
  }

  /// What the program reads. Closed: it has come to its end.
  public OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; done += BLOCK) {
          int from = offset + done;
          give(Arrays.copyOfRange(bytes, from, from + Math.min(BLOCK, length - done)));
        }
      }

      @Override
      public void close() {
        lock.lock();
        try {
          input.ended = true;
          wakeUp();
        } finally {
          lock.unlock();
        }
      }
    };
  }

  /// What the program writes.
  public InputStream output() {
    return stream(output);
  }

  /// What the program writes to standard error.
  public InputStream error() {
    return stream(error);
  }

  /// The program has ended. What it has left in its pipes can still be read; what others write who
  /// hold them too is waited for as long as is said here.
  public void finish(long millis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (left > 0 && !over && !(output.ended && error.ended)) left = changed.awaitNanos(left);
      finishing = true;
      wakeUp();
    } finally {
      lock.unlock();
    }
  }

  /// Closes our ends. What has been read from them is still there.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      wakeUp();
    } finally {
      lock.unlock();
    }
  }

  private InputStream stream(Lane lane) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return length == 0 ? 0 : take(lane, bytes, offset, length);
      }
    };
  }

  private int take(Lane lane, byte[] bytes, int offset, int length) throws IOException {
    lock.lock();
    try {
      while (lane.blocks.isEmpty() && !lane.ended) changed.await();
      var first = lane.blocks.poll();
      if (first == null) return -1;
      int count = Math.min(length, first.length);
      System.arraycopy(first, 0, bytes, offset, count);
      if (count < first.length)
        lane.blocks.addFirst(Arrays.copyOfRange(first, count, first.length));
      if (lane.blocks.size() == MOST - 1) wakeUp();
      return count;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    } finally {
      lock.unlock();
    }
  }

  private void give(byte[] bytes) throws IOException {
    lock.lock();
    try {
      while (input.blocks.size() >= MOST && !input.ended) changed.await();
      if (input.ended) throw new IOException("the program does not read any more");
      input.blocks.add(bytes);
      wakeUp();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    } finally {
      lock.unlock();
    }
  }

  private void carry() {
    try (var arena = Arena.ofConfined()) {
      var list = arena.allocate(32, 8);
      var block = arena.allocate(BLOCK, 8);
      while (enlist(list)) {
        SystemCall.PPOLL.orThrow(() -> "wait for a program", list.address(), 4, 0, 0, 0);
        if (happened(list, 0)) SystemCall.READ.invoke(wake.number(), block.address(), 8);
        if (happened(list, 1)) write(block);
        if (happened(list, 2)) read(output, block);
        if (happened(list, 3)) read(error, block);
      }
      drain(output, block);
      drain(error, block);
    } finally {
      lock.lock();
      try {
        over = true;
        input.ended = true;
        output.ended = true;
        error.ended = true;
        input.close();
        output.close();
        error.close();
        wake.close();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /// What is to be waited for now.
  ///
  /// @return whether there is anything
  private boolean enlist(MemorySegment list) {
    lock.lock();
    try {
      if (input.ended && input.blocks.isEmpty()) input.ours.close();
      enlist(list, 0, wake, POLLIN);
      enlist(list, 1, input.blocks.isEmpty() ? null : input.ours, POLLOUT);
      enlist(list, 2, room(output) ? output.ours : null, POLLIN);
      enlist(list, 3, room(error) ? error.ours : null, POLLIN);
      return !closed && !finishing;
    } finally {
      lock.unlock();
    }
  }

  private static boolean room(Lane lane) {
    return !lane.ended && lane.blocks.size() < MOST;
  }

  private static void enlist(
      MemorySegment list, int index, @Nullable Descriptor descriptor, short events) {
    list.set(JAVA_INT, 8L * index, descriptor == null ? -1 : descriptor.number());
    list.set(JAVA_SHORT, 8L * index + 4, events);
    list.set(JAVA_SHORT, 8L * index + 6, (short) 0);
  }

  private static boolean happened(MemorySegment list, int index) {
    return list.get(JAVA_SHORT, 8L * index + 6) != 0;
  }

  private void write(MemorySegment block) {
    lock.lock();
    try {
      var next = input.blocks.remove();
      MemorySegment.copy(next, 0, block, JAVA_BYTE, 0, next.length);
      long written = SystemCall.WRITE.invoke(input.ours.number(), block.address(), next.length);
      if (written < 0 && Errno.of(written) != Errno.EAGAIN) { // nobody reads it
        input.ended = true;
        input.blocks.clear();
      } else if (written < next.length) {
        input.blocks.addFirst(Arrays.copyOfRange(next, (int) Math.max(written, 0), next.length));
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// @return whether there may be more at once
  private boolean read(Lane lane, MemorySegment block) {
    long read = SystemCall.READ.invoke(lane.ours.number(), block.address(), BLOCK);
    if (read < 0 && Errno.of(read) == Errno.EAGAIN) return false;
    lock.lock();
    try {
      if (read <= 0) lane.ended = true;
      else lane.blocks.add(block.asSlice(0, read).toArray(JAVA_BYTE));
      changed.signalAll();
      return read > 0;
    } finally {
      lock.unlock();
    }
  }

  private void drain(Lane lane, MemorySegment block) {
    lock.lock();
    try {
      if (closed || lane.ended) return;
    } finally {
      lock.unlock();
    }
    for (int blocks = 0; blocks < MOST_AT_END && read(lane, block); blocks++) {}
  }

  private void wakeUp() {
    if (over) return;
    try (var arena = Arena.ofConfined()) {
      var one = arena.allocateFrom(JAVA_LONG, 1);
      SystemCall.WRITE.invoke(wake.number(), one.address(), 8);
    }
  }
}
