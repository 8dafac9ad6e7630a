package dev.berth.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.v1.NodeGetStorageHealthResponse;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.StorageHealthErrorType;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.driver.Drivers;
import dev.berth.node.health.StorageEffect.Ask;
import dev.berth.node.health.StorageEffect.Forget;
import dev.berth.node.health.StorageEffect.WriteStorage;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a CSINode is told of the storage behind its drivers.
class StorageHealthsTest {
  private static final String DRIVER = MemoryDriver.NAME;
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final Instant EARLIER = Instant.parse("2026-11-26T11:00:00Z");
  private static final String WRITTEN =
      "{storageHealth: [{name: %s, healthConditions: [{status: StorageUnreachable, reason: DrivesUnreachable, message: gone, lastTransitionTime: '%s'}]}]}"
          .formatted(DRIVER, EARLIER);

  private static StorageHealth ill(String message, @Nullable Instant since) {
    return new StorageHealth(
        StorageHealth.UNREACHABLE,
        "DrivesUnreachable",
        message,
        "",
        "",
        Optional.ofNullable(since));
  }

  private static CsiNode csiNode(String status) {
    return Kinds.CSI_NODE
        .read()
        .apply(
            TestNode.yaml(
                "{metadata: {name: n, uid: u}, spec: {drivers: [{name: %s, nodeID: x}]}, status: %s}"
                    .formatted(DRIVER, status)));
  }

  private static Step decide(Set<String> here, KnownStorage known, String status) {
    var facts =
        Facts.of(
            Snapshots.empty().with(Kinds.CSI_NODE, csiNode(status)),
            Sources.of(new Told<>(Drivers.TOPIC, here), new Told<>(KnownStorage.TOPIC, known)));
    var storage = new StorageHealths("n");
    return storage.decide(storage.view(facts, NOW), DRIVER);
  }

  private static KnownStorage said(Instant asked, boolean speaks, List<StorageHealth> conditions) {
    return KnownStorage.NOTHING.with(
        DRIVER, new KnownStorage.Word(1, asked, speaks, Optional.of(conditions)));
  }

  private static Step ofSaid(List<StorageHealth> conditions, String status) {
    return decide(Set.of(DRIVER), said(NOW, true, conditions), status);
  }

  private static Step write(StorageHealth... conditions) {
    return new Act(new WriteStorage(csiNode("{}").ref(), DRIVER, List.of(conditions)));
  }

  private static Settled later() {
    return new Settled().lookAgainAt(NOW.plusSeconds(60));
  }

  /// VH-01: once a minute, and never again who does not speak of it.
  @Test
  void driversAreAskedOnceAMinute() {
    var here = Set.of(DRIVER);
    assertThat(decide(Set.of(), KnownStorage.NOTHING, "{}")).isEqualTo(new Settled());
    assertThat(decide(here, KnownStorage.NOTHING, "{}")).isEqualTo(new Act(new Ask(DRIVER)));
    var old = said(NOW.minusSeconds(60), true, List.of());
    assertThat(decide(here, old, "{}")).isEqualTo(new Act(new Ask(DRIVER)));
    assertThat(ofSaid(List.of(), "{}")).isEqualTo(later());
    var silent =
        KnownStorage.NOTHING.with(
            DRIVER, new KnownStorage.Word(1, EARLIER, false, Optional.empty()));
    assertThat(decide(here, silent, "{}")).isEqualTo(new Settled());
    assertThat(decide(Set.of(), old, "{}")).isEqualTo(new Act(new Forget(DRIVER)));
  }

  /// VH-08, VH-10, VH-11: the driver's word replaces what stands there; since when stays.
  @Test
  void theCsiNodeSaysWhatTheDriverSays() {
    assertThat(ofSaid(List.of(ill("gone", null)), "{}")).isEqualTo(write(ill("gone", NOW)));
    assertThat(ofSaid(List.of(ill("gone", null)), WRITTEN)).isEqualTo(later());
    assertThat(ofSaid(List.of(ill("far", null)), WRITTEN)).isEqualTo(write(ill("far", EARLIER)));
    assertThat(ofSaid(List.of(), WRITTEN)).isEqualTo(write());
    var unknown =
        KnownStorage.NOTHING.with(DRIVER, new KnownStorage.Word(1, NOW, true, Optional.empty()));
    assertThat(decide(Set.of(DRIVER), unknown, WRITTEN)).isEqualTo(later());
  }

  /// VH-16.
  @Test
  void aServerThatKeepsNothingOfItIsLeftAloneForAWhile() {
    var said = said(NOW, true, List.of(ill("gone", null)));
    var dropped = said.dropping(DRIVER, NOW.minusSeconds(60));
    assertThat(decide(Set.of(DRIVER), dropped, "{}")).isEqualTo(later());
    var after = dropped.dropping(DRIVER, NOW.minus(Duration.ofMinutes(10)));
    assertThat(decide(Set.of(DRIVER), after, "{}")).isEqualTo(write(ill("gone", NOW)));
    var other = said.dropping("other.example", NOW);
    assertThat(decide(Set.of(DRIVER), other, "{}")).isEqualTo(write(ill("gone", NOW)));
  }

