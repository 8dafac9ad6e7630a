package dev.berth.kube.http;

import java.util.Arrays;
import java.util.Comparator;

/// Which ciphers we would rather use, as a server and as a client: Kubernetes' servers, which are
/// Go's, take ChaCha20 from a client that names it before AES, and AES otherwise.
public final class Ciphers {
  /// Names of suites, the best first. C1 knows no machine instructions for AES, and what it makes
  /// of ChaCha20 is three to four times as fast (docs/decisions/c1-only.md); with C2 it is the
  /// reverse.
  public static final Comparator<String> ORDER = order(System.getProperty("java.vm.info", ""));

  private Ciphers() {}

  /// @param machine what the JVM says of itself
  static Comparator<String> order(String machine) {
    boolean c1Only = machine.contains("emulated-client");
    return Comparator.comparing(suite -> c1Only && !suite.contains("CHACHA20"));
  }

  /// The same suites, the best first.
  static String[] sorted(String[] suites, Comparator<String> order) {
    return Arrays.stream(suites).sorted(order).toArray(String[]::new);
  }
}
