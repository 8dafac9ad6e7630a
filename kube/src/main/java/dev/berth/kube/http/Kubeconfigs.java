package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.value.Json;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The files that say which cluster is asked, and as whom. A context that is not there is refused:
/// the library would take the current one, and so another cluster than was meant.
final class Kubeconfigs {
  private Kubeconfigs() {}

  static Config read(Path file, Optional<String> context) {
    var tree = tree(file);
    check(List.of(file), List.of(tree), context);
    try {
      return Files.readString(file).stripLeading().startsWith("{")
          ? Config.fromKubeconfig(inOneLine(tree, file, context))
          : Config.fromKubeconfig(context.orElse(null), file.toFile());
    } catch (IOException | RuntimeException unreadable) { // they repeat the file, tokens too
      throw noKubeconfig(file);
    }
  }

  static Config ofSurroundings(Optional<String> context) {
    var named =
        Config.getKubeconfigFilenames().stream()
            .filter(name -> !name.isEmpty())
            .map(Path::of)
            .toList();
    var files = named.stream().filter(Files::isRegularFile).toList();
    if (files.isEmpty() && (context.isPresent() || !isInPod())) throw none(named, context);
    if (!files.isEmpty()) check(files, files.stream().map(Kubeconfigs::tree).toList(), context);
    return Config.autoConfigure(context.orElse(null));
  }

  private static boolean isInPod() {
    return System.getenv("KUBERNETES_SERVICE_HOST") != null;
  }

  private static IllegalArgumentException none(List<Path> named, Optional<String> context) {
    var missing = "there is no kubeconfig " + joined(named);
    if (context.isPresent() || System.getenv("KUBECONFIG") != null)
      return new IllegalArgumentException(missing);
    return new NoCluster("no cluster is named: give a kubeconfig, set KUBECONFIG, or run in a pod");
  }

  private static String joined(List<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /// Of several files the first one that names a current context counts, as with kubectl.
  private static void check(List<Path> files, List<ObjectNode> trees, Optional<String> context) {
    var names = new TreeSet<String>();
    for (var tree : trees)
      for (var each : tree.path("contexts")) names.add(Json.text(each, "name"));
    var wanted =
        context.or(() ->
            trees.stream()
                .map(tree -> Json.text(tree, "current-context"))
                .filter(name -> !name.isEmpty())
                .findFirst());
    if (wanted.filter(names::contains).isPresent()) return;
    var where = joined(files);
    if (names.isEmpty()) throw new IllegalArgumentException(where + " names no cluster");
    var there = "; there are: " + String.join(", ", names);
    throw new IllegalArgumentException(
        wanted
                .map(name -> "there is no context \"%s\" in %s".formatted(name, where))
                .orElse("%s says no current context".formatted(where))
            + there);
  }

  private static ObjectNode tree(Path file) {
    try {
      JsonNode tree = new YAMLMapper().readTree(Files.readString(file));
      if (tree instanceof ObjectNode config) return config;
    } catch (IOException | RuntimeException unreadable) { // they repeat the file, tokens too
      throw noKubeconfig(file);
    }
    throw noKubeconfig(file);
  }

  private static IllegalArgumentException noKubeconfig(Path file) {
    return new IllegalArgumentException(file + " is no kubeconfig");
  }

  /// The library takes whatever begins with a brace for JSON. YAML in one line does, too.
  private static String inOneLine(ObjectNode config, Path kubeconfig, Optional<String> context) {
    context.ifPresent(name -> config.put("current-context", name));
    for (var file : List.of("certificate-authority", "client-certificate", "client-key"))
      for (var holder : config.findParents(file))
        ((ObjectNode) holder)
            .put(file, kubeconfig.resolveSibling(holder.path(file).asText()).toString());
    return config.toString();
  }
}
