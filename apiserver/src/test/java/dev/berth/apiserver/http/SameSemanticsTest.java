package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The two ways to the API, over HTTPS and within the process, are one: the same requests have the
/// same answers, refusals and events.
@Timeout(300)
class SameSemanticsTest {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
  private static final ObjectKey DATA = ObjectKey.of("default", "data");

  @TempDir private static Path home;
  private static RunningServer server;
  private static HttpApi http;
  private static LocalApi local;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    http = HttpApi.of(server.kubeconfig(), Optional.empty());
    local =
        new LocalApi(server.api(), Executors.newVirtualThreadPerTaskExecutor())
            .as("fabric8-kubernetes-client");
  }

  @AfterAll
  static void stop() {
    http.close();
    server.close();
  }

  @Test
  void theSameRequestsHaveTheSameAnswers() {
    assertThat(new Script(http).claims()).isEqualTo(new Script(local).claims()).hasSize(23);
  }

  @Test
  void whoComesSecondHasLostARace() {
    assertThat(new Script(local).claims())
        .filteredOn(answer -> answer.contains("LostRace"))
        .extracting(answer -> answer.substring(0, answer.indexOf(':')))
        .containsExactly(
            "create again", "json that fails", "stale merge", "stale update", "delete another");
  }

  @Test
  void theSameWritesShowTheSameEvents() throws Exception {
    assertThat(watched(http)).isEqualTo(watched(local)).hasSize(5);
  }

  /// Within the process nobody's copy is the server's own: a change of that would be no news to it,
  /// and gone with it.
  @Test
  void whatWasAskedForMayBeChangedAndWrittenBack() {
    for (var api : List.of(http, local)) {
      var created = api.create(Resources.CLAIMS, claim("data"));
      try {
        var asked = api.get(Resources.CLAIMS, DATA);
        asked.withObject("/metadata").withArray("/finalizers").add("example.com/held");
        assertThat(api.get(Resources.CLAIMS, DATA)).isEqualTo(created);

        var written = api.update(Resources.CLAIMS, asked);
        assertThat(written.at("/metadata/finalizers/1").asText()).isEqualTo("example.com/held");
        assertThat(written.at("/metadata/resourceVersion"))
            .isNotEqualTo(created.at("/metadata/resourceVersion"));
      } finally {
        api.patch(
            Resources.CLAIMS, DATA, Patch.merge(object("{\"metadata\":{\"finalizers\":null}}")));
        api.delete(Resources.CLAIMS, DATA, DeleteOptions.DEFAULT);
      }
    }
  }

  @Test
  void aWatchFromTheFutureEndsForGood() throws Exception {
    for (var api : List.of(http, local)) {
      var seen = new Recorder();
      try (var _ = api.watch(Resources.CLAIMS, "", Selector.ALL, "99999999", seen)) {
        assertThat(seen.next()).isEqualTo("closed false");
      }
    }
  }

  /// A claim's life, step by step, and what was answered to each.
  private static final class Script {
    private final Api api;
    private final List<String> answers = new ArrayList<>();

    Script(Api api) {
      this.api = api;
    }

    List<String> claims() {
      step("create", () -> api.create(Resources.CLAIMS, claim("data")));
      step("create again", () -> api.create(Resources.CLAIMS, claim("data")));
      step(
          "create invalid",
          () ->
              api.create(
                  Resources.CLAIMS,
                  object("{\"metadata\":{\"name\":\"x\",\"namespace\":\"default\"}}")));
      step("create nowhere", () -> api.create(Resources.CLAIMS, claim("nowhere", "data")));
      step("get", () -> api.get(Resources.CLAIMS, DATA));
      step("get missing", () -> api.get(Resources.CLAIMS, ObjectKey.of("default", "nope")));
      step("merge", () -> patch(Patch.Type.MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
      step(
          "strategic",
          () ->
              patch(
                  Patch.Type.STRATEGIC, "{\"metadata\":{\"finalizers\":[\"example.com/held\"]}}"));
      step(
          "json",
          () ->
              patch(
                  Patch.Type.JSON,
                  "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"c\":\"d\"}}]"));
      step(
          "json that fails",
          () ->
              patch(
                  Patch.Type.JSON,
                  "[{\"op\":\"test\",\"path\":\"/metadata/name\",\"value\":\"other\"}]"));
      step(
          "stale merge",
          () -> patch(Patch.Type.MERGE, "{\"metadata\":{\"resourceVersion\":\"1\"}}"));
      step(
          "status",
          () ->
              api.patchStatus(
                  Resources.CLAIMS,
                  DATA,
                  new Patch(Patch.Type.MERGE, object("{\"status\":{\"phase\":\"Lost\"}}"))));
      step("update", () -> api.update(Resources.CLAIMS, labelled()));
      step("stale update", () -> api.update(Resources.CLAIMS, stale()));
      step("update missing", () -> api.update(Resources.CLAIMS, claim("nope")));
      step("update status", () -> api.updateStatus(Resources.CLAIMS, labelled()));
      step("list by label", () -> list(Selector.labels("a=b")));
      step("list by name", () -> list(Selector.fields("metadata.name=nope")));
      step("list by nonsense", () -> list(Selector.fields("spec.nonsense=1")));
      step(
          "delete another",
          () -> api.delete(Resources.CLAIMS, DATA, DeleteOptions.uid("other")).object());
      step("delete held", () -> api.delete(Resources.CLAIMS, DATA, DeleteOptions.DEFAULT).object());
      step("release", () -> patch(Patch.Type.MERGE, "{\"metadata\":{\"finalizers\":null}}"));
      step(
          "delete missing",
          () -> api.delete(Resources.CLAIMS, DATA, DeleteOptions.DEFAULT).object());
      return answers;
    }

    private ObjectNode patch(Patch.Type type, String body) {
      return api.patch(Resources.CLAIMS, DATA, new Patch(type, tree(body)));
    }

    private ObjectNode labelled() {
      var claim = api.get(Resources.CLAIMS, DATA).deepCopy();
      claim.withObject("metadata").withObject("labels").put("e", "f");
      return claim;
    }

    private ObjectNode stale() {
      var claim = labelled();
      claim.withObject("metadata").put("resourceVersion", "1");
      return claim;
    }

    private ObjectNode list(Selector selector) {
      var list = JSON.createObjectNode();
      api.list(Resources.CLAIMS, "default", selector)
          .items()
          .forEach(item -> list.withArray("items").add(settled(item)));
      return list;
    }

    private void step(String what, Callable<ObjectNode> request) {
      answers.add(what + ": " + answer(request));
    }

    private static String answer(Callable<ObjectNode> request) {
      try {
        return sorted(settled(request.call()));
      } catch (ApiException refused) {
        return "%s %s %s %s %s"
            .formatted(
                refused.getClass().getSimpleName(),
                refused.code(),
                refused.reason(),
                refused.details(),
                unique(refused.getMessage()));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static List<String> watched(Api api) throws InterruptedException {
    var seen = new Recorder();
    var from = api.list(Resources.CLAIMS, "", Selector.ALL).resourceVersion();
    api.create(Resources.CLAIMS, claim("early"));
    var early = ObjectKey.of("default", "early");
    var events = new ArrayList<String>();
    try (var _ = api.watch(Resources.CLAIMS, "default", Selector.ALL, from, seen)) {
      events.add(seen.next());
      api.patch(
          Resources.CLAIMS, early, Patch.merge(tree("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")));
      events.add(seen.next());
      api.delete(Resources.CLAIMS, early, DeleteOptions.DEFAULT);
      events.add(seen.next());
      api.patch(Resources.CLAIMS, early, Patch.merge(tree("{\"metadata\":{\"finalizers\":null}}")));
      events.add(seen.next());
    }
    events.add(String.valueOf(seen.events.poll()));
    return events;
  }

  private static final class Recorder implements Api.Watcher {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
      return String.valueOf(events.poll(60, TimeUnit.SECONDS));
    }

    @Override
    public void added(ObjectNode object) {
      events.add("added " + settled(object));
    }

    @Override
    public void modified(ObjectNode object) {
      events.add("modified " + settled(object));
    }

    @Override
    public void deleted(ObjectNode object) {
      events.add("deleted " + settled(object));
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      events.add("closed " + resumable);
    }
  }

  /// Without what differs from one life to the next.
  private static ObjectNode settled(ObjectNode object) {
    var copy = object.deepCopy();
    if (copy.get("metadata") instanceof ObjectNode metadata)
      for (var field : List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"))
        if (metadata.has(field)) metadata.put(field, "");
    for (var entry : copy.path("metadata").path("managedFields"))
      ((ObjectNode) entry).put("time", "");
    return copy;
  }

  private static String sorted(ObjectNode object) throws JsonProcessingException {
    return JSON.writeValueAsString(JSON.treeToValue(object, Object.class));
  }

  private static String unique(@Nullable String message) {
    return String.valueOf(message).replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UID");
  }

  private static ObjectNode claim(String name) {
    return claim("default", name);
  }

  private static ObjectNode claim(String namespace, String name) {
    return object(
        """
        {"metadata":{"namespace":"%s","name":"%s"},"spec":{"accessModes":["ReadWriteOnce"],
        "resources":{"requests":{"storage":"1Gi"}}}}
        """
            .formatted(namespace, name));
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) tree(json);
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }
}
