package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.manager.DeviceLook;
import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.manager.KnownDrives;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The disks of this machine. Which there are, the kernel says at once; what is on each, and how it
/// is, each is asked for by itself and with a deadline of its own (BM-06): one that does not answer
/// is there all the same, and cannot be looked at.
public final class BaseManager implements DriveManager {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Path MACHINES_MOUNTS = Path.of("/proc/1/mountinfo");
  private static final Path OWN_MOUNTS = Path.of("/proc/self/mountinfo");
  private static final Path SWAPS = Path.of("/proc/swaps");

  private final SysfsDisks disks;
  private final SystemDisks system;
  private final Consent consent;
  private final DeviceLook look;
  private final SmartHealth smart;
  private final Duration patience;
  private final Settling settling = new Settling();
  private final DeviceNews news;
  private volatile KnownDrives known = KnownDrives.UNTOLD;

  /// Looks that have not come back: none of these drives is asked again before.
  private final Map<DriveIdentity, CompletableFuture<FoundDrive>> hanging =
      new ConcurrentHashMap<>();

  /// The machine that runs this process.
  ///
  /// @param consent which of its disks volumes may have
  public BaseManager(Consent consent) {
    this(SysfsDisks.ofThisMachine(), Tools.ofThisMachine(), PATIENCE, consent);
  }

  BaseManager(SysfsDisks disks, Tools tools, Duration patience, Consent consent) {
    this.disks = disks;
    this.consent = consent;
    this.system = new SystemDisks(disks.sysfs());
    this.look = new DeviceLook(new FileSystemTools(tools));
    this.smart = new SmartHealth(tools, patience);
    this.patience = patience;
    this.news = new DeviceNews(Path.of("/dev"), disks.udev(), settling::isAwaited);
  }

  @Override
  public List<FoundDrive> drives() throws IOException {
    var mounts = MountTable.parse(Files.readAllBytes(OWN_MOUNTS));
    var vital = vital(mounts);
    var looks = new ArrayList<Look>();
    var all = disks.all();
    settling.see(all);
    for (var disk : all) looks.add(begin(disk, mounts, vital));
    var found = new ArrayList<FoundDrive>();
    long end = System.nanoTime() + patience.toNanos();
    for (var each : looks) found.add(each.result(end));
    return found;
  }

  private Look begin(SysfsDisk disk, MountTable mounts, Set<String> vital) {
    var future =
        hanging.computeIfAbsent(
            disk.identity(),
            _ ->
                CompletableFuture.supplyAsync(
                    () -> found(disk, mounts, vital), Thread::startVirtualThread));
    return new Look(disk, future, vital.contains(disk.name()));
  }

  /// One drive's look in this pass.
  private final class Look {
    private final SysfsDisk disk;
    private final CompletableFuture<FoundDrive> future;
    private final boolean system;

    private Look(SysfsDisk disk, CompletableFuture<FoundDrive> future, boolean system) {
      this.disk = disk;
      this.future = future;
      this.system = system;
    }

    /// BM-54: who does not answer in time is not missing.
    private FoundDrive result(long end) {
      try {
        var found = future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        hanging.remove(disk.identity(), future);
        return found;
      } catch (TimeoutException _) {
        return shown(
            disk,
            Health.UNKNOWN,
            List.of("has not answered for %d s".formatted(patience.toSeconds())),
            system);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return shown(disk, Health.UNKNOWN, List.of("was not looked at"), system);
      } catch (ExecutionException e) {
        hanging.remove(disk.identity(), future);
        return shown(disk, Health.UNKNOWN, List.of("cannot be looked at: " + e.getCause()), system);
      }
    }
  }

  private FoundDrive found(SysfsDisk disk, MountTable mounts, Set<String> vital) {
    boolean isVital = vital.contains(disk.name());
    var obstacles = new ArrayList<>(look.obstacles(disk.device(), mounts));
    // a program that asks a dead disk how it is does not end, either
    var health = BlockDevice.isOverdue(disk.device()) ? Health.UNKNOWN : smart.of(disk);
    return shown(disk, health, obstacles, isVital);
  }

  private FoundDrive shown(SysfsDisk disk, Health health, List<String> obstacles, boolean system) {
    return new FoundDrive(
        settling.names(disk),
        disk.type(),
        disk.size(),
        disk.device(),
        health,
        obstacles,
        system,
        !system && consent.to(disk, obstacles.isEmpty()),
        Slot.of(disk).map(Slot::led).orElse(Led.NOT_AVAILABLE));
  }

