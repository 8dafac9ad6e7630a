package dev.berth.apiserver.core;

import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.CSI_NODES;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.NODES;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.VOLUMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.state.Dependent;
import dev.berth.apiserver.core.state.Owner;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What becomes of what is owned (API-88, GC-01, GC-02, GC-03, GC-04).
class GarbageCollectionTest {
  private final World world = new World();

  @Test
  void aNodesCsiNodeGoesWithIt() {
    world.with(NODES, "{metadata: {name: node-a}}");
    var owners = owner("v1", "Node", "node-a", uid(NODES, "node-a"), false);
    world.with(CSI_NODES, "{metadata: {name: node-a, ownerReferences: [%s]}}".formatted(owners));
    world.delete(NODES, "node-a");
    assertThat(world.find(CSI_NODES, "node-a")).isEmpty();
  }

  /// Whoever knows a uid could hold what he may not even see.
  @Test
  void whatStandsInAnotherNamespaceHoldsNoOwner() { // API-88
    world.with(NAMESPACES, "{metadata: {name: other}}");
    world.with(CONFIG_MAPS, "{metadata: {name: own, namespace: default}}");
    var owners = owner("v1", "ConfigMap", "own", uid(CONFIG_MAPS, "default/own"), true);
    world.with(
        CONFIG_MAPS,
        "{metadata: {name: thief, namespace: other, finalizers: [a.b/c], ownerReferences: [%s]}}"
            .formatted(owners));
    world.delete(CONFIG_MAPS, "default/own", propagation("Foreground"));
    assertThat(world.find(CONFIG_MAPS, "default/own")).isEmpty();
  }

  @Test
  void aClaimOfAPodIsAskedToGoWithItAndWaitsForItsFinalizer() {
    world.with(PODS, Samples.POD);
    var owners = owner("v1", "Pod", "web", uid(PODS, "default/web"), true);
    world.with(
        CLAIMS,
        Samples.vary(
            Samples.CLAIM, "name: data}", "name: data, ownerReferences: [" + owners + "]}"));
    world.delete(PODS, "default/web");
    assertThat(world.get(CLAIMS, "default/data").path("metadata").has("deletionTimestamp"))
        .isTrue();
  }

  @Test
  void aClaimThatAPodOnlyUsesStaysAndSoDoesTheVolumeOfAClaim() { // GC-04
    world.with(PODS, Samples.POD);
    world.with(CLAIMS, Samples.CLAIM);
    world.with(VOLUMES, Samples.VOLUME);
    world.delete(PODS, "default/web");
    assertThat(world.get(CLAIMS, "default/data").path("metadata").has("deletionTimestamp"))
        .isFalse();
    world.delete(CLAIMS, "default/data");
    assertThat(world.get(VOLUMES, "pv-1").path("metadata").has("deletionTimestamp")).isFalse();
  }

  @Test
  void chainsGoToTheirEnd() {
    map("a");
    owned("b", map("a", "default/a"), false);
    owned("c", map("b", "default/b"), false);
    world.delete(CONFIG_MAPS, "default/a");
    assertThat(world.state().list(CONFIG_MAPS)).isEmpty();
  }

  @Test
  void anObjectWithAnotherOwnerStaysAndForgetsTheOneThatIsGone() {
    map("a");
    map("b");
    owned("c", map("a", "default/a") + ", " + map("b", "default/b"), false);
    world.delete(CONFIG_MAPS, "default/a");
    assertThat(Owner.of(world.get(CONFIG_MAPS, "default/c")))
        .extracting(Owner::name)
        .containsExactly("b");
  }

  @Test
  void anOwnerOfTheSameNameIsNotTheOwner() {
    map("a");
    var former = map("a", "default/a");
    world.delete(CONFIG_MAPS, "default/a");
    map("a");
    owned("b", former, false);
    assertThat(world.find(CONFIG_MAPS, "default/b")).isEmpty();
  }

