package dev.berth.apiserver.http.about;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The level of Kubernetes whose semantics we implement (API-32).
final class Version {
  static final String GIT_VERSION = "v1.37.1+berth";

  private Version() {}

  static ObjectNode info() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("major", "1")
        .put("minor", "37")
        .put("gitVersion", GIT_VERSION)
        .put("gitCommit", "")
        .put("gitTreeState", "clean")
        .put("buildDate", "2026-01-01T00:00:00Z")
        .put("goVersion", "")
        .put("compiler", "javac")
        .put("platform", "linux/" + architecture());
  }

  /// As Go names it.
  private static String architecture() {
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      case String other -> other;
    };
  }
}
