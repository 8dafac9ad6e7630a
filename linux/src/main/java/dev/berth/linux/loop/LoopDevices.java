package dev.berth.linux.loop;

import static dev.berth.linux.sys.Descriptor.O_RDONLY;
import static dev.berth.linux.sys.Descriptor.O_RDWR;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OneAsker;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SharedLook;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// The loop devices of this machine. Others use them at the same time: what is remembered here is
/// only where to look first.
public final class LoopDevices {
  private static final long LOOP_CTL_GET_FREE = 0x4C82;
  private static final long LOOP_CONFIGURE = 0x4C0A;
  static final long LOOP_CLR_FD = 0x4C01;
  private static final long LOOP_GET_STATUS64 = 0x4C05;
  private static final long LOOP_SET_CAPACITY = 0x4C07;
  private static final long BLKROSET = 0x125D;
  private static final int LOOP_MAJOR = 7;
  private static final int SECTOR = 512;

  /// `struct loop_config`; its `loop_info64` begins at 8 and is 232 bytes long.
  private static final long CONFIG_SIZE = 304;

  private static final long INFO = 8;
  private static final long INFO_SIZE = 232;
  private static final long FLAGS = 52;
  private static final long FILE_NAME = 56;
  private static final int FILE_NAME_LENGTH = 63;

  /// Half of the attempts of eight threads at once lose a race; none needed more than a few.
  private static final int MOST_ATTEMPTS = 1000;

  private static final long PAUSE_NANOS = 200_000;
  private static final Path CONTROL = Path.of("/dev/loop-control");
  private static final Path BY_NUMBER = Path.of("/sys/dev/block");

  private static final KnownLoops KNOWN = new KnownLoops();
  private static final SharedLook<AllLoops> ALL = new SharedLook<>(LoopDevices::lookAtAll);

  /// A device whose file is out of reach keeps one thread, and not one for each look at it.
  private static final OneAsker<Path> ASKING = new OneAsker<>();

  /// Makes a block device of `backingFile`. It stays until the holder is closed and nobody uses it
  /// (with auto-clear) or until [#detach].
  ///
  /// @throws LinuxException also when `backingFile` is not there or not writable
  public HeldLoop attach(Path backingFile, LoopOptions options) {
    var attempt = "attach a loop device to " + backingFile;
    return Blocking.call(
        attempt,
        Blocking.CHANGE,
        () -> attachHere(attempt, backingFile, options),
        HeldLoop::takeBack);
  }

  /// All devices of a file, oldest number first. A file that was replaced by another under the same
  /// name is another file; one that was renamed is the same.
  public List<LoopDevice> of(Path backingFile) {
    var file = FileStatus.of(backingFile);
    var all = all();
    refuseToGuess(backingFile, all);
    return all.attached().stream().filter(it -> shows(it, file)).toList();
  }

  private static boolean shows(LoopDevice device, FileStatus file) {
    return device.fileSystem().equals(file.device()) && device.inode() == file.inode();
  }

  /// A device of a file; empty: it has none. Costs the same however many devices there are, as long
  /// as it is where it was when this process looked last, or made it.
  public Optional<LoopDevice> anyOf(Path backingFile) {
    var attempt = "look for a loop device of " + backingFile;
    var file = FileStatus.of(backingFile);
    var known = KNOWN.of(file);
    if (known.isPresent()) {
      var device = known.get();
      var now = ASKING.call(device, attempt, Blocking.LOOK, () -> status(device));
      if (now.isPresent() && shows(now.get(), file)) return now;
      KNOWN.forget(file, device);
    }
    var all = all();
    var found = all.attached().stream().filter(it -> shows(it, file)).findFirst();
    if (found.isEmpty()) refuseToGuess(backingFile, all);
    return found;
  }

  /// One that does not answer may show the file: whoever took it for none would attach a second.
  private static void refuseToGuess(Path backingFile, AllLoops all) {
    for (var silent : all.silent()) {
      var shown = Objects.toString(Path.of(LoopSysfs.backingFile(silent)).getFileName(), "");
      if (shown.startsWith(Objects.toString(backingFile.getFileName(), "/")))
        throw new LinuxException(
            "look for a loop device of %s, which %s may be".formatted(backingFile, silent),
            new Failure.TimedOut(Blocking.LOOK));
    }
  }

  /// Every loop device that has a backing file, but for those that do not answer.
  public List<LoopDevice> attached() {
    return all().attached();
  }

  private static AllLoops all() {
    return Thread.currentThread() instanceof OwnThread ? lookAtAll() : ALL.now(); // may see others
  }

  /// The device with this number; empty: it has no backing file, or is none of ours.
  public Optional<LoopDevice> at(DeviceNumber number) {
    if (number.major() != LOOP_MAJOR) return Optional.empty();
    try {
      // Where devices may have partitions, the minor number is not the number in the name.
      var node = BY_NUMBER.resolve(number.toString()).toRealPath().getFileName();
      return at(Path.of("/dev").resolve(node));
    } catch (IOException _) {
      return Optional.empty(); // it has just gone
    }
  }

  /// The backing file of one device; empty: it has none, or there is no such device.
  public Optional<LoopDevice> at(Path device) {
    return ASKING.call(device, "look at " + device, Blocking.LOOK, () -> status(device));
  }

