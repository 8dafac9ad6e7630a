package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.value.Json;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files that say which cluster is asked, and as whom. A context that is not there is refused:
/// the library would take the current one, and so another cluster than was meant.
final class Kubeconfigs {
  private static final Logger log = LoggerFactory.getLogger(Kubeconfigs.class);

  private Kubeconfigs() {}

  static Given read(Path file, Optional<String> context) {
    return read(file, context, System::getenv);
  }

  static Given read(Path file, Optional<String> context, UnaryOperator<String> variables) {
    return Contexts.read(List.of(file), context).proxied(variables);
  }

  static Given ofSurroundings(Optional<String> context) {
    var named =
        Config.getKubeconfigFilenames().stream()
            .filter(name -> !name.isEmpty())
            .map(Path::of)
            .toList();
    var told = System.getenv("KUBECONFIG");
    return ofSurroundings(
        new Surroundings(
            named,
            told != null && !told.isEmpty(),
            System.getenv("KUBERNETES_SERVICE_HOST") != null),
        context);
  }

  /// Where we run.
  ///
  /// @param named where a kubeconfig may be
  /// @param told whether somebody said so
  /// @param inPod whether there is a service account to fall back to
  record Surroundings(List<Path> named, boolean told, boolean inPod) {}

  static Given ofSurroundings(Surroundings here, Optional<String> context) {
    var files = here.named().stream().filter(Files::isRegularFile).toList();
    if (files.isEmpty() && (context.isPresent() || here.told() || !here.inPod()))
      throw none(here, context);
    if (files.isEmpty()) return ofPod();
    if (here.told())
      here.named().stream()
          .filter(file -> !files.contains(file))
          .forEach(file -> log.warn("KUBECONFIG names {}, which is no file", file));
    return inside(Contexts.read(files, context));
  }

  /// With what variables and properties say, but of proxies, for which the library has ways of its
  /// own.
  private static Given inside(Given given) {
    var config = given.config();
    var proxy = config.getHttpsProxy();
    Config.configFromSysPropsOrEnvVars(config);
    config.setHttpsProxy(proxy);
    return new Given(
            config,
            given.files(),
            given.until(),
            given.asked(),
            given.proxyNamed(),
            () -> inside(given.again().get()))
        .proxied(System::getenv);
  }

  private static Given ofPod() {
    var config = Config.autoConfigure(null);
    var files = new ArrayList<>(Given.files(config));
    files.add(
        Path.of(
            Optional.ofNullable(
                    System.getProperty(
                        Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY))
                .orElse(Config.KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH)));
    return new Given(config, files, Optional.empty(), false, false, Kubeconfigs::ofPod)
        .proxied(System::getenv);
  }

  private static IllegalArgumentException none(Surroundings here, Optional<String> context) {
    var missing = "there is no kubeconfig " + joined(here.named());
    if (context.isPresent() || here.told()) return new IllegalArgumentException(missing);
    return new NoCluster("no cluster is named: give a kubeconfig, set KUBECONFIG, or run in a pod");
  }

  private static String joined(List<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /// The context that counts: of several files the first one that names a current context says it,
  /// as with kubectl.
  static String context(List<Path> files, List<ObjectNode> trees, Optional<String> context) {
    var names = new TreeSet<String>();
    for (var tree : trees)
      for (var each : tree.path("contexts")) names.add(Json.text(each, "name"));
    var wanted =
        context.or(() ->
            trees.stream()
                .map(tree -> Json.text(tree, "current-context"))
                .filter(name -> !name.isEmpty())
                .findFirst());
    if (wanted.filter(names::contains).isPresent()) return wanted.get();
    var where = joined(files);
    if (names.isEmpty()) throw new IllegalArgumentException(where + " names no cluster");
    var there = "; there are: " + String.join(", ", names);
    throw new IllegalArgumentException(
        wanted
                .map(name -> "there is no context \"%s\" in %s".formatted(name, where))
                .orElse("%s says no current context".formatted(where))
            + there);
  }

  static ObjectNode tree(Path file) {
    try {
      JsonNode tree = new YAMLMapper().readTree(Files.readString(file));
      if (tree instanceof ObjectNode config) return config;
    } catch (IOException | RuntimeException unreadable) { // they repeat the file, tokens too
      throw noKubeconfig(file);
    }
    throw noKubeconfig(file);
  }

  static IllegalArgumentException noKubeconfig(Path file) {
    return new IllegalArgumentException(file + " is no kubeconfig");
  }
}
