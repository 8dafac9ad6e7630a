package dev.berth.apiserver.core;

import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How a namespace goes (API-89).
class NamespaceTerminationTest {
  private final World world = new World();

  @BeforeEach
  void create() {
    world.with(NAMESPACES, "{metadata: {name: mine}}");
  }

  @Test
  void anEmptyNamespaceGoesAtOnce() {
    assertThat(CoreRule.object(world.delete(NAMESPACES, "mine")).path("status").path("phase"))
        .hasToString("\"Terminating\"");
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
  }

  @Test
  void whatNothingHoldsGoesWithIt() {
    world.with(CONFIG_MAPS, "{metadata: {namespace: mine, name: map}}");
    world.with(CONFIG_MAPS, "{metadata: {namespace: default, name: map}}");
    world.delete(NAMESPACES, "mine");
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
    assertThat(world.state().list(CONFIG_MAPS))
        .extracting(each -> each.key().namespace())
        .containsExactly("default");
  }

  @Test
  void itWaitsForWhatIsHeldAndSaysSo() {
    world.with(CLAIMS, Samples.vary(Samples.CLAIM, "default", "mine"));
    world.delete(NAMESPACES, "mine");
    assertThat(world.get(CLAIMS, "mine/data").path("metadata").has("deletionTimestamp")).isTrue();
    assertThat(world.get(NAMESPACES, "mine").path("status").path("conditions").toString())
        .contains(
            "Some resources are remaining: persistentvolumeclaims. has 1 resource instances",
            "Some content in the namespace has finalizers remaining: kubernetes.io/pvc-protection"
                + " in 1 resource instances");
    world.merge(CLAIMS, "mine/data", "{metadata: {finalizers: null}}");
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
  }

  @Test
  void podsHaveTheirTime() {
    world.with(PODS, Samples.vary(Samples.POD, "default", "mine") + "  nodeName: node-a\n");
    world.delete(NAMESPACES, "mine");
    assertThat(
            world.get(PODS, "mine/web").path("metadata").path("deletionGracePeriodSeconds").asInt())
        .isEqualTo(30);
    world.delete(PODS, "mine/web", DeleteOptions.DEFAULT.gracePeriodSeconds(0));
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
  }

  @Test
  void itsOwnFinalizersHoldIt() {
    world.merge(NAMESPACES, "mine", "{metadata: {finalizers: [berth.dev/hold]}}");
    world.delete(NAMESPACES, "mine");
    assertThat(world.find(NAMESPACES, "mine")).isPresent();
    world.merge(NAMESPACES, "mine", "{metadata: {finalizers: null}}");
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
  }

  @Test
  void aLargeOneIsEmptiedInPieces() {
    for (int i = 0; i < 1000; i++)
      world.with(CONFIG_MAPS, "{metadata: {namespace: mine, name: map-%d}}".formatted(i));
    world.written().clear();
    world.delete(NAMESPACES, "mine");
    assertThat(world.written()).hasSizeBetween(200, 300);
    assertThat(world.find(NAMESPACES, "mine")).isPresent();
    assertThat(world.sweep("mine")).hasSize(3).allMatch(writes -> writes < 300);
    assertThat(world.state().list(CONFIG_MAPS, "mine")).isEmpty();
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
  }

  @Test
  void whatIsReleasedIsOneWrite() {
    for (int i = 0; i < 600; i++)
      world.with(
          CLAIMS,
          Samples.vary(Samples.CLAIM, "default", "mine").replace("name: data", "name: data-" + i));
    world.delete(NAMESPACES, "mine");
    world.sweep("mine");
    assertThat(world.state().list(CLAIMS, "mine")).allMatch(each -> Holds.deleting(each.object()));
    world.tellWhatIsLeft("mine");
    assertThat(conditions()).contains("has 600 resource instances", "in at least 500 resource");
    world.written().clear();
    for (int i = 0; i < 599; i++)
      world.merge(CLAIMS, "mine/data-" + i, "{metadata: {finalizers: null}}");
    assertThat(world.written()).hasSize(599);
    world.tellWhatIsLeft("mine");
    assertThat(conditions())
        .contains("has 1 resource instances", "kubernetes.io/pvc-protection in 1 resource");
    world.merge(CLAIMS, "mine/data-599", "{metadata: {finalizers: null}}");
    assertThat(world.find(NAMESPACES, "mine")).isEmpty();
  }

  private String conditions() {
    return world.get(NAMESPACES, "mine").path("status").path("conditions").toString();
  }

  /// API-89: who has something to clean up outside is waited for.
  @Test
  void aNamespacesOwnFinalizersAreTheirs() {
    var world = new World();
    world.create(NAMESPACES, "{metadata: {name: held}, spec: {finalizers: [example.com/hold]}}");
    assertThat(world.get(NAMESPACES, "held").at("/spec/finalizers"))
        .hasToString("[\"example.com/hold\",\"kubernetes\"]");
    world.delete(NAMESPACES, "held");
    var going = world.find(NAMESPACES, "held").orElseThrow().object();
    assertThat(going.at("/spec/finalizers")).hasToString("[\"example.com/hold\"]");
    var freed = going.deepCopy();
    freed.remove("spec");
    world.ask(
        new Request.Update(
            NAMESPACES, ObjectKey.cluster("held"), Request.Part.FINALIZE, freed, "someone"));
    assertThat(world.find(NAMESPACES, "held")).isEmpty();
  }
}
