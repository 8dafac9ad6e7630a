package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.STORAGE_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Who owns what after each kind of write. All that is expected here was asked of a kube-apiserver
/// 1.37.1 first.
class ManagedFieldsTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final String MAP =
      "{metadata: {namespace: default, name: a, labels: {a: b}}, data: {x: '1', y: '2'}}";

  private static final String CLAIM =
      """
      metadata: {namespace: default, name: k}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
      """;

  private static final String WHOLE_MAP =
      """
      alice Update v1: {"f:data":{".":{},"f:x":{},"f:y":{}},"f:metadata":{"f:labels":{".":{},"f:a":{}}}}
      """
          .strip();

  static final List<CoreRule> rules =
      List.of(
          rule("API-42, API-80", "who creates an object owns what it says and its defaults")
              .when(world -> create(world, CLAIMS, CLAIM, "alice"))
              .then(
                  owned(
                      "alice Update v1: {\"f:spec\":{\"f:accessModes\":{},\"f:resources\":"
                          + "{\"f:requests\":{\".\":{},\"f:storage\":{}}},\"f:volumeMode\":{}}}")),
          rule("API-80", "a map of parameters is owned, and each of them")
              .when(world ->
                  create(
                      world,
                      STORAGE_CLASSES,
                      "{metadata: {name: s}, provisioner: p, parameters: {a: b}, mountOptions:"
                          + " [x]}",
                      "alice"))
              .then(
                  owned(
                      "alice Update storage.k8s.io/v1: {\"f:mountOptions\":{},\"f:parameters\":"
                          + "{\".\":{},\"f:a\":{}},\"f:provisioner\":{},\"f:reclaimPolicy\":{},"
                          + "\"f:volumeBindingMode\":{}}")),
          rule("API-80", "who says no name is unknown")
              .when(world -> create(world, CONFIG_MAPS, MAP, ""))
              .then(owned(WHOLE_MAP.replace("alice", "unknown"))),
          rule("API-80", "what somebody else changes is his")
              .given(ManagedFieldsTest::withMap)
              .when(world -> merge(world, "{data: {x: '3'}}", "bob"))
              .then(
                  owned(
                      "alice Update v1: {\"f:data\":{\".\":{},\"f:y\":{}},\"f:metadata\":"
                          + "{\"f:labels\":{\".\":{},\"f:a\":{}}}}",
                      "bob Update v1: {\"f:data\":{\"f:x\":{}}}")),
          rule("API-80", "what somebody else removes is nobody's")
              .given(ManagedFieldsTest::withMap)
              .when(world -> merge(world, "{data: {x: null}}", "bob"))
              .then(
                  owned(
                      "alice Update v1: {\"f:data\":{\".\":{},\"f:y\":{}},\"f:metadata\":"
                          + "{\"f:labels\":{\".\":{},\"f:a\":{}}}}")),
          rule("API-80", "who writes what is there already owns nothing")
              .given(ManagedFieldsTest::withMap)
              .when(world -> merge(world, "{data: {x: '1'}}", "bob"))
              .then(owned(WHOLE_MAP)),
          rule("API-81", "what is written through /status has an entry of its own")
              .given(world -> with(world, CLAIMS, CLAIM))
              .when(world ->
                  world.ask(
                      change(
                          CLAIMS,
                          "default/k",
                          Part.STATUS,
                          Patch.merge(
                              World.tree("{status: {phase: Bound}, spec: {volumeName: v}}")),
                          "bob",
                          Force.NO)))
              .then(answer ->
                  assertThat(owners(CoreRule.object(answer)))
                      .contains("bob Update v1 status: {\"f:status\":{\"f:phase\":{}}}")),
          rule("API-81", "a status that the endpoint leaves as it is, is not recorded")
              .given(world -> with(world, CLAIMS, CLAIM))
              .when(world ->
                  world.ask(
                      change(
                          CLAIMS,
                          "default/k",
                          Part.MAIN,
                          Patch.merge(World.tree("{status: {phase: Bound}}")),
                          "bob",
                          Force.NO)))
              .then(answer ->
                  assertThat(owners(CoreRule.object(answer)).toString()).doesNotContain("bob")),
          rule("API-80", "an empty entry ends the tracking")
              .given(ManagedFieldsTest::withMap)
              .when(world -> {
                merge(world, "{metadata: {managedFields: [{}]}}", "bob");
                return merge(world, "{data: {x: '9'}}", "bob");
              })
              .then(owned()),
          rule("API-80", "entries that cannot be read leave it as it is")
              .given(ManagedFieldsTest::withMap)
              .when(world -> merge(world, "{metadata: {managedFields: [{manager: eve}]}}", "bob"))
              .then(owned(WHOLE_MAP)),
          rule("API-80", "an eleventh updater has the two oldest folded into one")
              .given(ManagedFieldsTest::withMap)
              .when(world -> {
                for (int i = 10; i < 20; i++)
                  merge(world, "{data: {f%d: v}}".formatted(i), "m" + i);
                return merge(world, "{data: {last: v}}", "z");
              })
              .then(answer -> {
                var owners = owners(CoreRule.object(answer));
                assertThat(owners).hasSize(10);
                assertThat(owners.getFirst())
                    .startsWith("ancient-changes Update v1: ")
                    .contains("f:labels", "f:f10");
              }),
          rule("API-78", "applying a new object creates it, for the applier")
              .when(world -> apply(world, "{data: {x: '4'}}", "carl", Force.NO))
              .then(answer -> {
                assertThat(answer).isInstanceOf(Answer.Created.class);
                assertThat(owners(CoreRule.object(answer)))
                    .containsExactly("carl Apply v1: {\"f:data\":{\"f:x\":{}}}");
              }),
          rule("API-79", "a value that others own is not taken")
              .given(ManagedFieldsTest::withMap)
              .when(world -> apply(world, "{data: {x: '4'}}", "carl", Force.NO))
              .refused(
                  409,
                  "Conflict",
                  "Apply failed with 1 conflict: conflict with \"alice\" using v1: .data.x"),
          rule("API-79", "several conflicts are told by their owners")
              .given(ManagedFieldsTest::withMap)
              .when(world -> {
                merge(world, "{data: {x: '3'}}", "bob");
                return apply(world, "{data: {x: '4', y: '5'}}", "carl", Force.NO);
              })
              .refused(
                  409,
                  "Conflict",
                  """
                  Apply failed with 2 conflicts: conflicts with "alice" using v1:
                  - .data.y
                  conflicts with "bob" using v1:
                  - .data.x\
                  """),
          rule("API-79", "who forces takes it")
              .given(ManagedFieldsTest::withMap)
              .when(world -> apply(world, "{data: {x: '4', z: '1'}}", "carl", Force.YES))
              .then(
                  owned(
                      "carl Apply v1: {\"f:data\":{\"f:x\":{},\"f:z\":{}}}",
                      "alice Update v1: {\"f:data\":{\".\":{},\"f:y\":{}},\"f:metadata\":"
                          + "{\"f:labels\":{\".\":{},\"f:a\":{}}}}")),
          rule("API-79", "an equal value is shared")
              .given(ManagedFieldsTest::withMap)
              .when(world -> apply(world, "{data: {x: '1'}}", "carl", Force.NO))
              .then(owned("carl Apply v1: {\"f:data\":{\"f:x\":{}}}", WHOLE_MAP)),
          rule("API-79", "what is applied no more and nobody else's goes")
              .given(ManagedFieldsTest::withMap)
              .when(world -> {
                apply(world, "{data: {y: '2', z: '1'}}", "carl", Force.NO);
                return apply(world, "{}", "carl", Force.NO);
              })
              .shows("{data: {x: '1', y: '2', z: null}}"),
          rule("API-80", "what was there before the first apply has an owner")
              .given(ManagedFieldsTest::withMap)
              .when(world -> {
                merge(world, "{metadata: {managedFields: [{}]}}", "bob");
                return apply(world, "{data: {x: '4'}}", "carl", Force.NO);
              })
              .refused(
                  409,
                  "Conflict",
                  "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1:"
                      + " .data.x"),
          rule("API-78", "a configuration brings no managedFields")
              .when(world -> apply(world, "{metadata: {managedFields: []}}", "carl", Force.NO))
              .refused(400, "BadRequest", "metadata.managedFields must be nil"),
          rule("API-78", "a field that the kind does not have is refused")
              .when(world -> apply(world, "{foo: 1}", "carl", Force.NO))
              .refused(
                  400,
                  "BadRequest",
                  "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .foo: field not"
                      + " declared in schema"),
          rule("API-78", "the name is the path's")
              .when(world -> apply(world, "{metadata: {name: b}}", "carl", Force.NO))
              .refused(
                  400,
                  "BadRequest",
                  "the name of the object (b) does not match the name on the URL (a)"),
          rule("API-80", "kubectl takes over what it has applied by itself")
              .given(world ->
                  with(
                      world,
                      CONFIG_MAPS,
                      """
                      metadata:
                        namespace: default
                        name: a
                        annotations:
                          kubectl.kubernetes.io/last-applied-configuration: >-
                            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a",
                            "namespace":"default"},"data":{"x":"1"}}
                      data: {x: '1'}
                      """))
              .when(world -> apply(world, "{data: {x: '2'}}", "kubectl", Force.NO))
              .then(answer -> {
                var meta = CoreRule.object(answer).path("metadata");
                assertThat(meta.path("annotations").elements().next().asText())
                    .isEqualTo(
                        "{\"data\":{\"x\":\"2\"},\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                            + "\"metadata\":{\"name\":\"a\"}}\n");
              }));

  /// Each name costs the server; none of them may cost all others (API-78).
  @Test
  void whoAppliesUnderEverNewNamesIsStopped() {
    var data = NODES.objectNode();
    for (int i = 0; i < 2_000; i++) data.put("key-" + "x".repeat(40) + i, "v");
    var world = withMap(new World());
    for (int i = 0; i < 100; i++) {
      var config = NODES.objectNode().<ObjectNode>set("data", data);
      if (apply(world, config.toString(), "m" + i, Force.NO)
          instanceof Answer.Refused(var refusal)) {
        assertThat(refusal.code()).isEqualTo(413);
        return;
      }
    }
    throw new AssertionError("100 names are kept");
  }

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }

  private static World withMap(World world) {
    return with(world, CONFIG_MAPS, MAP);
  }

  private static World with(World world, Resource resource, String yaml) {
    assertThat(create(world, resource, yaml, "alice")).isInstanceOf(Answer.Created.class);
    return world;
  }

  private static Answer create(World world, Resource resource, String yaml, String manager) {
    var namespace = resource.namespaced() ? "default" : "";
    return world.ask(new Request.Create(resource, namespace, World.yaml(yaml), manager));
  }

  private static Answer merge(World world, String patch, String manager) {
    var merge = Patch.merge(World.tree(patch));
    return world.ask(change(CONFIG_MAPS, "default/a", Part.MAIN, merge, manager, Force.NO));
  }

  private static Answer apply(World world, String yaml, String manager, Force force) {
    var config = World.yaml(yaml);
    config.put("apiVersion", "v1").put("kind", "ConfigMap");
    var meta = config.withObject("metadata");
    if (!meta.has("name")) meta.put("name", "a");
    var patch = new Patch(Patch.Type.APPLY, config);
    return world.ask(change(CONFIG_MAPS, "default/a", Part.MAIN, patch, manager, force));
  }

  private static Request change(
      Resource resource, String key, Part part, Patch patch, String manager, Force force) {
    return new Request.Change(resource, World.key(resource, key), part, patch, manager, force);
  }

  private static java.util.function.Consumer<Answer> owned(String... entries) {
    return answer -> assertThat(owners(CoreRule.object(answer))).containsExactly(entries);
  }

  /// `manager operation version subresource: fields`, the fields in alphabetical order.
  private static List<String> owners(JsonNode object) {
    var owners = new ArrayList<String>();
    for (var entry : object.path("metadata").path("managedFields"))
      owners.add(
          "%s %s %s%s: %s"
              .formatted(
                  entry.path("manager").asText(),
                  entry.path("operation").asText(),
                  entry.path("apiVersion").asText(),
                  entry.has("subresource") ? " " + entry.path("subresource").asText() : "",
                  sorted(entry.path("fieldsV1"))));
    return owners;
  }

  private static String sorted(JsonNode fields) {
    var all = new TreeMap<String, String>();
    fields.properties().forEach(field -> all.put(field.getKey(), sorted(field.getValue())));
    var parts = new ArrayList<String>();
    all.forEach((name, value) -> parts.add('"' + name.replace("\"", "\\\"") + "\":" + value));
    return "{" + String.join(",", parts) + "}";
  }
}
