package dev.berth.cli.nodeagent;

import static java.time.Duration.ZERO;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.cli.Problem;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Given;
import dev.berth.kube.value.GoDuration;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A KubeletConfiguration: what of it has a meaning here, as the flags that say the same.
final class KubeletConfig {
  private static final int MISUNDERSTOOD = 2;

  private static final Map<String, String> FLAGS =
      Map.ofEntries(
          Map.entry("/maxPods", "max-pods"),
          Map.entry("/healthzPort", "healthz-port"),
          Map.entry("/healthzBindAddress", "healthz-bind-address"),
          Map.entry("/providerID", "provider-id"),
          Map.entry("/containerRuntimeEndpoint", "container-runtime-endpoint"),
          Map.entry("/logging/format", "logging-format"),
          Map.entry("/logging/verbosity", "v"),
          Map.entry("/volumeStatsAggPeriod", "volume-stats-agg-period"),
          Map.entry("/enableServer", "enable-server"),
          Map.entry("/address", "address"),
          Map.entry("/port", "port"),
          Map.entry("/tlsCertFile", "tls-cert-file"),
          Map.entry("/tlsPrivateKeyFile", "tls-private-key-file"),
          Map.entry("/authentication/x509/clientCAFile", "client-ca-file"),
          Map.entry("/authentication/anonymous/enabled", "anonymous-auth"),
          Map.entry("/authorization/mode", "authorization-mode"));

  private static final List<String> SHUTDOWN =
      List.of(
          "shutdownGracePeriod",
          "shutdownGracePeriodCriticalPods",
          "shutdownGracePeriodByPodPriority");

  private KubeletConfig() {}

  /// What the file of `--config` says where the command line says nothing.
  ///
  /// @throws Problem if it is no such file, or says what the flag would not take
  static Given under(Given given) {
    var file = given.find("config").map(Path::of);
    return file.isEmpty() ? given : with(given, file.get(), read(file.get()));
  }

  /// What of the file somebody may count on and has no effect here, in words: a kubelet holds up
  /// the machine's shutdown until its pods have ended (NSHT-01).
  static List<String> withoutEffect(Given given) {
    var file = given.find("config").map(Path::of);
    if (file.isEmpty()) return List.of();
    var config = read(file.get());
    return SHUTDOWN.stream()
        .filter(field -> asks(config.path(field)))
        .map(field ->
            "--config %s: %s has no effect: the machine's shutdown is not held up until pods have ended; drain the node before it"
                .formatted(file.get(), field))
        .toList();
  }

  private static boolean asks(JsonNode value) {
    if (value.isContainerNode()) return !value.isEmpty();
    return value.isTextual() && !GoDuration.parse(value.asText()).equals(Optional.of(ZERO));
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

  private static Given with(Given given, Path file, JsonNode config) {
    var texts = new LinkedHashMap<>(given.texts());
    FLAGS.forEach((path, flag) -> {
      var value = config.at(path);
      if (value.isMissingNode() || value.isNull()) return;
      var text = value.isValueNode() ? value.asText() : value.toString();
      try {
        CommandLines.read(List.of(given.program()), List.of("--%s=%s".formatted(flag, text)));
      } catch (Problem refused) {
        throw new Problem(
            "--config %s: %s: %s".formatted(file, path.substring(1), refused.getMessage()),
            MISUNDERSTOOD);
      }
      texts.putIfAbsent(flag, List.of(text));
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