  @Test
  void anOwnerInAnotherNamespaceIsNone() { // GC-02
    world.with(CONFIG_MAPS, "{metadata: {namespace: kube-system, name: a}}");
    owned("b", owner("v1", "ConfigMap", "a", uid(CONFIG_MAPS, "kube-system/a"), false), false);
    assertThat(world.find(CONFIG_MAPS, "default/b")).isEmpty();
    assertThat(world.state().list(EVENTS))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.object().path("reason").asText()).isEqualTo("OwnerRefInvalidNamespace");
          assertThat(event.object().path("message").asText())
              .isEqualTo(
                  "ownerRef [v1/ConfigMap, namespace: default, name: a, uid: %s] does not exist in namespace \"default\""
                      .formatted(uid(CONFIG_MAPS, "kube-system/a")));
          assertThat(event.object().path("involvedObject").path("name").asText()).isEqualTo("b");
        });
  }

  /// Each would cost the server a search and an event, and who names them needs no right to those.
  @Test
  void ofManyOwnersInOtherNamespacesOneIsTold() { // GC-02
    world.with(CONFIG_MAPS, "{metadata: {namespace: kube-system, name: a}}");
    world.with(CONFIG_MAPS, "{metadata: {namespace: kube-system, name: b}}");
    var a = owner("v1", "ConfigMap", "a", uid(CONFIG_MAPS, "kube-system/a"), false);
    var b = owner("v1", "ConfigMap", "b", uid(CONFIG_MAPS, "kube-system/b"), false);
    owned("c", String.join(", ", a, a, b, b), false);
    assertThat(world.find(CONFIG_MAPS, "default/c")).isEmpty();
    assertThat(world.state().list(EVENTS)).hasSize(1);
  }

  @Test
  void anOwnerWhoseNameIsWrongLivesNowhereElse() { // GC-02
    map("a");
    owned("b", owner("v1", "ConfigMap", "other", uid(CONFIG_MAPS, "default/a"), false), false);
    assertThat(world.find(CONFIG_MAPS, "default/b")).isEmpty();
    assertThat(world.state().list(EVENTS)).isEmpty();
  }

  @Test
  void ofAnOwnerThatIsGoneNothingIsSaid() {
    owned("b", owner("v1", "ConfigMap", "a", "some-uid", false), false);
    assertThat(world.find(CONFIG_MAPS, "default/b")).isEmpty();
    assertThat(world.state().list(EVENTS)).isEmpty();
  }

  @Test
  void ofAnOwnerWhoseKindIsNotServedNothingIsKnown() {
    owned("b", owner("apps/v1beta1", "Deployment", "driver", "some-uid", false), false);
    assertThat(world.find(CONFIG_MAPS, "default/b")).isPresent();
  }

  @Test
  void anObjectWithoutNamespaceHasNoOwnerInOne() {
    map("a");
    world.with(
        NODES,
        "{metadata: {name: node-a, ownerReferences: [%s]}}".formatted(map("a", "default/a")));
    world.delete(CONFIG_MAPS, "default/a");
    assertThat(world.find(NODES, "node-a")).isPresent();
  }

  @Test
  void orphansStayAndForgetTheirOwner() {
    map("a");
    owned("b", map("a", "default/a"), false);
    world.delete(CONFIG_MAPS, "default/a", propagation("Orphan"));
    assertThat(world.find(CONFIG_MAPS, "default/a")).isEmpty();
    assertThat(Owner.of(world.get(CONFIG_MAPS, "default/b"))).isEmpty();
  }

  @Test
  void inTheForegroundAnOwnerWaitsForThoseThatBlockIt() {
    map("a");
    owned("b", map("a", "default/a"), true);
    world.delete(CONFIG_MAPS, "default/a", propagation("Foreground"));
    assertThat(finalizers("default/a")).containsExactly("foregroundDeletion");
    assertThat(world.get(CONFIG_MAPS, "default/b").path("metadata").has("deletionTimestamp"))
        .isTrue();
    world.merge(CONFIG_MAPS, "default/b", "{metadata: {finalizers: null}}");
    assertThat(world.state().list(CONFIG_MAPS)).isEmpty();
  }

  @Test
  void whatComesToAnOwnerThatWaitsGoesWithTheRest() {
    map("a");
    var owner = map("a", "default/a");
    owned("b", owner, true);
    world.delete(CONFIG_MAPS, "default/a", propagation("Foreground"));
    owned("c", owner, true);
    assertThat(world.get(CONFIG_MAPS, "default/c").path("metadata").has("deletionTimestamp"))
        .isTrue();
    world.merge(CONFIG_MAPS, "default/b", "{metadata: {finalizers: null}}");
    assertThat(finalizers("default/a")).containsExactly("foregroundDeletion");
    world.merge(CONFIG_MAPS, "default/c", "{metadata: {finalizers: null}}");
    assertThat(world.state().list(CONFIG_MAPS)).isEmpty();
  }

  @Test
  void inTheForegroundNobodyWaitsForWhatDoesNotBlock() {
    map("a");
    owned("b", map("a", "default/a").replace("true", "false"), true);
    world.delete(CONFIG_MAPS, "default/a", propagation("Foreground"));
    assertThat(world.find(CONFIG_MAPS, "default/a")).isEmpty();
  }

  @Test
  void aStateThatWasLoadedKnowsWhoOwnsWhat() {
    map("a");
    owned("b", map("a", "default/a"), false);
    var maps = new TreeMap<ObjectKey, Stored>();
    for (var each : world.state().list(CONFIG_MAPS))
      maps.put(each.key(), Stored.ofJson(each.key(), each.created(), each.revision(), each.json()));
    var loaded = State.of(world.state().revision(), java.util.Map.of(CONFIG_MAPS, maps));
    assertThat(loaded.dependents(uid(CONFIG_MAPS, "default/a")))
        .containsExactly(new Dependent(CONFIG_MAPS, ObjectKey.of("default", "b")));
  }

  private void map(String name) {
    world.with(CONFIG_MAPS, "{metadata: {namespace: default, name: %s}}".formatted(name));
  }

  /// A reference to a map that is there.
  private String map(String name, String key) {
    return owner("v1", "ConfigMap", name, uid(CONFIG_MAPS, key), true);
  }

  private void owned(String name, String owners, boolean held) {
    var answer =
        world.create(
            CONFIG_MAPS,
            "{metadata: {namespace: default, name: %s, ownerReferences: [%s], finalizers: [%s]}}"
                .formatted(name, owners, held ? "berth.dev/hold" : ""));
    assertThat(answer).isInstanceOf(Answer.Created.class);
  }

  private static String owner(
      String apiVersion, String kind, String name, String uid, boolean blocks) {
    return "{apiVersion: %s, kind: %s, name: %s, uid: %s, blockOwnerDeletion: %s}"
        .formatted(apiVersion, kind, name, uid, blocks);
  }

  private String uid(Resource resource, String key) {
    return world.find(resource, key).orElseThrow().uid();
  }

  private List<String> finalizers(String key) {
    return Json.list(
        world.get(CONFIG_MAPS, key).path("metadata").path("finalizers"),
        com.fasterxml.jackson.databind.JsonNode::asText);
  }

  private static DeleteOptions propagation(String policy) {
    return new DeleteOptions(
        Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.of(policy));
  }
}
