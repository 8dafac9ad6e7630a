package dev.berth.explain;

import dev.berth.controller.roster.Controllers;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Supposition;
import dev.berth.volume.Translation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// All components that decide over storage, ready to be asked and never to act.
public final class Voices {
  /// What a snapshot must hold to be explained.
  public static final List<Kind<?>> KINDS =
      Stream.of(
              Controllers.STORAGE,
              List.of(Kinds.LEASE, Kinds.EVENT),
              SnapshotKinds.ALL,
              DriverSidecars.KINDS)
          .<Kind<?>>flatMap(List::stream)
          .distinct()
          .toList();

  /// Of what objects somebody decides.
  public static final List<Resource> SUBJECTS =
      List.of(
          Resources.PODS,
          Resources.CLAIMS,
          Resources.VOLUMES,
          Resources.ATTACHMENTS,
          Resources.ATTRIBUTES_CLASSES,
          Resources.NODES,
          SnapshotResources.SNAPSHOTS,
          SnapshotResources.CONTENTS,
          SnapshotResources.GROUP_CONTENTS);

  private Voices() {}

  /// In the order of the life cycle.
  public static List<Voice> all(Snapshot objects) {
    var voices = new ArrayList<Voice>();
    voices.add(NodeVoice.aboutNodes());
    controllers().forEach(voices::add);
    for (var driver : drivers(objects))
      sidecars(Supposition.of(driver, objects)).forEach(voices::add);
    voices.add(NodeVoice.aboutVolumes());
    voices.add(NodeVoice.aboutContainers());
    return voices;
  }

  private static Stream<Voice> controllers() {
    return Controllers.of(Controllers.Options.DEFAULT).concerns().stream()
        .map(concern -> {
          var voice = voice(concern);
          var lease = concern.role().lease();
          return lease.map(name -> Attendance.ofController(voice, name)).orElse(voice);
        });
  }

  private static Stream<Voice> sidecars(DriverFacts driver) {
    return SidecarDeciders.of(driver, SidecarOptions.DEFAULT).all().stream()
        .map(concern -> {
          var lease = concern.role().lease().orElseThrow();
          return Attendance.ofSidecar(voice(concern), driver.name(), lease);
        });
  }

  private static Voice voice(Concern<?, ?, ?, ?> concern) {
    var role = concern.role();
    return Voice.of(role.component(), concern.decider(), Failures.of(role.failures()));
  }

  private static SortedSet<String> drivers(Snapshot objects) {
    var drivers = new TreeSet<String>();
    objects.all(Kinds.CSI_DRIVER).forEach(driver -> drivers.add(driver.meta().name()));
    objects.all(Kinds.VOLUME).stream()
        .flatMap(volume -> Translation.NONE.source(volume).stream())
        .map(Volume.CsiSource::driver)
        .forEach(drivers::add);
    objects.all(SnapshotKinds.CONTENT).forEach(each -> drivers.add(each.driver()));
    objects.all(SnapshotKinds.GROUP_CONTENT).forEach(each -> drivers.add(each.driver()));
    objects.all(Kinds.STORAGE_CLASS).forEach(each -> drivers.add(each.provisioner()));
    drivers.removeIf(name -> name.isEmpty() || name.startsWith("kubernetes.io/"));
    return drivers;
  }

  /// The object's metadata; empty: there is no such object, or none of these kinds.
  static Optional<Meta> meta(Ref ref, Snapshot objects) {
    return KINDS.stream()
        .filter(kind -> kind.resource().equals(ref.resource()))
        .flatMap(kind -> objects.get(kind, ref.key()).found().stream())
        .<Meta>map(KubeObject::meta)
        .findFirst();
  }
}