  /// In a container the first process is the machine's only with `hostPID`; what this process sees
  /// is asked, too.
  private Set<String> vital(MountTable own) throws IOException {
    var names = system.names(own, SysfsDisks.text(SWAPS));
    if (Files.isReadable(MACHINES_MOUNTS))
      names.addAll(system.names(MountTable.parse(Files.readAllBytes(MACHINES_MOUNTS)), ""));
    return names;
  }

  /// BM-55: by the serial number, whatever case its letters have; the kernel says it of the device
  /// of this very moment.
  @Override
  public Optional<Path> find(Drive drive) throws IOException {
    var all = disks.all();
    var same = same(all, drive);
    var undecided = same.isEmpty() ? undecided(all, drive) : Optional.<SysfsDisk>empty();
    if (undecided.isPresent()) throw new IOException(doubt(undecided.get(), drive));
    return same.size() == 1 ? Optional.of(same.getFirst().device()) : Optional.empty(); // BM-23
  }

  @Override
  public boolean mayBeThere(Drive drive) throws IOException {
    return disks.all().stream().anyMatch(it -> it.names().mayBe(drive));
  }

  @Override
  public void heed(KnownDrives known) {
    this.known = known;
  }

  /// The disks that say just this of themselves now; if none does, those of which any layer says
  /// it, and that can be no other drive: what is found is written to. None of which it may be said
  /// otherwise in a moment.
  private List<SysfsDisk> same(List<SysfsDisk> all, Drive drive) {
    var settled = all.stream().filter(it -> settling.names(it).settled()).toList();
    var bearers =
        settled.stream().filter(it -> settling.names(it).canBe(drive, it.size())).toList();
    var same = bearers.stream().filter(it -> isCalled(it, drive)).toList();
    var asLarge = same.stream().filter(it -> it.size() == drive.size()).toList();
    if (!asLarge.isEmpty()) return asLarge;
    // which of two has grown nobody can say
    if (!same.isEmpty())
      return settled.stream().filter(it -> isCalled(it, drive)).count() == 1 ? same : List.of();
    boolean unsure =
        bearers.size() == 1
            && known.mayBeAnother(
                bearers.getFirst().names(), bearers.getFirst().size(), drive.identity());
    return unsure ? List.of() : bearers; // BM-23
  }

  private static boolean isCalled(SysfsDisk disk, Drive drive) {
    return DriveNames.of(disk.identity()).bears(drive.identity());
  }

  /// One that may turn out to be the drive, when udev has spoken.
  private Optional<SysfsDisk> undecided(List<SysfsDisk> all, Drive drive) {
    return all.stream()
        .filter(it -> {
          var names = settling.names(it);
          boolean mayBe = it.size() == drive.size() && !names.settled();
          return mayBe || names.isUndecided(drive, it.size());
        })
        .findFirst();
  }

  private static String doubt(SysfsDisk disk, Drive drive) {
    return "whether %s is drive %s%s is not known before udev has said which disk it is"
        .formatted(
            disk.device(),
            drive.identity(),
            drive.knownAs().map(" and %s, too,"::formatted).orElse(""));
  }

  @Override
  public List<String> obstacles(Drive drive) throws IOException {
    var mounts = MountTable.parse(Files.readAllBytes(OWN_MOUNTS));
    var same = same(disks.all(), drive);
    if (same.size() != 1) return List.of(same.isEmpty() ? "is not there" : "is there twice");
    if (vital(mounts).contains(same.getFirst().name()))
      return List.of("is what the machine itself lives on");
    return look.obstacles(same.getFirst().device(), mounts);
  }

  /// BM-50, BM-147: by the enclosure's own lamp; a drive in none has none.
  @Override
  public Led locate(Drive drive, Locate what) throws IOException {
    for (var disk : same(disks.all(), drive)) {
      var slot = Slot.of(disk);
      return slot.isEmpty() ? Led.NOT_AVAILABLE : slot.get().locate(what);
    }
    return Led.NOT_AVAILABLE; // who is gone is found by nobody
  }

  /// BM-07: a device that comes or goes is looked at at once, and again when it is known which it
  /// is.
  @Override
  public void onChange(Runnable nudge) {
    news.start(nudge);
  }

  @Override
  public void close() {
    news.close();
  }
}
