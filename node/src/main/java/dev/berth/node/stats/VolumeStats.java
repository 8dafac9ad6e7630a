package dev.berth.node.stats;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.VolumeUsage;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Driver;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Publication;
import dev.berth.volume.Indexes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks drivers how full and how well the volumes are that are mounted for pods, each about once in
/// one to two periods, and keeps what they say.
public final class VolumeStats implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(VolumeStats.class);

  private final Drivers drivers;
  private final VolumeFiles files;
  private final Supplier<Actual> mounted;
  private final Supplier<Snapshot> objects;
  private final EventRecorder events;
  private final Time time;
  private final Map<Mount, Reading> readings = new ConcurrentHashMap<>();
  private final Set<Mount> underWay = ConcurrentHashMap.newKeySet();
  private volatile BiConsumer<String, Duration> measure = (_, _) -> {};
  private volatile boolean closed;

  /// A volume as one pod has it.
  private record Mount(VolumeName name, Form form, String podUid, String spec) {}

  /// What a mount is to people.
  private record Shown(Pod pod, Need.Known need) {}

  /// @param mounted what is, now
  /// @param objects the pods here and their claims, now
  public VolumeStats(
      Drivers drivers,
      VolumeFiles files,
      Supplier<Actual> mounted,
      Supplier<Snapshot> objects,
      EventRecorder events,
      Time time) {
    this.drivers = drivers;
    this.files = files;
    this.mounted = mounted;
    this.objects = objects;
    this.events = events;
    this.time = time;
  }

  /// Asks from now on.
  ///
  /// @param period longer than nothing
  public void start(Duration period) {
    time.after(
        pause(period),
        () -> {
          round();
          if (!closed) start(period);
        });
  }

  private Duration pause(Duration period) {
    return period.plusNanos((long) (period.toNanos() * time.random().nextDouble()));
  }

  /// Asks about all that is mounted for certain, but for what has not been answered yet.
  void round() {
    var mounts = mounts();
    readings.keySet().retainAll(mounts);
    for (var mount : mounts) if (underWay.add(mount)) time.start(() -> ask(mount));
  }

  private Set<Mount> mounts() {
    var mounts = new HashSet<Mount>();
    for (var state : mounted.get().volumes().values())
      state
          .publications()
          .forEach((uid, publication) -> {
            if (publication instanceof Publication.Present(var spec, _))
              mounts.add(new Mount(state.name(), state.form(), uid, spec));
          });
    return mounts;
  }

  private void ask(Mount mount) {
    try {
      var driver = drivers.find(mount.name().driver()).filter(VolumeStats::tells);
      var shown = shown(mount);
      if (driver.isEmpty() || shown.isEmpty()) readings.remove(mount);
      else note(mount, shown.get(), ask(mount, driver.get()));
      if (!mounts().contains(mount)) readings.remove(mount); // it went while it was asked about
    } catch (CsiException | IllegalStateException unknown) {
      readings.remove(mount); // what it was is not what it is
      log.debug("no stats of {} for pod {}", mount.name(), mount.podUid(), unknown);
    } finally {
      underWay.remove(mount);
    }
  }

  /// One that tells of conditions alone is asked as well.
  private static boolean tells(Driver driver) {
    return driver.can(RPC.Type.GET_VOLUME_STATS) || driver.can(RPC.Type.VOLUME_CONDITION);
  }

  private NodeGetVolumeStatsResponse ask(Mount mount, Driver driver) {
    var path = files.of(mount.form()).shownPath(mount.podUid(), mount.spec());
    var began = System.nanoTime();
    var said =
        driver
            .calls()
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(mount.name().handle())
                    .setVolumePath(path.toString())
                    .build());
    measure.accept(
        "kubernetes.io/csi:" + mount.name().driver(), Duration.ofNanos(System.nanoTime() - began));
    if (said.getUsageList().isEmpty() && !said.hasVolumeCondition())
      throw new IllegalStateException("the driver tells neither usage nor condition");
    return said;
  }

  private Optional<Shown> shown(Mount mount) {
    var now = objects.get();
    for (var pod : now.by(Indexes.PODS_BY_UID, mount.podUid()))
      for (var need : new Needs(now).of(pod))
        if (need instanceof Need.Known known && known.want().name().equals(mount.name()))
          return Optional.of(new Shown(pod, known));
    return Optional.empty();
  }

  private void note(Mount mount, Shown shown, NodeGetVolumeStatsResponse said) {
    var meta = shown.pod().meta();
    var reading =
        new Reading(
            meta.key(),
            meta.uid(),
            shown.need().volume(),
            shown.need().want().bound().map(bound -> bound.claim().meta().key()),
            Reading.usage(said, VolumeUsage.Unit.BYTES),
            Reading.usage(said, VolumeUsage.Unit.INODES),
            Reading.condition(said),
            time.now());
    var before = Optional.ofNullable(readings.put(mount, reading));
    tell(shown, reading, before.filter(Reading::abnormal).isPresent());
  }

  /// NSTA-03: at each look as long as it lasts; when it is over, once.
  private void tell(Shown shown, Reading reading, boolean was) {
    if (reading.abnormal())
      events.tell(
          Notice.warning(
              shown.pod().ref(),
              Reasons.VOLUME_CONDITION_ABNORMAL,
              "Volume %s: %s".formatted(reading.volume(), message(reading))));
    else if (was)
      events.tell(
          Notice.normal(
              shown.pod().ref(),
              Reasons.VOLUME_CONDITION_NORMAL,
              "Volume %s: %s".formatted(reading.volume(), message(reading))));
  }

  private static String message(Reading reading) {
    return reading.condition().map(Reading.Condition::message).orElse("");
  }

  /// What was said last of each mount.
  public List<Reading> now() {
    return List.copyOf(readings.values());
  }

  /// Told how long each question took, by the plugin that was asked.
  void measure(BiConsumer<String, Duration> told) {
    measure = told;
  }

  /// Asks no more.
  @Override
  public void close() {
    closed = true;
  }
}
