package dev.berth.bench.health;

import com.sun.management.OperatingSystemMXBean;
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
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Watches many mounted volumes at the usual pace, and says how much of a processor this process
/// takes for it. What the kernel's own threads do for the writes is not in it.
public final class HealthBench {
  private static final long BYTES = 16L << 20;
  private static final Mounts MOUNTS = Mounts.ofThisMachine();

  private HealthBench() {}

  /// @param words folder for the images, how many volumes, and for how many seconds
  public static void main(String[] words) throws IOException, InterruptedException {
    var folder = Path.of(words[0]).toRealPath();
    int count = Integer.parseInt(words[1]);
    var time = Duration.ofSeconds(Long.parseLong(words[2]));
    try {
      var volumes = new ArrayList<Watched>();
      for (int i = 0; i < count; i++) volumes.add(mounted(folder, i));
      measure("looks and uses", volumes, time);
      measure(
          "looks alone",
          volumes.stream()
              .map(it ->
                  new Watched(
                      it.id(), it.device(), it.number(), it.place(), it.wanted(), Touch.LEFT_ALONE))
              .toList(),
          time);
    } finally {
      for (var mount : MOUNTS.table().under(folder))
        MOUNTS.unmount(mount.target(), Mounts.Unmount.IF_UNUSED);
    }
  }

  private static Watched mounted(Path folder, int number) throws IOException {
    var image = folder.resolve(number + ".img");
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    var place = Files.createDirectory(folder.resolve("v" + number));
    try (var loop = new LoopDevices().attach(image, LoopOptions.UNTIL_UNUSED)) {
      new FileSystemTools(Tools.ofThisMachine())
          .make(FileSystemType.EXT4, loop.device(), List.of());
      MOUNTS.mount("ext4", loop.device().toString(), place, MountOptions.NONE);
      return Watched.fileSystem("v" + number, loop.device(), place, Wanted.WRITABLE, Touch.PROBED);
    }
  }

  /// The first minute, in which classes are loaded and code is compiled, is not counted.
  private static void measure(String what, List<Watched> volumes, Duration time)
      throws InterruptedException {
    try (var watch = new VolumeWatch(Pace.USUAL, () -> {})) {
      watch.watch(volumes);
      Thread.sleep(Pace.USUAL.probe());
      long usesBefore = watch.figures().sound();
      long cpu = cpu();
      long begun = System.nanoTime();
      Thread.sleep(time);
      double share = 100.0 * (cpu() - cpu) / (System.nanoTime() - begun);
      long uses = watch.figures().sound() - usesBefore;
      System.out.printf(
          "%s of %d volumes: %.2f %% of a core, %d uses in %d s, %d ill%n",
          what, volumes.size(), share, uses, time.toSeconds(), watch.findings().size());
    }
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
