package dev.berth.kube.cache;

/// Order of resource versions: decimal numbers without leading zeros, of any length. Empty is older
/// than all.
public final class Versions {
  private Versions() {}

  public static boolean newer(String version, String than) {
    return version.length() != than.length()
        ? version.length() > than.length()
        : version.compareTo(than) > 0;
  }

  static String newest(String one, String other) {
    return newer(one, other) ? one : other;
  }
}
