package dev.berth.linux.file;

/// A device by its two numbers, as mountinfo and sysfs write it: `7:3`.
public record DeviceNumber(int major, int minor) {
  /// Reads the two numbers.
  ///
  /// @param text such as `7:3`
  public static DeviceNumber parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) throw new IllegalArgumentException("not a device number: " + text);
    return new DeviceNumber(
        Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
  }

  /// Takes apart what [#packed] put together.
  public static DeviceNumber unpacked(long packed) {
    return new DeviceNumber(
        (int) ((packed >> 8) & 0xfff), (int) ((packed & 0xff) | ((packed >> 12) & 0xfff00)));
  }

  /// The one number into which the kernel's interfaces pack both.
  public long packed() {
    return (minor & 0xffL) | ((long) major << 8) | ((minor & ~0xffL) << 12);
  }

  @Override
  public String toString() {
    return major + ":" + minor;
  }
}
