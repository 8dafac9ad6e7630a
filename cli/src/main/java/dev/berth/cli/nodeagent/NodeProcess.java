package dev.berth.cli.nodeagent;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.nodeplugin.UntilTold;
import dev.berth.cli.nodeserver.NodeServer;
import dev.berth.cli.nodeserver.ServerSettings;
import dev.berth.cli.sidecars.Clusters;
import dev.berth.cli.sidecars.LogFlags;
import dev.berth.cli.sidecars.ProcessMetrics;
import dev.berth.cli.stack.NodeParts;
import dev.berth.cli.stack.Preflight;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.NodeScopes;
import dev.berth.node.access.OneByOne;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.stats.Summary;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The agent of one node of any cluster, until SIGTERM. What it has mounted and started stays when
/// it ends; the next one takes it over.
public final class NodeProcess implements UntilTold.Served {
  private static final Logger log = LoggerFactory.getLogger(NodeProcess.class);

  /// Where a machine's pods have their logs, whichever agent it has.
  private static final Path POD_LOGS = Path.of("/var/log/pods");

  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final SystemTime time = new SystemTime("node");
  private final RootLock lock;
  private final HttpApi api;
  private final Caches caches;
  private final NodeParts parts;
  private final Optional<TextEndpoint> health;
  private final Optional<NodeServer> server;

  private NodeProcess(Given given) throws IOException, InterruptedException {
    var settings = new NodeSettings(given);
    var layout = settings.layout();
    lock = RootLock.take(layout.root());
    api = Clusters.api(given.find("kubeconfig"), Optional.empty());
    var runtime = OpenRuntime.of(RuntimeChoice.of(RuntimeChoice.asked(given), layout), layout);
    var facts = settings.facts(api.server(), runtime.version());
    caches = new Caches(new OneByOne(api, time), time, NodeScopes.of(facts.name()));
    caches.start();
    var place = new NodeParts.Place(layout, new LogLayout(POD_LOGS));
    var apiServer =
        InetSocketAddress.createUnresolved(api.server().getHost(), NodeSettings.port(api.server()));
    var measured = new LoopMetrics(metrics);
    parts =
        new NodeParts(
            facts, place, runtime.runtime(), caches, time, measured, Optional.of(apiServer));
    health = settings.health().flatMap(this::listen);
    server = serving(given, layout.root(), facts);
    parts.start();
    parts.measure(metrics);
    var stats = given.time("volume-stats-agg-period");
    if (stats.isPositive()) parts.stats().start(stats);
    log.info(
        "node {} at {}, below {}, on {}",
        facts.name(),
        facts.address().getHostAddress(),
        layout.root(),
        api.server());
  }

  /// Serves until the process is told to end: does not return.
  ///
  /// @param command as the user calls it
  /// @throws Problem if something of the command line, or of the machine, cannot be
  public static int run(Given line, String command) throws InterruptedException {
    var given = KubeletConfig.under(line);
    LogFlags.obey(given);
    KubeletConfig.withoutEffect(line).forEach(log::warn);
    if (given.find("kubeconfig").isEmpty())
      throw Problem.ofCommandLine("--kubeconfig is required: pods come from an API server alone");
    new NodeSettings(given).check();
    ServerSettings.check(given);
    Preflight.checkMachine();
    log.info("{}, as {}", command, given.program().matched());
    return UntilTold.serve(() -> new NodeProcess(given));
  }

  /// A port that is taken keeps no pod waiting.
  private Optional<TextEndpoint> listen(InetSocketAddress address) {
    ProcessMetrics.register(metrics);
    try {
      var http = new TextEndpoint(address);
      http.serve("/healthz", () -> Text.OK);
      http.serve("/livez", () -> Text.OK);
      http.serve("/readyz", this::ready);
      http.serveMetrics("/metrics", metrics);
      return Optional.of(http);
    } catch (IOException taken) {
      log.warn("no probes are answered on {}: {}", address, taken.getMessage());
      return Optional.empty();
    }
  }

  /// As with probes: no port keeps a pod waiting.
  private Optional<NodeServer> serving(Given given, Path root, NodeFacts facts) {
    if (ServerSettings.port(given) == 0) return Optional.empty();
    var settings = new ServerSettings(given, root, facts.address());
    try {
      return Optional.of(
          NodeServer.start(
              settings,
              api,
              facts.name(),
              parts.door(),
              new NodeServer.Told(
                  metrics, () -> Summary.of(facts.name(), parts.stats().now()).toString())));
    } catch (IOException failed) {
      log.warn(
          "nobody reaches into containers, nor reads their logs, through an API server: port {} of"
              + " --port is not served: {}",
          ServerSettings.port(given),
          failed.getMessage());
      return Optional.empty();
    }
  }

  private Text ready() {
    var awaited = caches.unfilled();
    if (awaited.isEmpty()) return Text.OK;
    var refused = caches.refused();
    return new Text(
        503,
        awaited.stream()
            .map(kind ->
                "not yet read from the API server: %s %s"
                    .formatted(kind.resource().groupResource(), refused.getOrDefault(kind, ""))
                    .strip())
            .sorted()
            .collect(Collectors.joining("\n")));
  }

  @Override
  public void close() {
    health.ifPresent(TextEndpoint::close);
    server.ifPresent(NodeServer::close);
    parts.stop();
    parts.close();
    caches.close();
    api.close();
    time.close();
    lock.close();
  }
}
