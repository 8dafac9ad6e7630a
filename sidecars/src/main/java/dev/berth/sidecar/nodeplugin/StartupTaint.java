package dev.berth.sidecar.nodeplugin;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the taint `<driver>/agent-not-ready` off a node once the kubelet knows the driver there
/// and how many of its volumes fit (PRA-03). Who gives new nodes that taint has no pod on them
/// before its volumes can be counted and mounted (kubernetes/kubernetes#95911).
public final class StartupTaint {
  private static final Logger log = LoggerFactory.getLogger(StartupTaint.class);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /// What the last try gets, if the server does not answer.
  private static final Duration LAST_TRY = Duration.ofMinutes(2);

  /// What came of it.
  public enum Outcome {
    REMOVED,
    /// The node has no such taint.
    ABSENT,
    /// This process may not look at the node or change it: then this is somebody else's work.
    FORBIDDEN,
    /// The driver was not counted in time, and the last try failed too.
    GAVE_UP
  }

  private final Api api;
  private final String driver;
  private final ObjectKey node;
  private final Duration longest;

  /// @param node name of the Node that this process is on
  public StartupTaint(Api api, String driver, String node) {
    this(api, driver, node, LONGEST);
  }

  StartupTaint(Api api, String driver, String node, Duration longest) {
    this.api = api;
    this.driver = driver;
    this.node = ObjectKey.cluster(node);
    this.longest = longest;
  }

  /// Returns when it is done, one way or the other: after 10 minutes and one last try.
  public Outcome remove() throws InterruptedException {
    var outcome = attempt();
    switch (outcome) {
      case REMOVED -> log.info("node {} has no {} any more: pods may come", node.name(), key());
      case GAVE_UP ->
          log.warn(
              "node {} still has the taint {}: {} was not counted there within {}; look whether the"
                  + " kubelet has registered it",
              node.name(),
              key(),
              driver,
              longest);
      case ABSENT, FORBIDDEN -> log.debug("the taint {}: {}", key(), outcome);
    }
    return outcome;
  }

  private String key() {
    return TaintDecision.key(driver);
  }

  private Outcome attempt() throws InterruptedException {
    try {
      new Sight(api).requireAllowed(Kinds.CSI_NODE);
      if (!new TaintEffects(api, driver, node).mayHaveIt()) return Outcome.ABSENT;
    } catch (ApiException forbidden) {
      return Outcome.FORBIDDEN;
    }
    var scopes = List.of(Scope.one(Kinds.CSI_NODE, node)); // the node itself it may only get
    try (var time = new SystemTime("startup-taint");
        var caches = new Caches(api, time, scopes)) {
      var effects = new TaintEffects(caches.api(), driver, node);
      var loop =
          new Loop<>(
              new Controller<>(new TaintDecision(driver, node, time.now().plus(longest)), effects),
              caches,
              Sources.of(effects.source()),
              time,
              EventRecorder.SILENT,
              Pace.SIDECAR,
              new LoopMetrics(new PrometheusRegistry()));
      loop.start();
      caches.start();
      try {
        return effects.outcome().get(longest.plus(LAST_TRY).toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException _) {
        return Outcome.GAVE_UP;
      } catch (ExecutionException broken) {
        throw new IllegalStateException(broken);
      } finally {
        loop.stop().join();
      }
    }
  }
}
