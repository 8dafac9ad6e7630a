package dev.berth.controller.attachdetach;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Summary;
import dev.berth.kube.cache.Summary.Part;
import dev.berth.kube.cache.Summary.Rank;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;

/// What has been left by a PersistentVolume that has gone: attachments that name it. Their volume
/// may have another PersistentVolume (AD-46), which only the attachments' own names tell.
///
/// @param exists whether the PersistentVolume is there
/// @param attachments that name it
record Left(boolean exists, PSet<ObjectKey> attachments) {
  /// By the names of PersistentVolumes. Ranked: those that have gone and are named.
  private static final Summary<Left> ALL =
      new Summary<>(
          new Object(),
          "persistentvolumes with their attachments",
          new Left(false, HashTreePSet.empty()),
          List.of(
              new Part<>(
                  Kinds.VOLUME,
                  volume -> List.of(volume.meta().name()),
                  (row, _) -> new Left(true, row.attachments),
                  (row, _) -> new Left(false, row.attachments)),
              new Part<>(
                  Kinds.ATTACHMENT,
                  it -> it.volumeName().isEmpty() ? List.of() : List.of(it.volumeName()),
                  (row, it) -> new Left(row.exists, row.attachments.plus(it.meta().key())),
                  (row, it) -> new Left(row.exists, row.attachments.minus(it.meta().key())))),
          row ->
              row.exists || row.attachments.isEmpty()
                  ? Optional.empty()
                  : Optional.of(new Rank(0, 0)));

  /// Attachments of the volume that name none of its PersistentVolumes any more.
  static Stream<Attachment> of(VolumeName name, Snapshot objects) {
    return StreamSupport.stream(objects.ranked(ALL, 0).spliterator(), false)
        .flatMap(row -> row.attachments.stream().sorted())
        .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
        .filter(it -> it.attacher().equals(name.driver()))
        .filter(it -> it.meta().name().equals(name.attachment(it.nodeName())));
  }
}
