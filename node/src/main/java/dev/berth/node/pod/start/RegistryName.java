package dev.berth.node.pod.start;

import java.util.List;

/// The registry, or the part of one, for which a login is good.
///
/// @param host its labels from left to right, each of which may be a `*`, with the port
/// @param path of the images; empty: all of them
record RegistryName(List<String> host, String path) {
  private static final String HUB = "docker.io";

  /// @param key of `auths`: `registry.example`, `*.example/team`, `https://index.docker.io/v1/`
  static RegistryName of(String key) {
    var name = key.replaceFirst("^https?://", "");
    int slash = name.indexOf('/');
    var host = slash < 0 ? name : name.substring(0, slash);
    var path = slash < 0 ? "" : name.substring(slash + 1).replaceFirst("/+$", "");
    // These stood for versions of the registry's own interface, and for no images.
    if (path.matches("v[12]")) path = "";
    return new RegistryName(labels(host), path);
  }

  private static List<String> labels(String host) {
    return List.of((host.equals("index." + HUB) ? HUB : host).split("\\.", -1));
  }

  /// @param image as in a pod; without a registry: of Docker's own
  boolean fits(String image) {
    int slash = image.indexOf('/');
    var first = slash < 0 ? "" : image.substring(0, slash);
    boolean named = first.contains(".") || first.contains(":") || first.equals("localhost");
    var registry = labels(named ? first : HUB);
    var rest = named ? image.substring(slash + 1) : slash < 0 ? "library/" + image : image;
    if (registry.size() != host.size()) return false;
    for (int i = 0; i < host.size(); i++)
      if (!host.get(i).equals("*") && !host.get(i).equals(registry.get(i))) return false;
    return rest.startsWith(path);
  }
}
