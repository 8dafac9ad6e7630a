package dev.berth.apiserver.core.kind.workload;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.storage.VolumeSources;
import java.util.List;

/// The files that a pod's volumes are made of: those of Secrets, ConfigMaps, the pod's own fields
/// and tokens (API-105). None of them lies outside of its volume.
public final class PodFileRules {
  private static final int MOST_MODE = 0777;
  private static final long LEAST_TOKEN_SECONDS = 600;
  private static final long MOST_TOKEN_SECONDS = 1L << 32;

  private PodFileRules() {}

  /// What is wrong with the files of a volume of any kind.
  static void check(Field volume) {
    if (volume.at("secret").isSet()) {
      volume.at("secret").at("secretName").demand();
      checkKeys(volume.at("secret"));
    }
    if (volume.at("configMap").isSet()) {
      volume.at("configMap").at("name").demand();
      checkKeys(volume.at("configMap"));
    }
    if (volume.at("downwardAPI").isSet()) checkFields(volume.at("downwardAPI"));
    if (volume.at("projected").isSet()) checkProjected(volume.at("projected"));
  }

  private static void checkProjected(Field projected) {
    checkMode(projected.at("defaultMode"));
    for (var source : projected.at("sources").elements()) {
      for (var kind : List.of("secret", "configMap")) {
        if (!source.at(kind).isSet()) continue;
        source.at(kind).at("name").demand();
        checkKeys(source.at(kind));
      }
      checkFields(source.at("downwardAPI"));
      if (source.at("serviceAccountToken").isSet()) checkToken(source.at("serviceAccountToken"));
      if (source.at("clusterTrustBundle").isSet())
        checkPath(source.at("clusterTrustBundle").at("path"));
    }
  }

  private static void checkKeys(Field source) {
    checkMode(source.at("defaultMode"));
    for (var item : source.at("items").elements()) {
      item.at("key").demand();
      checkPath(item.at("path"));
      checkMode(item.at("mode"));
    }
  }

  private static void checkFields(Field source) {
    checkMode(source.at("defaultMode"));
    for (var item : source.at("items").elements()) {
      checkPath(item.at("path"));
      checkMode(item.at("mode"));
      boolean field = item.at("fieldRef").isSet();
      boolean resource = item.at("resourceFieldRef").isSet();
      if (!field && !resource) item.required("one of fieldRef and resourceFieldRef is required");
      if (field && resource)
        item.invalid("fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  }

  private static void checkToken(Field token) {
    checkPath(token.at("path"));
    var seconds = token.at("expirationSeconds");
    if (!seconds.isSet()) return;
    if (seconds.node().asLong() < LEAST_TOKEN_SECONDS)
      seconds.invalid("may not specify a duration less than 10 minutes");
    if (seconds.node().asLong() > MOST_TOKEN_SECONDS)
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
  }

  /// A file's place in its volume. What begins with two dots is the node agent's own.
  private static void checkPath(Field path) {
    if (!path.demand()) return;
    checkDescending(path);
    if (path.text().startsWith("..") && !path.text().startsWith("../"))
      path.invalid("must not start with '..'");
  }

  /// A path that leads nowhere but down.
  static void checkDescending(Field path) {
    if (path.text().startsWith("/")) path.invalid("must be a relative path");
    VolumeSources.checkNoStepBack(path);
  }

  private static void checkMode(Field mode) {
    if (!mode.isSet()) return;
    int bits = mode.node().asInt();
    if (bits < 0 || bits > MOST_MODE)
      mode.invalid("must be a number between 0 and 0777 (octal), both inclusive");
  }
}
