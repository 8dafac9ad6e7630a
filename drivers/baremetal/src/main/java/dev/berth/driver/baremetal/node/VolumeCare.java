package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.decide.NodeFindings;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Told;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.linux.check.Figures;
import dev.berth.linux.check.Finding;
import dev.berth.linux.check.MountedCheck.Wanted;
import dev.berth.linux.check.Pace;
import dev.berth.linux.check.VolumeWatch;
import dev.berth.linux.check.Watched;
import dev.berth.linux.check.Watched.Touch;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks after the volumes that are staged on this node, and tells what it finds (BM-188, BM-194,
/// BM-195). Which ones these are the objects say.
public final class VolumeCare implements Follower, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(VolumeCare.class);

  /// Drives change places without any object saying so at once.
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final String nodeId;
  private final Caches caches;
  private final VolumeDevices devices;
  private final Told<NodeFindings> told;
  private final VolumeWatch watch;
  private final Mounts mounts = Mounts.ofThisMachine();
  private final Semaphore news = new Semaphore(0);
  private final Thread thread;
  private Map<String, Watched> before = Map.of(); // used by the thread only

  public VolumeCare(
      String nodeId, Caches caches, VolumeDevices devices, Told<NodeFindings> told, Pace pace) {
    this.nodeId = nodeId;
    this.caches = caches;
    this.devices = devices;
    this.told = told;
    this.watch = new VolumeWatch(pace, this::tell);
    this.thread = Thread.ofVirtual().name("volume-care").unstarted(this::run);
    caches.follow(List.of(BareMetalKinds.VOLUME), this);
  }

  @Override
  public void filled(Snapshot first) {
    thread.start();
  }

  @Override
  public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
    news.release();
  }

  private void run() {
    try {
      boolean anew = true;
      while (true) {
        try {
          watchStaged(anew);
        } catch (RuntimeException e) {
          log.warn("the volumes of this node are not looked after anew", e);
        }
        anew = !news.tryAcquire(PERIOD.toNanos(), TimeUnit.NANOSECONDS);
        news.drainPermits();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /// @param anew whether those that are known are looked for again, too
  private void watchStaged(boolean anew) {
    var objects = caches.snapshot();
    var table = mounts.table();
    var now = new HashMap<String, Watched>();
    for (var volume : objects.all(BareMetalKinds.VOLUME)) {
      if (!volume.nodeId().equals(nodeId) || volume.stagedAt().isEmpty() || volume.fakeAttached())
        continue;
      var known = Optional.ofNullable(before.get(volume.id())).filter(it -> isAt(it, volume));
      var next = anew || known.isEmpty() ? watched(volume, objects, table).or(() -> known) : known;
      next.ifPresent(it -> now.put(volume.id(), it));
    }
    synchronized (this) {
      var latest = caches.snapshot();
      now.keySet().removeIf(id -> !isStaged(latest, id));
      before = Map.copyOf(now);
      watch.watch(now.values());
    }
  }

  private static boolean isStaged(Snapshot objects, String id) {
    return objects
        .get(BareMetalKinds.VOLUME, LocalVolume.key(id))
        .found()
        .filter((LocalVolume it) -> !it.stagedAt().isEmpty())
        .isPresent();
  }

  /// Its mount is about to be made, or to be taken away: between that and what the objects say of
  /// it nobody finds that it is not mounted.
  void moves(String id) {
    watch.moves(id);
  }

  /// It is as its object says now.
  synchronized void moved(String id) {
    if (!isStaged(caches.snapshot(), id)) watch.forget(id);
    watch.moved(id);
  }

  private static boolean isAt(Watched known, LocalVolume volume) {
    return known.place().isEmpty() || known.place().get().toString().equals(volume.stagedAt());
  }

  /// Where a volume is now; empty: nobody can say.
  private Optional<Watched> watched(LocalVolume volume, Snapshot objects, MountTable table) {
    try {
      var drive = volume.drive().flatMap(key -> objects.get(BareMetalKinds.DRIVE, key).found());
      if (drive.isEmpty()) return Optional.empty();
      var device = devices.find(volume, drive.get());
      if (device.isEmpty()) return Optional.empty();
      var touch = volume.probed() ? Touch.PROBED : Touch.LEFT_ALONE;
      if (volume.block()) return Optional.of(Watched.raw(volume.id(), device.get(), touch));
      var place = Path.of(volume.stagedAt());
      var before = Optional.ofNullable(this.before.get(volume.id()));
      var wanted = table.at(place).map(VolumeCare::wanted).or(() -> before.map(Watched::wanted));
      return Optional.of(
          Watched.fileSystem(
              volume.id(), device.get(), place, wanted.orElse(Wanted.WRITABLE), touch));
    } catch (IOException | LinuxException e) {
      return Optional.empty();
    }
  }

  /// Who asked for `ro` has it in the options of his mount; an error has it in those of the file
  /// system alone.
  static Wanted wanted(MountEntry mount) {
    return mount.options().contains("ro") ? Wanted.READ_ONLY : Wanted.WRITABLE;
  }

  private void tell() {
    var ill = new HashMap<String, List<VolumeFinding>>();
    watch
        .findings()
        .forEach((id, found) -> ill.put(id, found.stream().map(VolumeFinding::of).toList()));
    var next = new NodeFindings(watch.known(), ill);
    told.change(_ -> next);
  }

  /// What is wrong with a volume by the latest look; empty: it is not looked after here.
  Optional<List<VolumeFinding>> findings(LocalVolume volume) {
    if (!watch.knows(volume.id())) return Optional.empty();
    List<Finding> found = watch.findings().getOrDefault(volume.id(), List.of());
    return Optional.of(found.stream().map(VolumeFinding::of).toList());
  }

  public Figures figures() {
    return watch.figures();
  }

  @Override
  public void close() {
    thread.interrupt();
    watch.close();
  }
}
