package dev.berth.kube.model;

import java.util.Optional;

/// A volume as nodes know it, by driver and handle, whatever its PersistentVolume is called
/// (AD-01).
///
/// Written `kubernetes.io/csi/<driver>^<handle>` in a node's `volumesInUse` and `volumesAttached`.
/// A handle may hold `^`: a driver's name cannot.
public record VolumeName(String driver, String handle) implements Comparable<VolumeName> {
  private static final String PREFIX = "kubernetes.io/csi/";

  public static VolumeName of(Volume.CsiSource source) {
    return new VolumeName(source.driver(), source.handle());
  }

  /// Reads the written form; empty: the text names no CSI volume.
  public static Optional<VolumeName> parse(String text) {
    int caret = text.indexOf('^');
    if (!text.startsWith(PREFIX) || caret < PREFIX.length()) return Optional.empty();
    return Optional.of(
        new VolumeName(text.substring(PREFIX.length(), caret), text.substring(caret + 1)));
  }

  /// Name of the VolumeAttachment of this volume to a node (AD-02).
  public String attachment(String node) {
    return Attachment.name(handle, driver, node);
  }

  @Override
  public int compareTo(VolumeName other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return PREFIX + driver + "^" + handle;
  }
}
