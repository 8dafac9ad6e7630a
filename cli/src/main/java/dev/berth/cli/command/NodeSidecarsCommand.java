package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.nodeplugin.NodeSidecars;
import dev.berth.cli.sidecars.MetricsPath;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.kube.value.GoDuration;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "node-sidecars",
    description = {
      "Registers CSI drivers with the kubelet of this node and answers liveness probes for them:"
          + " what node-driver-registrar and livenessprobe do, for one driver or several, in one"
          + " process. Runs beside the drivers' node plugins until SIGTERM; drivers may come and"
          + " go.",
      "A driver of `berth driver` needs none of this: it does both itself."
    },
    footer = {
      "",
      "Over HTTP: /readyz (all drivers answer and are registered), /livez and /healthz (this"
          + " process), /driverz/NAME (as livenessprobe answers for that driver), /livez/NAME"
          + " (fails only if the driver has failed for 10 s), /healthz/registration/NAME (as"
          + " node-driver-registrar answers) and metrics.",
      "",
      "Example:",
      "  berth node-sidecars --csi-address /csi/csi.sock"
          + " --kubelet-registration-path /var/lib/kubelet/plugins/d.example/csi.sock"
    })
final class NodeSidecarsCommand implements Callable<Integer> {
  @Option(
      names = "--csi-address",
      paramLabel = "SOCKET",
      required = true,
      description = "A driver's socket, with or without unix://; once for each driver.")
  private List<String> sockets = new ArrayList<>();

  @Option(
      names = "--kubelet-registration-path",
      paramLabel = "PATH",
      required = true,
      description =
          "The same socket as the kubelet reaches it; once for each driver, in that order.")
  private List<String> kubeletPaths = new ArrayList<>();

  @Option(
      names = "--plugin-registration-path",
      paramLabel = "DIR",
      defaultValue = "/registration",
      description = "The kubelet's folder plugins_registry; default: ${DEFAULT-VALUE}.")
  private Path registry = Path.of("/registration");

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Times.class,
      description = "How long a driver may take to say who it is; default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--probe-timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      converter = Times.class,
      description = "How long a driver may take to answer a probe; default: ${DEFAULT-VALUE}.")
  private Duration probeTimeout = Duration.ZERO;

  @Option(
      names = "--http-endpoint",
      paramLabel = "HOST:PORT",
      description = "Where probes and metrics are answered; by default nowhere.")
  private Optional<String> http = Optional.empty();

  @Option(
      names = "--metrics-path",
      paramLabel = "PATH",
      defaultValue = "/metrics",
      description = "Where metrics are; default: ${DEFAULT-VALUE}.")
  private String metricsPath = "";

  private static final class Times implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return GoDuration.parse(text)
          .filter(Duration::isPositive)
          .orElseThrow(() ->
              new TypeConversionException("write a time such as 15s, 1m30s or 250ms, not " + text));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (sockets.size() != kubeletPaths.size())
      throw new Problem(
          "%d times --csi-address, %d times --kubelet-registration-path; give each driver both"
              .formatted(sockets.size(), kubeletPaths.size()),
          2);
    var options =
        new NodeSidecars.Options(
            drivers(),
            registry,
            timeout,
            probeTimeout,
            http.map(this::address),
            MetricsPath.of(metricsPath));
    return NodeSidecars.run(options);
  }

  private List<NodeSidecars.Driver> drivers() {
    try {
      return IntStream.range(0, sockets.size())
          .mapToObj(each ->
              new NodeSidecars.Driver(
                  SocketPath.ofEndpoint(sockets.get(each)), kubeletPaths.get(each)))
          .toList();
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--csi-address: " + wrong.getMessage(), 2);
    }
  }

  private InetSocketAddress address(String text) {
    try {
      return TextEndpoint.address(text);
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--http-endpoint %s: write HOST:PORT or :PORT".formatted(text), 2);
    }
  }
}
