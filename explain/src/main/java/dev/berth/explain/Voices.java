package dev.berth.explain;

import dev.berth.controller.roster.Controllers;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.LeaseNames;
import dev.berth.kube.model.Meta;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Reasons;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import dev.berth.kube.model.Volume;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.reclaimer.Reclaimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// All components that decide over storage, ready to be asked and never to act.
public final class Voices {
  /// What a snapshot must hold to be explained.
  public static final List<Kind<?>> KINDS =
      List.of(
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.STORAGE_CLASS,
          Kinds.ATTACHMENT,
          Kinds.POD,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.CSI_DRIVER,
          Kinds.STORAGE_CAPACITY,
          Kinds.ATTRIBUTES_CLASS,
          Kinds.LEASE,
          Kinds.EVENT);

  /// Of what objects somebody decides.
  public static final List<Resource> SUBJECTS =
      List.of(
          Resources.PODS,
          Resources.CLAIMS,
          Resources.VOLUMES,
          Resources.ATTACHMENTS,
          Resources.ATTRIBUTES_CLASSES,
          Resources.NODES);

  private Voices() {}

  /// In the order of the life cycle.
  public static List<Voice> all(Snapshot objects) {
    var voices = new ArrayList<Voice>();
    voices.add(NodeVoice.aboutNodes());
    controllers().forEach(voices::add);
    for (var driver : drivers(objects))
      voices.addAll(sidecars(DriverFacts.supposed(driver, objects)));
    voices.add(NodeVoice.aboutVolumes());
    voices.add(NodeVoice.aboutContainers());
    return voices;
  }

  private static Stream<Voice> controllers() {
    return Controllers.of(Controllers.Options.DEFAULT).concerns().stream().map(Voices::voice);
  }

  private static Voice voice(Concern<?, ?, ?, ?> concern) {
    var role = concern.role();
    var voice = Voice.of(role.component(), concern.decider(), Failures.UNTOLD);
    return role.lease().map(lease -> Attendance.ofController(voice, lease)).orElse(voice);
  }

  private static List<Voice> sidecars(DriverFacts driver) {
    var name = driver.name();
    var provisioner = "provisioner of " + name;
    var attacher = "attacher of " + name;
    var provisioning =
        Stream.of(
                Voice.of(
                    provisioner,
                    Provisioner.explaining(driver),
                    (ref, _) -> key(ref, Resources.CLAIMS),
                    Failures.inEvents(Set.of(Reasons.PROVISIONING_FAILED))),
                Voice.of(
                    provisioner,
                    Reclaimer.explaining(driver),
                    (ref, _) -> key(ref, Resources.VOLUMES),
                    Failures.inEvents(Set.of(Reasons.VOLUME_FAILED_DELETE))))
            .map(voice -> Attendance.ofSidecar(voice, name, LeaseNames.provisioner(name)));
    var attaching =
        Stream.of(
                Voice.of(
                    attacher,
                    Attacher.explaining(driver),
                    (ref, _) ->
                        key(ref, Resources.ATTACHMENTS).map(key -> Attacher.attachment(key.name())),
                    Failures.inAttachments()),
                Voice.of(
                    attacher,
                    Attacher.explaining(driver),
                    (ref, _) -> key(ref, Resources.VOLUMES).map(key -> Attacher.volume(key.name())),
                    Failures.UNTOLD))
            .map(voice -> Attendance.ofSidecar(voice, name, LeaseNames.attacher(name)));
    return Stream.concat(provisioning, attaching).toList();
  }

  private static SortedSet<String> drivers(Snapshot objects) {
    var drivers = new TreeSet<String>();
    objects.all(Kinds.CSI_DRIVER).forEach(driver -> drivers.add(driver.meta().name()));
    objects.all(Kinds.VOLUME).stream()
        .flatMap(volume -> volume.csi().stream())
        .map(Volume.CsiSource::driver)
        .forEach(drivers::add);
    objects.all(Kinds.STORAGE_CLASS).forEach(each -> drivers.add(each.provisioner()));
    drivers.removeIf(name -> name.isEmpty() || name.startsWith("kubernetes.io/"));
    return drivers;
  }

  private static Stream<ObjectKey> key(Ref ref, Resource resource) {
    return ref.resource().equals(resource) ? Stream.of(ref.key()) : Stream.empty();
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
