package dev.berth.node.volume.disk;

import dev.berth.kube.model.VolumeName;
import dev.berth.linux.file.Durable;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.FsGroup;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Lost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// [VolumeFiles] below a kubelet's root.
public final class KubeletFiles implements VolumeFiles {
  private final Layout layout;
  private final String node;
  private final Mounts mounts;
  private final Directories directories;
  private final SubPaths parts;
  private final KubeletDevices devices;

  /// Makes the root if it is missing.
  ///
  /// @param layout its root must not lead through a link
  /// @param node this node's name
  public KubeletFiles(Layout layout, String node, Mounts mounts) throws IOException {
    this.layout = Directories.real(layout);
    this.node = node;
    this.mounts = mounts;
    this.directories = new Directories(mounts);
    this.parts = new SubPaths(layout, mounts);
    this.devices = new KubeletDevices(layout, node, mounts);
  }

  @Override
  public VolumeFiles of(Form form) {
    return form == Form.DEVICE ? devices : this;
  }

  @Override
  public List<Trace> traces() throws IOException {
    var traces = new ArrayList<Trace>(devices.traces());
    for (var driver : Directories.entries(layout.staging()))
      for (var volume :
          driver.equals(layout.devices()) ? List.<Path>of() : Directories.entries(driver))
        trace(
                volume,
                volume.resolve(Layout.STAGING_TARGET),
                note -> new Trace.Staged(note.name(), note.group()),
                (note, why) -> new Trace.Lost(staged(driver, volume), note, why))
            .ifPresent(traces::add);
    for (var pod : Directories.entries(layout.pods())) {
      var uid = pod.getFileName().toString();
      for (var volume : Directories.entries(layout.published(uid)))
        trace(
                volume,
                volume.resolve(Layout.PUBLISH_TARGET),
                note ->
                    new Trace.Published(
                        note.name(),
                        uid,
                        Layout.unescape(volume.getFileName().toString()),
                        note.form()),
                (note, why) ->
                    new Trace.Lost(
                        new Lost.Published(uid, Layout.unescape(volume.getFileName().toString())),
                        note,
                        why))
            .ifPresent(traces::add);
    }
    return traces;
  }

  private interface Reading {
    Trace of(VolData.Note note);
  }

  private interface Failing {
    Trace of(Path note, String why);
  }

  /// What is staged has no other name where its note cannot be read.
  private static Lost.Staged staged(Path driver, Path volume) {
    return new Lost.Staged(driver.getFileName().toString(), volume.getFileName().toString());
  }

  private Path directory(Lost.Staged mount) {
    return layout.staging().resolve(mount.driver()).resolve(mount.digest());
  }

  /// Where there is no note, a target tells that something was there: both are made and removed
  /// such that a note stands beside each target. Whether it is mounted is not looked at, nor the
  /// target itself, whose server may be dead (NREC-01).
  private static Optional<Trace> trace(
      Path directory, Path target, Reading reading, Failing failing) throws IOException {
    var note = directory.resolve(Layout.VOL_DATA);
    if (!Files.exists(note))
      return Directories.entries(directory).contains(target)
          ? Optional.of(failing.of(note, "there is none"))
          : Optional.empty();
    try {
      return Optional.of(reading.of(VolData.read(note)));
    } catch (IOException unreadable) {
      return Optional.of(failing.of(note, String.valueOf(unreadable.getMessage())));
    }
  }

  @Override
  public Optional<Noted> noted(Lost mount) {
    return switch (mount) {
      case Lost.Staged staged -> note(directory(staged)).findFirst();
      case Lost.Published(var podUid, var spec) -> note(layout.published(podUid, spec)).findFirst();
      case Lost.Device device -> devices.noted(device);
    };
  }

  @Override
  public Optional<VolumeName> notedElsewhere(Lost.Published mount) {
    try {
      return Directories.entries(layout.pods()).stream()
          .map(pod -> layout.published(pod.getFileName().toString(), mount.spec()))
          .flatMap(KubeletFiles::note)
          .filter(note -> note.form() == Form.CLAIMED)
          .map(Noted::name)
          .findFirst();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static Stream<Noted> note(Path directory) {
    try {
      var note = VolData.read(directory.resolve(Layout.VOL_DATA));
      return Stream.of(new Noted(note.name(), note.form()));
    } catch (IOException unreadable) {
      return Stream.empty();
    }
  }

  @Override
  public Path stagingTarget(VolumeName name) {
    return layout.stagingTarget(name.driver(), name.handle());
  }

  @Override
  public Path publishTarget(String podUid, String spec) {
    return layout.publishTarget(podUid, spec);
  }

  @Override
  public void announceStaging(VolumeName name, String spec, String group) throws IOException {
    var directory = layout.staged(name.driver(), name.handle());
    directories.make(directory);
    VolData.write(directory, VolData.staged(name, group));
    if (mounts.state(stagingTarget(name)) == Mounts.State.MISSING)
      directories.make(stagingTarget(name));
  }

  @Override
  public void removeStaging(VolumeName name) throws IOException {
    var directory = layout.staged(name.driver(), name.handle());
    directories.remove(stagingTarget(name));
    VolData.remove(directory);
    directories.remove(directory);
  }

  @Override
  public void removeStaged(Lost.Staged mount) throws IOException {
    var directory = directory(mount);
    if (noted(mount).isPresent()) throw new IOException(directory + " has a note by now");
    directories.remove(directory.resolve(Layout.STAGING_TARGET));
    removeDamaged(directory);
    directories.remove(directory);
  }

  /// Whoever stages the volume meanwhile writes a note that can be read: what is put aside is
  /// looked at once more, and put back if it is that one.
  private static void removeDamaged(Path directory) throws IOException {
    var note = directory.resolve(Layout.VOL_DATA);
    var aside = directory.resolve(Layout.VOL_DATA + ".damaged");
    if (Files.exists(note)) Files.move(note, aside, StandardCopyOption.ATOMIC_MOVE);
    if (!Files.exists(aside)) return;
    if (isReadable(aside)) {
      Durable.renameToNew(aside, note);
      throw new IOException(directory + " has a note by now");
    }
    Files.delete(aside);
  }

  private static boolean isReadable(Path note) {
    try {
      VolData.read(note);
      return true;
    } catch (IOException damaged) {
      return false;
    }
  }

  @Override
  public void announcePublication(VolumeName name, String podUid, String spec, Form form)
      throws IOException {
    var directory = layout.published(podUid, spec);
    directories.make(directory);
    VolData.write(directory, VolData.published(name, spec, node, form));
  }

  @Override
  public void removeParts(String podUid, String spec) throws IOException {
    parts.remove(podUid, spec);
  }

  @Override
  public void removePublication(String podUid, String spec) throws IOException {
    var directory = layout.published(podUid, spec);
    directories.remove(publishTarget(podUid, spec));
    VolData.remove(directory);
    directories.remove(directory);
  }

  /// Only mounts below our own root count: whoever else shows the same file system elsewhere does
  /// not keep this volume staged (kubernetes#105323).
  @Override
  public List<Path> otherMountsOf(VolumeName name) {
    var table = mounts.table();
    var target = stagingTarget(name);
    return table.at(target).stream()
        .flatMap(
            staged -> table.of(staged.device()).stream().filter(entry -> entry.isSameAs(staged)))
        .map(MountEntry::target)
        .filter(path -> path.startsWith(layout.pods()))
        .toList();
  }

  @Override
  public void own(Path target, FsGroup group) throws IOException {
    new Ownership(group).give(target);
  }
}
