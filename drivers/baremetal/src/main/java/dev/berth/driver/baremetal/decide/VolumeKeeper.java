package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.decide.VolumeEffect.Heeded;
import dev.berth.driver.baremetal.decide.VolumeEffect.Prepare;
import dev.berth.driver.baremetal.decide.VolumeEffect.Release;
import dev.berth.driver.baremetal.decide.VolumeEffect.Released;
import dev.berth.driver.baremetal.decide.VolumeEffect.Tell;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.driver.baremetal.object.VolumeUsage;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Prepares the volumes of a node, wipes them when they go, and tells of each how its drive is.
///
/// @param nodeId only volumes on drives of this node
public record VolumeKeeper(String nodeId) implements Decider<ObjectKey, Facts, VolumeEffect> {
  /// What this process has found out about the volumes that are staged on this node.
  public static final Topic<NodeFindings> FOUND =
      new Topic<>("what was found of volumes", NodeFindings.NONE);

  @Override
  public String name() {
    return "volume-keeper";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(BareMetalKinds.VOLUME, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            BareMetalKinds.DRIVE,
            (change, facts) ->
                facts.by(Indexes.VOLUMES_BY_DRIVE, change.latest().uuid()).stream()
                    .map(volume -> volume.meta().key())),
        Trigger.on(
            FOUND,
            (news, _) -> news.after().changedSince(news.before()).stream().map(LocalVolume::key)));
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Step decide(Facts facts, ObjectKey key) {
    return switch (facts.get(BareMetalKinds.VOLUME, key)) {
      case Missing<LocalVolume> _ -> new Settled();
      case Found<LocalVolume>(var volume) when !volume.nodeId().equals(nodeId) -> new Settled();
      case Found<LocalVolume>(var volume) -> here(facts, volume);
    };
  }

  private static Step here(Facts facts, LocalVolume volume) {
    var drive = volume.drive().flatMap(key -> facts.get(BareMetalKinds.DRIVE, key).found());
    return switch (volume.status()) {
      case CREATING -> creating(volume, drive);
      case REMOVING -> removing(volume, drive);
      case REMOVED -> new Settled();
      case CREATED, VOLUME_READY, PUBLISHED, FAILED ->
          tell(volume, drive, facts.of(FOUND).of(volume));
    };
  }

  /// BM-81: only on the drive that the volume has.
  private static Step creating(LocalVolume volume, Optional<Drive> drive) {
    if (drive.isEmpty() || !drive.get().claimedBy(volume.meta())) return new Settled();
    if (drive.get().observed().presence() == Presence.OFFLINE) return untilOnline(drive.get());
    return new Act(new Prepare(volume, drive.get()));
  }

  private static Step removing(LocalVolume volume, Optional<Drive> drive) {
    if (drive.isEmpty() || !drive.get().claimedBy(volume.meta()))
      return new Act(new Released(volume));
    if (drive.get().observed().presence() == Presence.OFFLINE) return untilOnline(drive.get());
    return new Act(new Release(volume, drive.get()));
  }

  private static Wait untilOnline(Drive drive) {
    return Wait.on(drive.ref(), "status.Status")
        .until("drive %s is there".formatted(drive.identity()))
        .remedy("plug the drive in again");
  }

  /// BM-70 to BM-72, BM-180, BM-199.
  private static Step tell(
      LocalVolume volume, Optional<Drive> drive, List<VolumeFinding> findings) {
    var health = drive.map(it -> it.observed().health()).orElse(Health.UNKNOWN);
    boolean there = drive.filter(it -> it.observed().presence() == Presence.ONLINE).isPresent();
    // BM-152: its drive may be back, its pods still see something else
    var operational =
        there && !volume.fakeAttached() ? OperationalStatus.OPERATIVE : OperationalStatus.MISSING;
    var usage = usage(volume, drive, health);
    if (volume.health() == health
        && volume.operational() == operational
        && volume.usage() == usage
        && volume.findings().equals(findings)) return rested(volume, drive, usage);
    var notices = new ArrayList<Notice>();
    if (volume.health() != health) notices.add(notice(volume, health));
    notices.addAll(notices(volume, findings));
    return new Act(new Tell(volume, health, operational, usage, findings, notices));
  }

  /// What came up since, and that nothing is left of it.
  private static List<Notice> notices(LocalVolume volume, List<VolumeFinding> findings) {
    if (findings.isEmpty() && !volume.findings().isEmpty() && !volume.stagedAt().isEmpty())
      return List.of(
          Notice.normal(volume.ref(), "VolumeRecovered", "nothing is wrong with it any more"));
    return findings.stream()
        .filter(it -> !volume.findings().contains(it))
        .map(it -> Notice.warning(volume.ref(), it.reason(), it.message()))
        .toList();
  }

  private static Step rested(LocalVolume volume, Optional<Drive> drive, VolumeUsage usage) {
    if (usage == VolumeUsage.IN_USE && volume.meta().annotations().containsKey(Marks.RELEASE))
      return new Act(new Heeded(volume, Marks.RELEASE)); // BM-143
    return drive.filter(it -> it.observed().usage() == DriveUsage.REMOVING).isPresent()
        ? untilDeleted(volume)
        : new Settled();
  }

  /// BM-134: by whoever uses it.
  private static Wait untilDeleted(LocalVolume volume) {
    return Wait.on(Kinds.VOLUME.ref(ObjectKey.cluster(volume.id())), "metadata.deletionTimestamp")
        .until("the persistent volume is deleted")
        .remedy("delete the pods that use it, then its claim");
  }

  /// BM-71, BM-141, BM-143: a drive that is kept takes its volumes back with it.
  private static VolumeUsage usage(LocalVolume volume, Optional<Drive> drive, Health health) {
    var release = volume.meta().annotation(Marks.RELEASE).orElse("");
    var leaving =
        drive.map(it -> it.observed().usage()).orElse(DriveUsage.IN_USE) != DriveUsage.IN_USE;
    if (!leaving && !health.failing()) return VolumeUsage.IN_USE;
    return switch (release) {
      case "done" -> VolumeUsage.RELEASED;
      case "failed" -> VolumeUsage.FAILED;
      default -> VolumeUsage.RELEASING;
    };
  }

  private static Notice notice(LocalVolume volume, Health health) {
    var ref = volume.ref();
    return switch (health) {
      case GOOD -> Notice.normal(ref, "VolumeGoodHealth", "its drive is healthy");
      case SUSPECT -> Notice.warning(ref, "VolumeSuspectHealth", "its drive is expected to fail");
      case BAD -> Notice.warning(ref, "VolumeBadHealth", "its drive is failing");
      case UNKNOWN -> Notice.warning(ref, "VolumeUnknownHealth", "nobody can say how its drive is");
    };
  }

  @Override
  public Class<VolumeEffect> effectType() {
    return VolumeEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(BareMetalKinds.VOLUME);
  }
}
