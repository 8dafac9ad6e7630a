package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.nodeplugin.DriverRegistrar;
import dev.berth.cli.nodeplugin.LivenessProbe;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.process.HttpPlaces;
import dev.berth.driver.process.TextEndpoint;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/// What stands beside a driver's node plugin, by upstream's command lines.
public final class NodePrograms {
  private NodePrograms() {}

  /// LIV-03. Serves until the process is told to end.
  ///
  /// @throws Problem if something of the command line cannot be
  public static int livenessProbe(Given given) throws InterruptedException {
    LogFlags.obey(given);
    var http = given.find("http-endpoint");
    var metrics = given.find("metrics-address");
    if (http.isPresent() && given.has("health-port"))
      throw Problem.ofCommandLine("only one of --health-port and --http-endpoint can be set");
    if (http.isPresent() && metrics.isPresent())
      throw Problem.ofCommandLine("only one of --metrics-address and --http-endpoint can be set");
    var health = http.orElse("0.0.0.0:" + given.text("health-port"));
    try {
      return LivenessProbe.run(
          new LivenessProbe.Options(
              socket(given),
              given.time("probe-timeout"),
              new HttpPlaces(
                  Optional.of(address(health)),
                  http.or(() -> metrics).map(NodePrograms::address),
                  given.text("metrics-path"))));
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine(String.valueOf(wrong.getMessage()));
    }
  }

  /// REG-06. Serves until the process is told to end, or the kubelet refuses.
  ///
  /// @throws Problem if something of the command line cannot be
  public static int registrar(Given given) throws InterruptedException {
    LogFlags.obey(given);
    var path =
        given
            .find("kubelet-registration-path")
            .orElseThrow(() -> Problem.ofCommandLine("--kubelet-registration-path is required"));
    if (given.text("mode").equals("kubelet-registration-probe")) return 0;
    int port = given.whole("health-port");
    var http = given.find("http-endpoint");
    if (port > 0 && http.isPresent())
      throw Problem.ofCommandLine("only one of --health-port and --http-endpoint can be set");
    return DriverRegistrar.run(
        new DriverRegistrar.Options(
            socket(given),
            path,
            Path.of(given.text("plugin-registration-path")),
            given.time("timeout"),
            http.or(() -> port > 0 ? Optional.of(":" + port) : Optional.empty())
                .map(NodePrograms::address),
            given.isOn("enable-pprof")));
  }

  private static SocketPath socket(Given given) {
    try {
      return SocketPath.ofEndpoint(given.text("csi-address"));
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine("--csi-address: " + wrong.getMessage());
    }
  }

  private static InetSocketAddress address(String text) {
    try {
      return TextEndpoint.address(text);
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine("%s is no address: write HOST:PORT or :PORT".formatted(text));
    }
  }
}
