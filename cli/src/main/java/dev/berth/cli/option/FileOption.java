package dev.berth.cli.option;

import dev.berth.cli.Problem;
import dev.berth.cli.manifest.Manifest;
import java.util.List;
import picocli.CommandLine.Option;

/// Manifests by `-f`.
public final class FileOption {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description = "File of YAML or JSON with one or more objects; - is standard input.")
  private List<String> files = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "For objects that name none; default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  public List<Manifest> manifests() {
    return manifests(files, namespace);
  }

  public static List<Manifest> manifests(List<String> files, String namespace) {
    try {
      return Manifest.read(files, namespace);
    } catch (Manifest.Broken broken) {
      throw new Problem(String.valueOf(broken.getMessage()));
    }
  }
}
