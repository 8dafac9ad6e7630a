package dev.berth.explain.voice;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.volume.Translation;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Whose sidecars may have a word about an object: the drivers that are registered or that a class
/// names, and the one that the object itself names, whatever became of it.
final class Drivers {
  private Drivers() {}

  static SortedSet<String> about(Ref subject, Snapshot objects) {
    var drivers = new TreeSet<String>();
    objects.all(Kinds.CSI_DRIVER).forEach(driver -> drivers.add(driver.meta().name()));
    objects.all(Kinds.STORAGE_CLASS).forEach(each -> drivers.add(each.provisioner()));
    named(subject, objects).forEach(drivers::add);
    drivers.removeIf(name -> name.isEmpty() || name.startsWith("kubernetes.io/"));
    return drivers;
  }

  private static Stream<String> named(Ref subject, Snapshot objects) {
    var volumes = subject.as(Kinds.VOLUME).flatMap(key -> volume(key, objects));
    var ofClaim =
        subject
            .as(Kinds.CLAIM)
            .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
            .map(Claim::volumeName)
            .filter(name -> !name.isEmpty())
            .flatMap(name -> volume(ObjectKey.cluster(name), objects));
    var attachers =
        subject
            .as(Kinds.ATTACHMENT)
            .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
            .map(attachment -> attachment.attacher());
    var contents =
        subject
            .as(SnapshotKinds.CONTENT)
            .flatMap(key -> objects.get(SnapshotKinds.CONTENT, key).found().stream())
            .map(content -> content.driver());
    var groups =
        subject
            .as(SnapshotKinds.GROUP_CONTENT)
            .flatMap(key -> objects.get(SnapshotKinds.GROUP_CONTENT, key).found().stream())
            .map(content -> content.driver());
    return Stream.of(
            Stream.concat(volumes, ofClaim).flatMap(it -> driver(it).stream()),
            attachers,
            contents,
            groups)
        .flatMap(it -> it);
  }

  private static Stream<Volume> volume(ObjectKey key, Snapshot objects) {
    return objects.get(Kinds.VOLUME, key).found().stream();
  }

  private static Optional<String> driver(Volume volume) {
    return Translation.NONE.source(volume).map(Volume.CsiSource::driver);
  }
}
