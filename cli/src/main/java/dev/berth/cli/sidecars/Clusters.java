package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import dev.berth.kube.http.HttpApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Which API server flags of upstream's name.
public final class Clusters {
  private Clusters() {}

  /// A client of its own, for the caller to close.
  ///
  /// @param kubeconfig path of a file; empty: what the surroundings name
  /// @param master URL of the server, whatever the kubeconfig says
  public static HttpApi api(Optional<String> kubeconfig, Optional<String> master) {
    try {
      var file = kubeconfig.map(Path::of);
      if (file.isPresent() && !Files.exists(file.get()))
        throw new Problem("--kubeconfig %s: there is no such file".formatted(file.get()));
      if (master.isPresent()) return HttpApi.at(master.get(), file);
      return file.map(it -> HttpApi.of(it, Optional.empty())).orElseGet(HttpApi::ofSurroundings);
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--kubeconfig: " + wrong.getMessage());
    }
  }
}
