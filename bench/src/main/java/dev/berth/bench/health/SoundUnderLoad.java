package dev.berth.bench.health;

import dev.berth.linux.check.MountedCheck.Wanted;
import dev.berth.linux.check.Pace;
import dev.berth.linux.check.VolumeWatch;
import dev.berth.linux.check.Watched;
import dev.berth.linux.check.Watched.Touch;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/// Writes to sound volumes as fast as they take it, all of them at once and each by several
/// writers, while they are looked after at the usual pace: none may ever be called ill. Writers
/// sync now and then, fill their volume, and empty it again; one reads.
public final class SoundUnderLoad {
  private static final long BYTES = 400L << 20;
  private static final int PIECE = 1 << 20;
  private static final int WRITERS = 3;
  private static final Mounts MOUNTS = Mounts.ofThisMachine();
  private static final AtomicLong written = new AtomicLong();
  private static volatile boolean ended;

  private SoundUnderLoad() {}

  /// @param words folder for the images, and for how many minutes
  public static void main(String[] words) throws IOException, InterruptedException {
    var folder = Path.of(words[0]).toRealPath();
    var time = Duration.ofSeconds((long) (Double.parseDouble(words[1]) * 60));
    var ever = new ConcurrentSkipListSet<String>();
    var threads = new ArrayList<Thread>();
    try {
      var volumes = new ArrayList<Watched>();
      for (var type : FileSystemType.values()) volumes.add(mounted(folder, type));
      var watches = new ArrayList<VolumeWatch>();
      try (var watch =
          new VolumeWatch(
              Pace.USUAL,
              () ->
                  watches.forEach(it ->
                      it.findings()
                          .forEach((id, found) ->
                              found.forEach(each -> ever.add(id + ": " + each.message())))))) {
        watches.add(watch);
        watch.watch(volumes);
        for (var volume : volumes)
          for (int i = 0; i < WRITERS; i++)
            threads.add(writer(volume.place().orElseThrow().resolve("w" + i), i));
        Thread.sleep(time);
        var figures = watch.figures();
        ended = true;
        for (var thread : threads) thread.join();
        System.out.printf(
            "%d volumes, %d MiB written in %d s: %d uses found them sound, %d failed, %d hung, %d"
                + " not tried; called ill: %s%n",
            volumes.size(),
            written.get() >> 20,
            time.toSeconds(),
            figures.sound(),
            figures.failed(),
            figures.hung(),
            figures.notTried(),
            ever.isEmpty() ? "none" : ever);
      }
    } finally {
      for (var mount : MOUNTS.table().under(folder))
        MOUNTS.unmount(mount.target(), Mounts.Unmount.IF_UNUSED);
    }
    if (!ever.isEmpty()) System.exit(1);
  }

  private static Watched mounted(Path folder, FileSystemType type) throws IOException {
    var image = folder.resolve(type.word() + ".img");
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    var place = Files.createDirectory(folder.resolve(type.word()));
    try (var loop = new LoopDevices().attach(image, LoopOptions.UNTIL_UNUSED)) {
      new FileSystemTools(Tools.ofThisMachine()).make(type, loop.device(), List.of());
      MOUNTS.mount(type.word(), loop.device().toString(), place, MountOptions.NONE);
      return Watched.fileSystem(type.word(), loop.device(), place, Wanted.WRITABLE, Touch.PROBED);
    }
  }

  private static Thread writer(Path file, int seed) {
    return Thread.ofPlatform()
        .name(file.toString())
        .start(() -> {
          var random = new Random(seed);
          var piece = new byte[PIECE];
          while (!ended) {
            try (var out =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
              while (!ended) {
                random.nextBytes(piece);
                written.addAndGet(out.write(ByteBuffer.wrap(piece)));
                if (random.nextInt(4) == 0) out.force(false);
              }
            } catch (IOException full) {
              empty(file);
            }
          }
          empty(file);
        });
  }

  private static void empty(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new IllegalStateException("a sound volume does not let go of " + file, e);
    }
  }
}
