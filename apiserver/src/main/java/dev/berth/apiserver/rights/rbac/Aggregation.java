package dev.berth.apiserver.rights.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.WatchAnswer;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the rules of roles that are made of others (`aggregationRule`) what those others say.
public final class Aggregation implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Aggregation.class);
  private static final Duration PATIENCE = Duration.ofHours(1);

  /// Between the end of a watch and the next.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// A role may go into one that goes into another.
  private static final int MOST_ROUNDS = 8;

  private final ApiServer api;
  private final Thread thread;
  private volatile boolean closed;

  private Aggregation(ApiServer api) {
    this.api = api;
    this.thread = Thread.ofVirtual().name("aggregated roles").unstarted(this::run);
  }

  /// Follows the roles until closed.
  public static Aggregation start(ApiServer api) {
    var aggregation = new Aggregation(api);
    aggregation.thread.start();
    return aggregation;
  }

  private void run() {
    try {
      while (!closed) {
        followOnce();
        if (!closed) Thread.sleep(PAUSE);
      }
    } catch (InterruptedException stopping) {
      log.debug("no longer follows roles");
    }
  }

  private void followOnce() throws InterruptedException {
    try {
      follow();
    } catch (RuntimeException defect) {
      log.error("roles that are made of others are followed anew", defect);
    }
  }

  /// Until the watch ends, or if there is none.
  private void follow() throws InterruptedException {
    var revision = String.valueOf(api.revision());
    var request =
        new WatchRequest(StoredResources.CLUSTER_ROLES, "", ListOptions.ALL.from(revision));
    if (!(api.watch(request) instanceof WatchAnswer.Streaming(var stream))) {
      log.warn("cluster roles cannot be watched; they are followed anew");
      return;
    }
    try (stream) {
      bringUpToDate(api);
      while (!closed && !stream.closed()) {
        if (stream.next(PATIENCE).isEmpty()) continue;
        while (stream.poll().isPresent()) continue; // one look sees all of them
        bringUpToDate(api);
      }
    }
  }

  /// Writes what has changed.
  static void bringUpToDate(ApiServer api) throws InterruptedException {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      boolean changed = false;
      var state = api.state();
      for (var role : state.list(StoredResources.CLUSTER_ROLES)) {
        var rules = rules(role, state);
        if (rules.isEmpty() || role.object().path("rules").equals(rules.get())) continue;
        var object = role.object().deepCopy();
        object.set("rules", rules.get());
        var write =
            new Request.Update(
                StoredResources.CLUSTER_ROLES, role.key(), Request.Part.MAIN, object);
        changed |= !(api.handle(write) instanceof Answer.Refused);
      }
      if (!changed) return;
    }
  }

  /// @return empty: the role is made of no others
  private static Optional<ArrayNode> rules(Stored role, State state) {
    var selectors = role.object().path("aggregationRule").path("clusterRoleSelectors");
    if (selectors.isEmpty()) return Optional.empty();
    var rules = new LinkedHashSet<JsonNode>();
    for (var selector : selectors)
      for (var each : state.list(StoredResources.CLUSTER_ROLES))
        if (!each.key().equals(role.key()) && selects(selector, each))
          each.object().path("rules").forEach(rules::add);
    return Optional.of(JsonNodeFactory.instance.arrayNode().addAll(rules));
  }

  private static boolean selects(JsonNode selector, Stored role) {
    var labels = role.object().path("metadata").path("labels");
    for (var wanted : selector.path("matchLabels").properties())
      if (!labels.has(wanted.getKey())
          || !Json.text(labels, wanted.getKey()).equals(wanted.getValue().asText())) return false;
    for (var expression : selector.path("matchExpressions"))
      if (!holds(expression, labels)) return false;
    return true;
  }

  private static boolean holds(JsonNode expression, JsonNode labels) {
    var key = Json.text(expression, "key");
    boolean among = false;
    for (var value : expression.path("values"))
      among |= labels.has(key) && value.asText().equals(Json.text(labels, key));
    return switch (Json.text(expression, "operator")) {
      case "In" -> among;
      case "NotIn" -> !among;
      case "Exists" -> labels.has(key);
      case "DoesNotExist" -> !labels.has(key);
      default -> false;
    };
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
