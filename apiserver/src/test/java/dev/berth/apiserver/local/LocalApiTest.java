package dev.berth.apiserver.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The in-process client, on a server in one thread whose deliveries the test carries out.
class LocalApiTest {
  private static final ObjectKey DATA = ObjectKey.of("default", "data");

  private final Queue<Runnable> deliveries = new ArrayDeque<>();
  private EmbeddedApiServer server;
  private Api api;

  @BeforeEach
  void start() throws Exception {
    var noon = InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z"));
    server = EmbeddedApiServer.inOneThread(new MemoryStore(), noon, new Ids(new Random(1)));
    api = new LocalApi(server, deliveries::add);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void whatWasCreatedIsThere() {
    var created = api.create(Resources.CLAIMS, claim("data"));
    assertThat(api.get(Resources.CLAIMS, DATA)).isEqualTo(created);
    assertThat(api.list(Resources.CLAIMS, "", Selector.ALL).items()).containsExactly(created);
    assertThat(api.list(Resources.CLAIMS, "other", Selector.ALL).items()).isEmpty();
  }

  @Test
  void aRefusalIsTheServersOwn() {
    assertThatThrownBy(() -> api.get(Resources.CLAIMS, DATA))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.isNotFound()).isTrue())
        .hasMessage("persistentvolumeclaims \"data\" not found");
  }

  @Test
  void aDeletedObjectIsGoneOrWaitsForItsFinalizers() {
    api.create(Resources.CLAIMS, claim("data"));
    assertThat(api.delete(Resources.CLAIMS, DATA, DeleteOptions.DEFAULT).gone()).isFalse();
    api.patch(Resources.CLAIMS, DATA, Patch.merge(World.yaml("{metadata: {finalizers: null}}")));
    assertThatThrownBy(() -> api.get(Resources.CLAIMS, DATA)).hasMessageContaining("not found");
  }

  @Test
  void aWatchShowsEveryWriteInOrder() {
    var seen = new Recorder();
    var listing = api.list(Resources.CLAIMS, "", Selector.ALL);
    api.create(Resources.CLAIMS, claim("early"));
    try (var _ = api.watch(Resources.CLAIMS, "", Selector.ALL, listing.resourceVersion(), seen)) {
      api.create(Resources.CLAIMS, claim("data"));
      api.patch(Resources.CLAIMS, DATA, Patch.merge(World.yaml("{metadata: {labels: {a: b}}}")));
      deliver();
      api.patch(Resources.CLAIMS, DATA, Patch.merge(World.yaml("{metadata: {finalizers: null}}")));
      api.delete(Resources.CLAIMS, DATA, DeleteOptions.DEFAULT);
      deliver();
    }
    assertThat(seen.events)
        .containsExactly(
            "added early", "added data", "modified data", "modified data", "deleted data");
  }

  @Test
  void aWatcherThatFailsSeesTheNextEvent() {
    var seen =
        new Recorder() {
          @Override
          public void added(ObjectNode object) {
            super.added(object);
            if (object.path("metadata").path("name").asText().equals("early"))
              throw new StackOverflowError("broken");
          }
        };
    try (var _ = api.watch(Resources.CLAIMS, "", Selector.ALL, "", seen)) {
      api.create(Resources.CLAIMS, claim("early"));
      api.create(Resources.CLAIMS, claim("data"));
      deliver();
      api.patch(Resources.CLAIMS, DATA, Patch.merge(World.yaml("{metadata: {labels: {a: b}}}")));
      deliver();
    }
    assertThat(seen.events).containsExactly("added early", "added data", "modified data");
  }

  @Test
  void aClosedWatchShowsNothingMore() {
    var seen = new Recorder();
    var watch = api.watch(Resources.CLAIMS, "", Selector.ALL, "", seen);
    api.create(Resources.CLAIMS, claim("data"));
    watch.close();
    deliver();
    assertThat(seen.events).isEmpty();
  }

  @Test
  void aWatchEndsWithTheServer() {
    var seen = new Recorder();
    var _ = api.watch(Resources.CLAIMS, "", Selector.ALL, "", seen);
    server.close();
    deliver();
    assertThat(seen.events).containsExactly("closed true");
  }

  private void deliver() {
    for (var task = deliveries.poll(); task != null; task = deliveries.poll()) task.run();
  }

  private static ObjectNode claim(String name) {
    return World.yaml(
        """
        metadata: {namespace: default, name: %s}
        spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
        """
            .formatted(name));
  }

  /// Notes what it is shown.
  private static class Recorder implements Api.Watcher {
    final List<String> events = new ArrayList<>();

    @Override
    public void added(ObjectNode object) {
      note("added", object);
    }

    @Override
    public void modified(ObjectNode object) {
      note("modified", object);
    }

    @Override
    public void deleted(ObjectNode object) {
      note("deleted", object);
    }

    @Override
    public void bookmark(String resourceVersion) {
      events.add("bookmark");
    }

    @Override
    public void closed(boolean resumable) {
      events.add("closed " + resumable);
    }

    private void note(String what, ObjectNode object) {
      events.add(what + " " + Json.text(object.path("metadata"), "name"));
    }
  }

  /// What nobody may make does not come by way of a controller either (API-115).
  @Test
  void whatControllersWriteIsJudged() {
    var policy =
        World.yaml(
            """
            metadata: {name: small}
            spec:
              matchConstraints:
                resourceRules:
                - {operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}
              validations:
              - {expression: "object.data.size == 'small' || request.userInfo.username != 'system:apiserver'"}
            """);
    var binding =
        World.yaml(
            "{metadata: {name: small}, spec: {policyName: small, validationActions: [Deny]}}");
    api.create(StoredResources.ADMISSION_POLICIES, policy);
    api.create(StoredResources.POLICY_BINDINGS, binding);
    var local = new LocalApi(server, deliveries::add).judgedBy(new Admittance(server));
    var controllers = local.by(new Caller(Urgency.INTERACTIVE, Optional.empty(), () -> {}));
    assertThatThrownBy(() -> controllers.create(Resources.CONFIG_MAPS, map("a", "large")))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(422))
        .hasMessageContaining("ValidatingAdmissionPolicy 'small'");
    controllers.create(Resources.CONFIG_MAPS, map("a", "small"));
    local.create(Resources.CONFIG_MAPS, map("b", "large")); // what the stack itself needs
    assertThat(api.list(Resources.CONFIG_MAPS, "kube-public", Selector.ALL).items())
        .extracting(each -> Json.text(each.path("metadata"), "name"))
        .contains("a", "b");
  }

  private static ObjectNode map(String name, String size) {
    return World.yaml(
        "{metadata: {name: %s, namespace: kube-public}, data: {size: %s}}".formatted(name, size));
  }
}
