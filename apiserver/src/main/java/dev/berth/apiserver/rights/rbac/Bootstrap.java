package dev.berth.apiserver.rights.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees to it at each start that the roles and bindings that every server has are there, with what
/// they give at least: what somebody took away comes back, what somebody added stays. One whose
/// annotation `rbac.authorization.kubernetes.io/autoupdate` is `false` is left alone.
public final class Bootstrap {
  private static final Logger log = LoggerFactory.getLogger(Bootstrap.class);

  private Bootstrap() {}

  /// Blocks until that is so, or could not be done, which is logged: the server works without.
  public static void ensure(ApiServer api) {
    var writes = missing(api.state());
    var done = new CountDownLatch(writes.size());
    for (var write : writes)
      Thread.startVirtualThread(() -> {
        try {
          if (api.handle(write) instanceof Answer.Refused(var refusal))
            log.warn("a role that every server has: {}", refusal.message());
        } catch (InterruptedException stopping) {
          Thread.currentThread().interrupt();
        } finally {
          done.countDown();
        }
      });
    try {
      done.await();
      Aggregation.bringUpToDate(api);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /// The rules that a cluster role begins with.
  public static List<Rule> rules(String clusterRole) {
    return Policy.items().stream()
        .filter(item -> item.resource().equals(StoredResources.CLUSTER_ROLES))
        .filter(item -> Json.text(item.object().path("metadata"), "name").equals(clusterRole))
        .findFirst()
        .map(item -> Rule.ofRole(item.object()))
        .orElseThrow();
  }

  /// What has to be written, all at once: the writer stores them together.
  static List<Request.Write> missing(State state) {
    var writes = new ArrayList<Request.Write>();
    for (var item : Policy.items()) {
      var metadata = item.object().path("metadata");
      var key = ObjectKey.of(Json.text(metadata, "namespace"), Json.text(metadata, "name"));
      var stored = state.get(item.resource(), key);
      if (stored.isEmpty())
        writes.add(new Request.Create(item.resource(), key.namespace(), item.object()));
      else
        completed(stored.get(), item.object())
            .ifPresent(object -> writes.add(update(item.resource(), key, object)));
    }
    return writes;
  }

  private static Request.Write update(Resource resource, ObjectKey key, ObjectNode object) {
    return new Request.Update(resource, key, Request.Part.MAIN, object);
  }

  /// @return empty: nothing is missing
  private static Optional<ObjectNode> completed(Stored stored, ObjectNode wanted) {
    var object = stored.object().deepCopy();
    var auto = Json.text(object.path("metadata").path("annotations"), Policy.AUTO_UPDATE);
    if (auto.equals("false")) return Optional.empty();
    boolean changed = false;
    if (wanted.has("aggregationRule")) {
      var rule = wanted.path("aggregationRule");
      if (!object.path("aggregationRule").equals(rule)) {
        object.set("aggregationRule", rule);
        changed = true;
      }
    } else {
      var had = Rule.ofRole(object);
      for (var rule : wanted.path("rules")) changed |= addRule(object, had, rule);
    }
    for (var subject : wanted.path("subjects")) changed |= addSubject(object, subject);
    return changed ? Optional.of(object) : Optional.empty();
  }

  private static boolean addRule(ObjectNode role, List<Rule> had, JsonNode wanted) {
    boolean covered =
        Rule.of(wanted).steps().stream()
            .allMatch(step -> had.stream().anyMatch(rule -> rule.covers(step)));
    if (!covered) role.withArray("rules").add(wanted);
    return !covered;
  }

  private static boolean addSubject(ObjectNode binding, JsonNode wanted) {
    for (var subject : binding.path("subjects"))
      if (Json.text(subject, "kind").equals(Json.text(wanted, "kind"))
          && Json.text(subject, "name").equals(Json.text(wanted, "name"))
          && Json.text(subject, "namespace").equals(Json.text(wanted, "namespace"))) return false;
    binding.withArray("subjects").add(wanted);
    return true;
  }
}
