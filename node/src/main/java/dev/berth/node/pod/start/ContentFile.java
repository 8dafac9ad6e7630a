package dev.berth.node.pod.start;

/// One file of a volume that shows an object's content. May be a secret: never shown in a text.
public final class ContentFile {
  private final String path;
  private final byte[] bytes;
  private final int mode;

  /// @param path relative, without `..`
  /// @param mode permission bits
  public ContentFile(String path, byte[] bytes, int mode) {
    this.path = path;
    this.bytes = bytes.clone();
    this.mode = mode;
  }

  public String path() {
    return path;
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int mode() {
    return mode;
  }

  @Override
  public String toString() {
    return path;
  }
}
