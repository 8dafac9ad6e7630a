package dev.berth.cli.nodeagent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A KubeletConfiguration: what of it has a meaning here, as the flags that say the same.
final class KubeletConfig {
  private static final Map<String, String> FLAGS =
      Map.of(
          "/maxPods", "max-pods",
          "/healthzPort", "healthz-port",
          "/healthzBindAddress", "healthz-bind-address",
          "/providerID", "provider-id",
          "/containerRuntimeEndpoint", "container-runtime-endpoint",
          "/logging/format", "logging-format",
          "/logging/verbosity", "v");

  private KubeletConfig() {}

  /// What the file of `--config` says where the command line says nothing.
  ///
  /// @throws Problem if it is no such file
  static Given under(Given given) {
    var file = given.find("config").map(Path::of);
    return file.isEmpty() ? given : with(given, read(file.get()));
  }

  private static JsonNode read(Path file) {
    try {
      var config = new YAMLMapper().readTree(Files.readString(file));
      if (Json.text(config, "kind").equals("KubeletConfiguration")) return config;
    } catch (IOException unreadable) {
      throw new Problem("--config %s: %s".formatted(file, unreadable.getMessage()));
    }
    throw new Problem("--config %s: its kind is not KubeletConfiguration".formatted(file));
  }

  private static Given with(Given given, JsonNode config) {
    var texts = new LinkedHashMap<>(given.texts());
    FLAGS.forEach((path, flag) -> {
      var value = config.at(path);
      if (value.isValueNode()) texts.putIfAbsent(flag, List.of(value.asText()));
    });
    var taints = new ArrayList<String>();
    for (var taint : config.path("registerWithTaints"))
      taints.add(
          "%s=%s:%s"
              .formatted(
                  Json.text(taint, "key"), Json.text(taint, "value"), Json.text(taint, "effect")));
    if (!taints.isEmpty()) texts.putIfAbsent("register-with-taints", taints);
    return new Given(given.program(), texts);
  }
}
