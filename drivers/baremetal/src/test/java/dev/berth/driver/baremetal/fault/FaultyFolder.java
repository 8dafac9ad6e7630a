package dev.berth.driver.baremetal.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// A folder with a fixed set of files of fixed size, served by this process through FUSE: images of
/// drives that fail, hang or go slow as long as a test wants them to (BM-258). It speaks as much of
/// the kernel's protocol as a loop device needs.
public final class FaultyFolder implements AutoCloseable {
  /// What is wrong with a file.
  public enum Fault {
    NONE,
    READS_FAIL,
    WRITES_FAIL,
    /// Reads and writes are not answered until the fault goes.
    HANGS,
    /// What it is called, how large it is and what is in it: nothing is answered.
    SILENT,
    /// Each takes a while.
    SLOW
  }

  private static final int IN_HEADER = 40;
  private static final int OUT_HEADER = 16;
  private static final int LARGEST_WRITE = 128 * 1024;
  private static final int BUFFER = LARGEST_WRITE + 4096;
  private static final long ROOT = 1;
  private static final int FOLDER_MODE = 0040755;
  private static final int FILE_MODE = 0100600;
  private static final int DIRECT_IO = 1;
  private static final int SLOW_MILLIS = 300;

  private final Path place;
  private final Descriptor device;
  private final List<String> names;
  private final List<FileChannel> files = new ArrayList<>();
  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final Mounts mounts = Mounts.ofThisMachine();

