package dev.berth.cli.option;

import dev.berth.cli.Problem;
import dev.berth.kube.http.HttpApi;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// For which cluster a command works that has no stack of its own.
public final class ClusterOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Which API server to ask; by default that of the pod or of KUBECONFIG.")
  private Optional<Path> kubeconfig = Optional.empty();

  /// A client of its own, for the caller to close.
  ///
  /// @param exitCode of the command if no cluster is named, or not by a kubeconfig
  public HttpApi api(int exitCode) {
    try {
      return kubeconfig
          .map(file -> new GivenPath("--kubeconfig", file, exitCode).file())
          .map(file -> HttpApi.of(file, Optional.empty()))
          .orElseGet(HttpApi::ofSurroundings);
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--kubeconfig: " + wrong.getMessage(), exitCode);
    }
  }
}
