package dev.berth.linux.terminal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.file.Rooted;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A pseudo terminal (pty(7)): the program has the terminal, we have what is typed and shown.
public final class PseudoTerminal implements AutoCloseable {
  // asm-generic/ioctls.h
  private static final long TIOCSWINSZ = 0x5414;
  private static final long TIOCGPTPEER = 0x5441;
  private static final long TIOCSPTLCK = 0x40045431L;

  private static final long AT_EMPTY_PATH = 0x1000;
  private static final short POLLIN = 1;
  private static final short POLLOUT = 4;
  private static final int BLOCK = 16 * 1024;

  /// What is kept of what the program has shown and nobody has read yet; then the program waits.
  private static final int MOST = 16;

  private final Descriptor ours;
  private final Descriptor programs;
  private final Descriptor wake;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<byte[]> shown = new ArrayDeque<>(); // guarded by lock
  private final Deque<byte[]> typed = new ArrayDeque<>(); // guarded by lock
  private boolean ended; // guarded by lock: nothing more is shown
  private boolean closed; // guarded by lock

  private PseudoTerminal(Descriptor ours, Descriptor programs) {
    this.ours = ours;
    this.programs = programs;
    this.wake =
        new Descriptor(
            SystemCall.EVENTFD2.orThrow(
                () -> "make an event descriptor", 0, Descriptor.O_CLOEXEC | Descriptor.O_NONBLOCK));
    new OwnThread("terminal", this::carry).start();
  }

  /// A terminal of those that `root` has in its `/dev/pts`: a program in there knows it by name.
  ///
  /// @param owner uid of the program's user
  public static PseudoTerminal in(Path root, int owner) {
    try (var place =
            new Rooted(root)
                .open("/dev/pts/ptmx")
                .orElseThrow(() -> new IllegalStateException("there is no /dev/pts/ptmx inside"));
        var arena = Arena.ofConfined()) {
      var ours =
          Descriptor.open(
              place.asPath(), Descriptor.O_RDWR | Descriptor.O_NOCTTY | Descriptor.O_NONBLOCK);
      try {
        long unlock = arena.allocateFrom(JAVA_INT, 0).address();
        SystemCall.IOCTL.orThrow(() -> "unlock the terminal", ours.number(), TIOCSPTLCK, unlock);
        var programs =
            new Descriptor(
                SystemCall.IOCTL.orThrow(
                    () -> "open the program's end of the terminal",
                    ours.number(),
                    TIOCGPTPEER,
                    Descriptor.O_RDWR | Descriptor.O_NOCTTY | Descriptor.O_CLOEXEC));
        SystemCall.FCHOWNAT.orThrow(
            () -> "give the terminal to its user",
            programs.number(),
            arena.allocateFrom("").address(),
            owner,
            -1,
            AT_EMPTY_PATH);
        return new PseudoTerminal(ours, programs);
      } catch (RuntimeException refused) {
        ours.close();
        throw refused;
      }
    }
  }

  /// The program's end, for another process to open before [#release].
  public Path programsEnd() {
    return Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + programs.number());
  }

  /// Lets go of the program's end here, once the program has ended: when nobody else has it any
  /// more, there is nothing more to be shown.
  public void release() {
    programs.close();
  }

  /// Tells the program how large the window is, in characters.
  public void resize(int columns, int rows) {
    try (var arena = Arena.ofConfined()) {
      var size = arena.allocate(8, 2);
      size.set(JAVA_SHORT, 0, (short) rows);
      size.set(JAVA_SHORT, 2, (short) columns);
      lock.lock();
      try {
        if (!closed) SystemCall.IOCTL.invoke(ours.number(), TIOCSWINSZ, size.address());
      } finally {
        lock.unlock();
      }
    }
  }

  /// What the program shows, up to its end.
  public InputStream shown() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return take(bytes, offset, length);
      }
    };
  }

  /// What the program reads, as if it were typed. Closing it changes nothing: a terminal has no
  /// end.
  public OutputStream typed() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        type(Arrays.copyOfRange(bytes, offset, offset + length));
      }
    };
  }

  /// Adds words of ours to what the program shows.
  public void show(String words) {
    lock.lock();
    try {
      shown.add(words.getBytes(StandardCharsets.UTF_8));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private int take(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) return 0;
    lock.lock();
    try {
      while (shown.isEmpty() && !ended) changed.await();
      if (shown.isEmpty()) return -1;
      var first = shown.remove();
      int count = Math.min(length, first.length);
      System.arraycopy(first, 0, bytes, offset, count);
      if (count < first.length) shown.addFirst(Arrays.copyOfRange(first, count, first.length));
      if (shown.size() == MOST - 1) wakeUp();
      return count;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    } finally {
      lock.unlock();
    }
  }

  private void type(byte[] bytes) throws IOException {
    lock.lock();
    try {
      while (typed.size() >= MOST && !ended) changed.await();
      if (ended) throw new IOException("the terminal is closed");
      if (bytes.length > 0) typed.add(bytes);
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
      var list = arena.allocate(16, 8);
      var block = arena.allocate(BLOCK, 8);
      while (true) {
        list.set(JAVA_INT, 0, wake.number());
        list.set(JAVA_SHORT, 4, POLLIN);
        if (!enlist(list)) break;
        SystemCall.PPOLL.orThrow(() -> "wait for a terminal", list.address(), 2, 0, 0, 0);
        if (list.get(JAVA_SHORT, 6) != 0) SystemCall.READ.invoke(wake.number(), block.address(), 8);
        int what = list.get(JAVA_SHORT, 14);
        if ((what & POLLOUT) != 0) type(block);
        if ((what & ~POLLOUT) != 0 && !show(block)) break;
      }
    } finally {
      lock.lock();
      try {
        ended = true;
        closed = true;
        changed.signalAll();
        programs.close();
        ours.close();
        wake.close();
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
      boolean room = shown.size() < MOST;
      list.set(JAVA_INT, 8, room || !typed.isEmpty() ? ours.number() : -1);
      list.set(JAVA_SHORT, 12, (short) ((room ? POLLIN : 0) | (typed.isEmpty() ? 0 : POLLOUT)));
      list.set(JAVA_SHORT, 14, (short) 0);
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void type(MemorySegment block) {
    lock.lock();
    try {
      var next = typed.remove();
      int length = Math.min(next.length, BLOCK);
      MemorySegment.copy(next, 0, block, ValueLayout.JAVA_BYTE, 0, length);
      long written = SystemCall.WRITE.invoke(ours.number(), block.address(), length);
      int count = (int) Math.max(written, 0);
      if (written < 0 && Errno.of(written) != Errno.EAGAIN) count = next.length; // nobody reads it
      if (count < next.length) typed.addFirst(Arrays.copyOfRange(next, count, next.length));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// @return whether there may be more; once the program's end is closed by all there is not
  private boolean show(MemorySegment block) {
    long read = SystemCall.READ.invoke(ours.number(), block.address(), BLOCK);
    if (read < 0 && Errno.of(read) == Errno.EAGAIN) return true;
    if (read <= 0) return false;
    var bytes = new byte[(int) read];
    MemorySegment.copy(block, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
    lock.lock();
    try {
      shown.add(bytes);
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void wakeUp() {
    if (closed) return;
    try (var arena = Arena.ofConfined()) {
      var one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
      SystemCall.WRITE.invoke(wake.number(), one.address(), 8);
    }
  }

  /// Hangs up: whoever still uses the terminal gets SIGHUP. What was shown can still be read.
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) return;
      wakeUp();
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
