package dev.berth.kube.model;

/// How many nodes may use a volume, and how.
public enum AccessMode {
  READ_WRITE_ONCE("ReadWriteOnce", "RWO"),
  READ_ONLY_MANY("ReadOnlyMany", "ROX"),
  READ_WRITE_MANY("ReadWriteMany", "RWX"),
  READ_WRITE_ONCE_POD("ReadWriteOncePod", "RWOP");

  private final String text;
  private final String brief;

  AccessMode(String text, String brief) {
    this.text = text;
    this.brief = brief;
  }

  /// As it stands in objects.
  public String text() {
    return text;
  }

  /// As tables print it.
  public String brief() {
    return brief;
  }

  /// @throws IllegalArgumentException if Kubernetes has no such mode
  public static AccessMode of(String text) {
    for (var mode : values()) if (mode.text.equals(text)) return mode;
    throw new IllegalArgumentException("\"" + text + "\" is no access mode");
  }
}