  /// VH-16: what it strips is no reason to tell it at each look.
  @Test
  void aServerThatKeepsAPartOfItIsLeftAloneForAWhile() throws Exception {
    var driver = new MemoryDriver(RPC.Type.GET_STORAGE_HEALTH);
    driver.tellStorage(() -> {
      var said = NodeGetStorageHealthResponse.newBuilder();
      said.addBackendHealthBuilder()
          .setStatus(StorageHealthErrorType.STORAGE_UNREACHABLE)
          .setReason("DrivesUnreachable")
          .setVolumeCapability(
              VolumeCapability.newBuilder()
                  .setAccessMode(
                      VolumeCapability.AccessMode.newBuilder()
                          .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)));
      return said.build();
    });
    var files = new MemoryFiles(driver);
    var patches = new AtomicInteger();
    try (var node = new TestNode(files, files);
        var time = new SystemTime("storage-healths")) {
      node.create(
          Resources.CSI_NODES,
          "{metadata: {name: n}, spec: {drivers: [{name: %s, nodeID: x}]}}".formatted(DRIVER));
      node.drivers().register(DRIVER, driver);
      var effects = new StorageEffects(older(node.api(), patches), node.drivers(), time);
      for (int look = 0; look < 5; look++)
        if (look(node, effects) instanceof Act(StorageEffect effect, _)) effects.carryOut(effect);
    }
    assertThat(patches).hasValue(1);
  }

  private static Step look(TestNode node, StorageEffects effects) {
    var object = node.api().get(Resources.CSI_NODES, ObjectKey.cluster("n"));
    var facts =
        Facts.of(
            Snapshots.empty().with(Kinds.CSI_NODE, Kinds.CSI_NODE.read().apply(object)),
            Sources.of(node.drivers().source(), node.drivers().registrations(), effects.source()));
    var storage = new StorageHealths("n");
    return storage.decide(storage.view(facts, NOW), DRIVER);
  }

  /// VH-01: an update of a driver may bring what it could not do.
  @Test
  void whoTakesOverFromADriverIsAskedAnew() throws Exception {
    var files = new MemoryFiles(new MemoryDriver());
    try (var node = new TestNode(files, files);
        var time = new SystemTime("storage-healths")) {
      node.create(
          Resources.CSI_NODES,
          "{metadata: {name: n}, spec: {drivers: [{name: %s, nodeID: x}]}}".formatted(DRIVER));
      node.drivers().register(DRIVER, new MemoryDriver());
      var effects = new StorageEffects(node.api(), node.drivers(), time);
      effects.carryOut(new Ask(DRIVER));
      assertThat(look(node, effects)).isEqualTo(new Settled());
      node.drivers().register(DRIVER, new MemoryDriver(RPC.Type.GET_STORAGE_HEALTH));
      assertThat(look(node, effects)).isEqualTo(new Act(new Ask(DRIVER)));
      effects.carryOut(new Ask(DRIVER));
      assertThat(look(node, effects)).isInstanceOf(Settled.class);
    }
  }

  /// A server that does not know the access modes of conditions.
  private static Api older(Api server, AtomicInteger patches) {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              if (method.getName().equals("patchStatus")) {
                patches.incrementAndGet();
                ((Patch) arguments[2])
                    .body()
                    .findParents("accessMode")
                    .forEach(it -> ((ObjectNode) it).remove("accessMode"));
              }
              return method.invoke(server, arguments);
            });
  }

  /// VH-06, VH-09: the whole agent over a real API server.
  @Test
  void anAgentTellsTheServer() throws Exception {
    var driver = new MemoryDriver(RPC.Type.GET_STORAGE_HEALTH);
    var said = NodeGetStorageHealthResponse.newBuilder();
    said.addBackendHealthBuilder()
        .setStatus(StorageHealthErrorType.STORAGE_UNREACHABLE)
        .setReason("DrivesUnreachable")
        .setMessage("the drives cannot be looked at");
    driver.tellStorage(said::build);
    var files = new MemoryFiles(driver);
    try (var node = new TestNode(files, files)) {
      node.create(
          Resources.CSI_NODES,
          "{metadata: {name: n}, spec: {drivers: [{name: %s, nodeID: x}]}}".formatted(DRIVER));
      node.drivers().register(DRIVER, driver);
      node.start(new MemoryRuntime(driver));
      var key = ObjectKey.cluster("n");
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(
                      node.api()
                          .get(Resources.CSI_NODES, key)
                          .path("status")
                          .path("storageHealth")
                          .toString())
                  .startsWith(
                      "[{\"name\":\"%s\",\"healthConditions\":[{\"status\":\"StorageUnreachable\",\"reason\":\"DrivesUnreachable\",\"message\":\"the drives cannot be looked at\",\"lastTransitionTime\":\""
                          .formatted(DRIVER)));
    }
  }
}
