package dev.berth.sidecar.secret;

import java.util.Arrays;
import java.util.stream.Stream;

/// Class parameters that are the sidecars' own and not the driver's.
public final class ClassKeys {
  /// All of them start so; a driver sees none of them (PROV-35).
  public static final String PREFIX = "csi.storage.k8s.io/";

  public static final String FS_TYPE = PREFIX + "fstype";

  /// The Secret for every use that has no parameters of its own.
  static final String DEFAULT_SECRET_NAME = PREFIX + "secret-name";

  static final String DEFAULT_SECRET_NAMESPACE = PREFIX + "secret-namespace";

  /// Whether `key` is one that a class may hold under the prefix.
  public static boolean known(String key) {
    return Stream.concat(
            Stream.of(FS_TYPE, DEFAULT_SECRET_NAME, DEFAULT_SECRET_NAMESPACE),
            Arrays.stream(SecretUse.values())
                .flatMap(use -> Stream.of(use.nameKey(), use.namespaceKey())))
        .anyMatch(key::equals);
  }

  private ClassKeys() {}
}
