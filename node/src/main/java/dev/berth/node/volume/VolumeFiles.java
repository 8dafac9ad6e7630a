package dev.berth.node.volume;

import dev.berth.kube.model.VolumeName;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Lost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The directories that volumes are mounted in, and the notes beside them that tell a later agent
/// whose they are. A simulation keeps them in memory.
///
/// Every method may be repeated after a failure or a crash.
public interface VolumeFiles {
  /// All notes that earlier agents left, before anything runs (NREC-01, NREC-08). Looks at no
  /// mount.
  List<Trace> traces() throws IOException;

  /// The directories of volumes of one form.
  default VolumeFiles of(Form form) {
    return this;
  }

  /// What a note says now that could not be read.
  ///
  /// @return empty: it says nothing
  default Optional<Noted> noted(Lost mount) {
    return Optional.empty();
  }

  /// What the notes of other pods say of a PersistentVolume; they say nothing of a pod's own.
  ///
  /// @return empty: none says anything
  default Optional<VolumeName> notedElsewhere(Lost.Published mount) {
    return Optional.empty();
  }

  /// What a note says.
  record Noted(VolumeName name, Form form) {}

  /// Shows the pod what the driver has published for it, where that is more than a mount (NBLK-01).
  default void map(String podUid, String spec) throws IOException {}

  /// Where the driver stages a volume.
  Path stagingTarget(VolumeName name);

  /// Where the driver publishes a volume for a pod.
  ///
  /// @param spec name of the PersistentVolume, or of an inline volume in its pod
  Path publishTarget(String podUid, String spec);

  /// Where the driver is asked about a volume that a pod has: where its containers get it from.
  default Path shownPath(String podUid, String spec) {
    return publishTarget(podUid, spec);
  }

  /// Makes the staging directory and the note that the volume may be staged; both are on disk when
  /// it returns.
  ///
  /// @param spec name of the PersistentVolume
  /// @param group that the driver will be told; an empty text: none
  void announceStaging(VolumeName name, String spec, String group) throws IOException;

  /// Removes what [#announceStaging] has made.
  ///
  /// @throws StillMountedException if something is mounted there: nothing was removed (NCLN-01)
  void removeStaging(VolumeName name) throws IOException;

  /// The same of what is staged and known to nobody, with a note that cannot be read: whoever
  /// stages it meanwhile writes one that can.
  ///
  /// @throws IOException if it has one that can, or is mounted: that stays
  default void removeStaged(Lost.Staged mount) throws IOException {}

  /// Makes the directory above the target and the note that the volume may be published; both are
  /// on disk when it returns. The target itself is the driver's to make.
  void announcePublication(VolumeName name, String podUid, String spec, Form form)
      throws IOException;

  /// Unmounts the parts of the volume that containers of the pod had mounted (NSUB-05).
  void removeParts(String podUid, String spec) throws IOException;

  /// Removes what [#announcePublication] has made, and the target if it is an empty directory.
  ///
  /// @throws StillMountedException if something is mounted there: nothing was removed (NCLN-01)
  void removePublication(String podUid, String spec) throws IOException;

  /// Other mounts here of what is mounted at the volume's staging target; while there are any it
  /// cannot be unstaged (NOPX-08).
  List<Path> otherMountsOf(VolumeName name) throws IOException;

  /// Gives everything in a published volume to a group (NCSI-14).
  void own(Path target, FsGroup group) throws IOException;

  /// What an earlier agent left.
  sealed interface Trace {
    /// The volume may be staged.
    ///
    /// @param group that the driver was told, an empty text for none; empty: the note does not say
    record Staged(VolumeName name, Optional<String> group, Form form) implements Trace {
      public Staged(VolumeName name, Optional<String> group) {
        this(name, group, Form.CLAIMED);
      }
    }

    /// The volume may be published for a pod.
    record Published(VolumeName name, String podUid, String spec, Form form) implements Trace {}

    /// The note cannot be read.
    ///
    /// @param why for people
    record Unreadable(Path note, String why) implements Trace {}

    /// The note cannot be read, or has gone, and what it is about may be mounted or linked to.
    ///
    /// @param why for people
    record Lost(dev.berth.node.volume.state.Lost mount, Path note, String why) implements Trace {}
  }

  /// Something is mounted where nothing should be.
  final class StillMountedException extends IOException {
    private static final long serialVersionUID = 1;

    public StillMountedException(Path target) {
      super(target + " is still a mount point; nothing was removed");
    }
  }
}