  /// Takes a device down. One that is still mounted or open goes with its last user. One that has
  /// no file, or does not exist, is done already.
  public void detach(Path device) {
    var attempt = "detach " + device;
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          long opened = Descriptor.tryOpen(device, O_RDONLY);
          if (isGone(opened)) return;
          if (opened < 0) throw new LinuxException(attempt, Failure.of(opened));
          try (var open = new Descriptor(opened)) {
            long result = SystemCall.IOCTL.invoke(open.number(), LOOP_CLR_FD, 0);
            if (result < 0 && !isGone(result))
              throw new LinuxException(attempt, Failure.of(result));
          }
        });
  }

  /// Lets a device take over the present size of its backing file.
  public void takeOverSize(Path device) {
    var attempt = "take over the size of the file of " + device;
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(device, O_RDONLY)) {
            SystemCall.IOCTL.orThrow(() -> attempt, open.number(), LOOP_SET_CAPACITY, 0);
          }
        });
  }

  /// SYS-12: a free number is only a proposal, somebody else may be quicker.
  private static HeldLoop attachHere(String attempt, Path backingFile, LoopOptions options) {
    boolean readOnly = options.flags().contains(Flag.READ_ONLY);
    long mode = readOnly ? O_RDONLY : O_RDWR;
    try (var file = Descriptor.open(backingFile, mode);
        var control = Descriptor.open(CONTROL, O_RDWR)) {
      long last = 0;
      for (int i = 0; i < MOST_ATTEMPTS; i++) {
        long number =
            SystemCall.IOCTL.orThrow(
                () -> attempt + ", find a free one", control.number(), LOOP_CTL_GET_FREE, 0);
        var device = Path.of("/dev/loop" + number);
        makeNode(device, number);
        last = Descriptor.tryOpen(device, mode);
        if (last >= 0) {
          var open = new Descriptor(last);
          last = configure(open, file, backingFile, options);
          if (Errno.of(last) == Errno.EINVAL && options.flags().contains(Flag.DIRECT_IO))
            last = configure(open, file, backingFile, options.without(Flag.DIRECT_IO));
          if (last >= 0) {
            if (!readOnly) forgetReadOnly(attempt, open);
            var shown = FileStatus.onThisThread(file);
            KNOWN.put(shown.device(), shown.inode(), device);
            return new HeldLoop(device, open);
          }
          open.close();
        }
        if (!lostTheRace(last)) break;
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      throw new LinuxException(attempt, Failure.of(last));
    }
  }

  private static long configure(
      Descriptor device, Descriptor file, Path backingFile, LoopOptions options) {
    try (var arena = Arena.ofConfined()) {
      var config = arena.allocate(CONFIG_SIZE, 8);
      config.set(JAVA_INT, 0, file.number());
      // Left to itself, the kernel gives a direct device the blocks of the disk below.
      config.set(JAVA_INT, 4, options.blockSize() == 0 ? SECTOR : options.blockSize());
      config.set(JAVA_INT, INFO + FLAGS, options.bits());
      var name = backingFile.toString().getBytes(StandardCharsets.UTF_8);
      int length = Math.min(name.length, FILE_NAME_LENGTH);
      MemorySegment.copy(MemorySegment.ofArray(name), 0, config, INFO + FILE_NAME, length);
      return SystemCall.IOCTL.invoke(device.number(), LOOP_CONFIGURE, config.address());
    }
  }

  /// Whoever had the number before may have made the device read-only, which outlives its file.
  private static void forgetReadOnly(String attempt, Descriptor device) {
    try (var arena = Arena.ofConfined()) {
      var writable = arena.allocateFrom(JAVA_INT, 0);
      SystemCall.IOCTL.orThrow(() -> attempt, device.number(), BLKROSET, writable.address());
    }
  }

  /// In a container without devtmpfs the kernel's device exists but has no node.
  private static void makeNode(Path device, long number) {
    if (Files.exists(device)) return;
    try (var arena = Arena.ofConfined()) {
      SystemCall.MKNODAT.invoke(
          SystemCall.AT_FDCWD,
          arena.allocateFrom(device.toString()).address(),
          0x6000 | 0660,
          new DeviceNumber(LOOP_MAJOR, (int) number).packed());
    }
  }

  private static AllLoops lookAtAll() {
    var all = AllLoops.look(LoopSysfs.withFiles(), LoopDevices::statusIfServed);
    for (var loop : all.attached()) KNOWN.put(loop.fileSystem(), loop.inode(), loop.device());
    return all;
  }

  /// What serves its file may be dead: whoever has that file cannot look at it either, and all
  /// others must not wait for him.
  private static Optional<LoopDevice> statusIfServed(Path device) {
    try {
      return status(device);
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.DeadMount)) throw e;
      return Optional.empty();
    }
  }

  private static Optional<LoopDevice> status(Path device) {
    long opened = Descriptor.tryOpen(device, O_RDONLY);
    if (isGone(opened)) return Optional.empty();
    if (opened < 0) throw new LinuxException("open " + device, Failure.of(opened));
    try (var open = new Descriptor(opened);
        var arena = Arena.ofConfined()) {
      var info = arena.allocate(INFO_SIZE, 8);
      long result = SystemCall.IOCTL.invoke(open.number(), LOOP_GET_STATUS64, info.address());
      if (isGone(result)) return Optional.empty();
      if (result < 0) throw new LinuxException("look at " + device, Failure.of(result));
      return Optional.of(
          new LoopDevice(
              device,
              DeviceNumber.unpacked(info.get(JAVA_LONG, 0)),
              info.get(JAVA_LONG, 8),
              LoopOptions.flagsOf(info.get(JAVA_INT, FLAGS)),
              LoopSysfs.backingFile(device)));
    }
  }

  private static boolean isGone(long result) {
    var errno = Errno.of(result);
    return errno == Errno.ENXIO || errno == Errno.ENOENT || errno == Errno.ENODEV;
  }

  private static boolean lostTheRace(long result) {
    return isGone(result) || Errno.of(result) == Errno.EBUSY;
  }
}
