package dev.berth.apiserver.tls;

import java.util.Comparator;

/// Which ciphers the server would rather use.
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
}
