package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import java.util.Set;

/// `--metrics-path`, beside which a process answers probes.
public final class MetricsPath {
  private static final Set<String> OTHERS =
      Set.of("/", "/healthz", "/healthz/leader-election", "/livez", "/readyz");

  private MetricsPath() {}

  /// @throws Problem if metrics cannot be there
  public static String of(String path) {
    if (!path.startsWith("/"))
      throw Problem.ofCommandLine("--metrics-path %s: begin it with /".formatted(path));
    if (OTHERS.contains(path) || path.startsWith("/debug/pprof/"))
      throw Problem.ofCommandLine(
          "--metrics-path %s: something else is served there; write one such as /metrics"
              .formatted(path));
    return path;
  }
}
