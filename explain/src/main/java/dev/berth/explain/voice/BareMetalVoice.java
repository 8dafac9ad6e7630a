package dev.berth.explain.voice;

import dev.berth.driver.baremetal.BareMetalDeciders;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// The bare-metal driver on the node of a drive, asked about the drive or a volume on it: what it
/// has seen of the drive itself it has written down.
final class BareMetalVoice {
  /// Not the driver's nodes: their kind is named as Kubernetes' own is.
  static final List<Kind<?>> KINDS = List.of(BareMetalKinds.DRIVE, BareMetalKinds.VOLUME);

  static final List<Resource> SUBJECTS = List.of(BareMetalKinds.DRIVES, BareMetalKinds.VOLUMES);

  private static final String COMPONENT = "bare-metal driver";

  private BareMetalVoice() {}

  static List<Voice> all() {
    return List.of(
        Voice.of(COMPONENT, Failures.UNTOLD, BareMetalVoice::ofDrive),
        Voice.of(COMPONENT, Failures.UNTOLD, BareMetalVoice::ofVolume));
  }

  private static Stream<Step> ofDrive(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(BareMetalKinds.DRIVE)
        .flatMap(key -> objects.get(BareMetalKinds.DRIVE, key).found().stream())
        .map(Drive::nodeId)
        .flatMap(node -> asked(BareMetalDeciders.of(node).drives(), subject, objects, now));
  }

  private static Stream<Step> ofVolume(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(BareMetalKinds.VOLUME)
        .flatMap(key -> objects.get(BareMetalKinds.VOLUME, key).found().stream())
        .map(LocalVolume::nodeId)
        .flatMap(node -> asked(BareMetalDeciders.of(node).volumes(), subject, objects, now));
  }

  private static <K, V> Stream<Step> asked(
      Decider<K, V, ?> decider, Ref subject, Snapshot objects, Instant now) {
    return Voice.of(COMPONENT, decider, Failures.UNTOLD).steps(subject, objects, now);
  }
}