  /// @param store folder that has the bytes
  /// @param place where it is mounted
  /// @param sizes bytes of the files, by name
  public FaultyFolder(Path store, Path place, Map<String, Long> sizes) throws IOException {
    this.place = place;
    this.names = sizes.keySet().stream().sorted().toList();
    for (var name : names) {
      var file = store.resolve(name);
      try (var made = new RandomAccessFile(file.toFile(), "rw")) {
        made.setLength(Objects.requireNonNull(sizes.get(name)));
      }
      files.add(FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }
    device = Descriptor.open(Path.of("/dev/fuse"), Descriptor.O_RDWR);
    mounts.mount(
        "fuse",
        "faulty",
        place,
        MountOptions.parse(
            List.of(
                "fd=" + device.number(),
                "rootmode=40000",
                "user_id=0",
                "group_id=0",
                "allow_other")));
    // The kernel asks nothing before there is a mount, and lets nobody read until then.
    for (int i = 0; i < 2; i++) new OwnThread("faulty-folder", this::serve).start();
  }

  public Path file(String name) {
    return place.resolve(name);
  }

  public void set(String name, Fault fault) {
    synchronized (faults) {
      faults.put(name, fault);
      faults.notifyAll();
    }
  }

  /// All is well again, as far as the server lives.
  public void endFaults() {
    for (var name : names) set(name, Fault.NONE);
  }

  /// The server dies: whatever is asked of it fails from now on.
  public void die() {
    try {
      mounts.unmount(place, Mounts.Unmount.FORCED);
    } catch (LinuxException busy) {
      // what is open stays open, and fails
    }
  }

  private void serve() {
    try (var own = Arena.ofConfined()) {
      var in = own.allocate(BUFFER, 8);
      while (true) {
        long length = SystemCall.READ.invoke(device.number(), in.address(), BUFFER);
        if (length < 0 && Errno.of(length) == Errno.ENOENT) continue; // it was taken back
        if (length < IN_HEADER) return;
        answer(new Request(in.asSlice(0, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
      }
    } catch (IllegalStateException closed) {
      // the server is dead
    }
  }

  /// What the kernel asks.
  private record Request(byte[] bytes) {
    private MemorySegment segment() {
      return MemorySegment.ofArray(bytes);
    }

    int operation() {
      return segment().get(JAVA_INT_UNALIGNED, 4);
    }

    long unique() {
      return segment().get(JAVA_LONG_UNALIGNED, 8);
    }

    long node() {
      return segment().get(JAVA_LONG_UNALIGNED, 16);
    }

    long number(int at) {
      return segment().get(JAVA_LONG_UNALIGNED, IN_HEADER + at);
    }

    int small(int at) {
      return segment().get(JAVA_INT_UNALIGNED, IN_HEADER + at);
    }

    byte[] from(int at) {
      return Arrays.copyOfRange(bytes, IN_HEADER + at, bytes.length);
    }
  }

  private void answer(Request request) {
    switch (request.operation()) {
      case 1 -> lookUp(request);
      case 2, 36, 42 -> {} // forget, interrupt: no answer is wanted
      case 3, 4 -> Thread.ofVirtual().start(() -> show(request)); // getattr, setattr
      case 14, 27 -> {
        var opened = ByteBuffer.allocate(16).order(java.nio.ByteOrder.nativeOrder());
        opened.putInt(8, DIRECT_IO);
        reply(request, opened.array());
      }
      case 15, 16, 20 -> Thread.ofVirtual().start(() -> transfer(request));
      case 17 -> reply(request, new byte[80]); // statfs
      case 18, 25, 29, 30, 38 -> reply(request, new byte[0]); // release, flush, ...
      case 26 -> reply(request, begin(request));
      case 28 -> reply(request, new byte[0]); // an empty list of entries
      default -> fail(request, 38); // ENOSYS
    }
  }

  private static byte[] begin(Request request) {
    var out = ByteBuffer.allocate(64).order(java.nio.ByteOrder.nativeOrder());
    out.putInt(7).putInt(31).putInt(request.small(8)).putInt(0);
    out.putShort((short) 64).putShort((short) 48).putInt(LARGEST_WRITE).putInt(1);
    return out.array();
  }

  private void show(Request request) {
    try {
      if (request.node() != ROOT) awaitSpeech(names.get((int) request.node() - 2));
      reply(request, attributesWithTime(request.node(), 16));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitSpeech(String name) throws InterruptedException {
    synchronized (faults) {
      while (faults.getOrDefault(name, Fault.NONE) == Fault.SILENT) faults.wait();
    }
  }

  private void lookUp(Request request) {
    var bytes = request.from(0);
    int end = 0;
    while (bytes[end] != 0) end++;
    int index = names.indexOf(new String(bytes, 0, end, java.nio.charset.StandardCharsets.UTF_8));
    if (index < 0) {
      fail(request, 2); // ENOENT
      return;
    }
    var out = ByteBuffer.allocate(40 + 88).order(java.nio.ByteOrder.nativeOrder());
    out.putLong(0, index + 2L).putLong(16, 3600); // of attributes the kernel is to ask each time
    out.position(40).put(attributes(index + 2L));
    reply(request, out.array());
  }

  private byte[] attributesWithTime(long node, int offset) {
    var out = ByteBuffer.allocate(offset + 88).order(java.nio.ByteOrder.nativeOrder());
    out.position(offset).put(attributes(node));
    return out.array();
  }

  private byte[] attributes(long node) {
    var out = ByteBuffer.allocate(88).order(java.nio.ByteOrder.nativeOrder());
    out.putLong(0, node);
    try {
      long size = node == ROOT ? 0 : files.get((int) node - 2).size();
      out.putLong(8, size).putLong(16, size / 512);
    } catch (IOException closed) {
      // of no size, then
    }
    out.putInt(60, node == ROOT ? FOLDER_MODE : FILE_MODE).putInt(64, 1).putInt(80, 4096);
    return out.array();
  }

  /// Reads, writes and syncs.
  private void transfer(Request request) {
    var name = names.get((int) request.node() - 2);
    var file = files.get((int) request.node() - 2);
    try {
      var fault = await(name);
      switch (request.operation()) {
        case 15 -> {
          if (fault == Fault.READS_FAIL) throw new IOException("a bad sector");
          var bytes = ByteBuffer.allocate(request.small(16));
          int read = file.read(bytes, request.number(8));
          reply(request, Arrays.copyOf(bytes.array(), Math.max(read, 0)));
        }
        case 16 -> {
          if (fault == Fault.WRITES_FAIL) throw new IOException("a bad sector");
          int size = request.small(16);
          file.write(ByteBuffer.wrap(request.from(40), 0, size), request.number(8));
          var written = ByteBuffer.allocate(8).order(java.nio.ByteOrder.nativeOrder());
          reply(request, written.putInt(0, size).array());
        }
        default -> reply(request, new byte[0]);
      }
    } catch (IOException failed) {
      fail(request, 5); // EIO
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Fault await(String name) throws InterruptedException {
    awaitSpeech(name);
    synchronized (faults) {
      while (faults.getOrDefault(name, Fault.NONE) == Fault.HANGS) faults.wait();
      var fault = faults.getOrDefault(name, Fault.NONE);
      if (fault == Fault.SLOW) faults.wait(SLOW_MILLIS);
      return fault;
    }
  }

  private void reply(Request request, byte[] body) {
    send(request.unique(), 0, body);
  }

  private void fail(Request request, int errno) {
    send(request.unique(), -errno, new byte[0]);
  }

  private void send(long unique, int error, byte[] body) {
    try (var own = Arena.ofConfined()) {
      var out = own.allocate(OUT_HEADER + (long) body.length, 8);
      out.set(JAVA_INT_UNALIGNED, 0, OUT_HEADER + body.length);
      out.set(JAVA_INT_UNALIGNED, 4, error);
      out.set(JAVA_LONG_UNALIGNED, 8, unique);
      MemorySegment.copy(MemorySegment.ofArray(body), 0, out, OUT_HEADER, body.length);
      SystemCall.WRITE.invoke(device.number(), out.address(), out.byteSize());
    } catch (IllegalStateException closed) {
      // nobody waits any more
    }
  }

  /// To be closed when no loop device has a file of it any more.
  @Override
  public void close() throws IOException {
    endFaults();
    mounts.unmount(place, Mounts.Unmount.LAZY);
    device.close();
    for (var file : files) file.close();
  }
}
